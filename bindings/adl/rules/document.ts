// Rules about the document as a whole: its version and members, names, metadata, and placeholders.

import { lineEnd } from '../../document/edit.ts'
import { replaceText } from '../../document/fixes.ts'
import type { Document } from '../../document/parse.ts'
import type { Edit, Fix } from '../../document/types.ts'
import { placeholderRule } from '../../frame/placeholders.ts'
import { reportRepeated } from '../../frame/report-schema.ts'
import type { Rule } from '../../frame/subject.ts'
import { isMimeType, isSemver, isUri } from '../../schema/formats.ts'
import { isSpdxExpression, nearestSpdx } from '../../tables/index.ts'
import { elements, formatPointer, isText, objectMember, textMember } from '../../text/members.ts'
import { quoted, snakeCase } from '../../text/words.ts'
import {
  EMPTY_PERMISSIONS,
  LICENSE,
  MEDIA_TYPE,
  PLACEHOLDER,
  SCHEMA_MEMBER,
  TAG,
  THIN_DESCRIPTION,
  VAL_01,
  VAL_02,
  VAL_03,
  VAL_04,
} from '../findings.ts'
import type { Agent } from '../subject.ts'
import { otherVersion } from '../version.ts'

export const specVersion: Rule<Agent> = {
  ...VAL_01,
  check(agent, report) {
    const other = otherVersion(agent)
    // The schema reports a text that is not a version, under this rule.
    if (other !== undefined && isSemver(textMember(agent.root, 'adl_spec')?.value ?? ''))
      report(other.pointer, other.detail)
  },
}

export const uniqueTools: Rule<Agent> = {
  ...VAL_02,
  check: ({ tools }, report) => reportRepeated('tool', tools, report),
}

export const uniqueResources: Rule<Agent> = {
  ...VAL_03,
  check: ({ resources }, report) => reportRepeated('resource', resources, report),
}

export const uniquePrompts: Rule<Agent> = {
  ...VAL_04,
  check: ({ prompts }, report) => reportRepeated('prompt', prompts, report),
}

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

const BRACE = 0x7b
const LINE_END = 0x0a

const SCHEMA = 'https://adl-spec.org/0.1/schema.json'

/** Adds `$schema` as the first member, in the style of the document. */
export function insertSchema(document: Document): Fix {
  const hint = `add "$schema": "${SCHEMA}"`
  const name = Object.keys(document.value as object)[0]
  const first = name === undefined ? undefined : document.range(formatPointer([name]))?.keyStart
  const { bytes } = document.lines
  const { start } = document.range('')!
  if (first === undefined) return { hint }
  if (bytes[start] !== BRACE) {
    // The first member may be indented, and then all members are.
    const before = new TextDecoder().decode(bytes.subarray(bytes.lastIndexOf(LINE_END, first) + 1, first))
    if (start !== first || !/^ *$/.test(before)) return { hint }
    return { hint, edits: [insertion(first, `$schema: ${SCHEMA}${lineEnd(bytes)}${before}`)] }
  }
  // The text before the first member moves before the second one.
  const space = new TextDecoder().decode(bytes.subarray(start + 1, first))
  return /^\s*$/.test(space) ? { hint, edits: [insertion(first, `"$schema": "${SCHEMA}",${space || ' '}`)] } : { hint }
}

const insertion = (offset: number, text: string): Edit => ({ offset, endOffset: offset, text })

export const license: Rule<Agent> = {
  ...LICENSE,
  check({ document, metadata }, report) {
    const license = textMember(metadata, 'license')
    if (license === undefined || isSpdxExpression(license.value) || isUri(license.value)) return
    const nearest = nearestSpdx(license.value)
    const detail = `${quoted(license.value)} is neither an SPDX identifier nor a URI`
    const fix = nearest === undefined ? OWN_LICENSE : () => replaceText(document, license.pointer, nearest)
    report(license.pointer, detail, { fix })
  },
}

const OWN_LICENSE = { hint: 'a license that SPDX does not list is a URI, or LicenseRef- and a name' }

export const tags: Rule<Agent> = {
  ...TAG,
  check({ document, metadata }, report) {
    for (const { pointer, value } of elements(metadata, 'tags', isText)) {
      if (/^[a-z0-9-]+$/.test(value)) continue
      const meant = snakeCase(value).replaceAll('_', '-')
      const fix = /^[a-z0-9-]+$/.test(meant) ? { fix: () => replaceText(document, pointer, meant) } : {}
      report(pointer, `${quoted(value)} has other characters than lowercase letters, digits and hyphens`, fix)
    }
  },
}

export const mediaTypes: Rule<Agent> = {
  ...MEDIA_TYPE,
  check({ resources, runtime }, report) {
    const input = elements(objectMember(runtime, 'input_handling'), 'content_types', isText)
    for (const list of [...resources.map((resource) => elements(resource, 'mime_types', isText)), input]) {
      for (const { pointer, value } of list) {
        if (!isMimeType(value)) report(pointer, `${quoted(value)} is no MIME type: expected one such as text/plain`)
      }
    }
  },
}

export const placeholder = placeholderRule<Agent>(PLACEHOLDER, [
  [['description'], 'what the agent does, for whom, and what it does not do'],
  [['id'], 'the address at which the definition will be found'],
  [['provider', 'name'], 'who is behind the agent'],
  [['provider', 'url'], 'the address of who is behind it'],
  [['provider', 'contact'], 'an address that reaches a team'],
  [['system_prompt', 'template'], 'the instructions for the agent'],
  [['system_prompt', 'variables', 'company'], 'who is behind the agent'],
  [['tools', '*', 'description'], 'what the tool does'],
  [['permissions', 'network', 'allowed_hosts', '*'], 'a host that the agent needs, or nothing'],
  [['security', 'authentication', 'token_endpoint'], 'the address that gives tokens'],
  [['metadata', 'authors', '*', 'name'], 'who wrote it'],
  [['metadata', 'authors', '*', 'email'], 'an address that reaches them'],
  [['autonomy', 'classified_by'], 'who decided on the tier'],
  [['governance', 'ownership', 'owner'], 'who answers for the agent'],
  [['relationships', 'depends_on', '*'], 'the id of an agent that it needs, or nothing'],
  [['phi_handling', 'breach_notification', 'contact'], 'an address that reaches who is in charge of privacy'],
  [['transaction_controls', 'kill_switch', 'notification_targets', '*'], 'an address that reaches who can stop it'],
])
