// Advice about the members of the document itself.

import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { EMPTY_PERMISSIONS, SCHEMA_MEMBER, THIN_DESCRIPTION } from '../findings.ts'
import { insertSchema } from '../fixes.ts'

export const schemaMember: Rule<Agent> = {
  ...SCHEMA_MEMBER,
  check({ document, root }, report) {
    if (Object.hasOwn(root.value, '$schema')) return
    report('', "Member '$schema' is recommended: editors check the document by it", { fix: insertSchema(document) })
  },
}

export const thinDescription: Rule<Agent> = {
  ...THIN_DESCRIPTION,
  check({ root }, report) {
    const description = textMember(root, 'description')
    if (description === undefined || description.value === '') return
    if (description.value.length >= 20 && description.value.includes(' ')) return
    report(description.pointer, `${quoted(description.value)} does not tell users what the agent does`)
  },
}

export const emptyPermissions: Rule<Agent> = {
  ...EMPTY_PERMISSIONS,
  check({ permissions }, report) {
    if (permissions === undefined || Object.keys(permissions.value).length > 0) return
    report(permissions.pointer, "'permissions' must contain one or more domains: empty it grants nothing")
  },
}
