// Advice about the members of the document itself.

import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { insertSchema } from '../fixes.ts'

export const schemaMember: Rule<Agent> = {
  id: 'schema-member',
  code: 'BADL-112',
  title: 'No $schema',
  section: 'ADL 5.2',
  severity: 'info',
  rulesets: { spec: 'off' },
  why: 'Editors check and complete a document by the schema that it names.',
  bad: '{"adl_spec": "0.1.0"}',
  good: '{"$schema": "https://adl-spec.org/0.1/schema.json"}',
  check({ document, root }, report) {
    if (Object.hasOwn(root.value, '$schema')) return
    report('', "Member '$schema' is recommended: editors check the document by it", { fix: insertSchema(document) })
  },
}

export const thinDescription: Rule<Agent> = {
  id: 'thin-description',
  code: 'BADL-113',
  title: 'Description that tells little',
  section: 'ADL 5.4',
  severity: 'info',
  rulesets: { spec: 'off' },
  why: 'Users should understand what the agent does without reading its tools; directories find it by these words.',
  bad: '{"name": "Invoices", "description": "Invoice agent"}',
  good: '{"name": "Invoices", "description": "Reads invoices, checks their amounts and sends them to those who approve them."}',
  check({ root }, report) {
    const description = textMember(root, 'description')
    if (description === undefined || description.value === '') return
    if (description.value.length >= 20 && description.value.includes(' ')) return
    report(description.pointer, `${quoted(description.value)} does not tell users what the agent does`)
  },
}

export const emptyPermissions: Rule<Agent> = {
  id: 'empty-permissions',
  code: 'BADL-131',
  title: 'Permissions without a domain',
  section: 'ADL 9',
  severity: 'warning',
  why: 'An object without a domain grants nothing, as if it were absent: the permissions that were meant are missing.',
  bad: '{"permissions": {}}',
  good: '{"permissions": {"network": {"allowed_hosts": ["api.example.com"]}}}',
  check({ permissions }, report) {
    if (permissions === undefined || Object.keys(permissions.value).length > 0) return
    report(permissions.pointer, "'permissions' must contain one or more domains: empty it grants nothing")
  },
}
