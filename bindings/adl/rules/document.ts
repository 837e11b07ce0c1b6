// Rules about the document as a whole: its version and members, names, metadata, and placeholders.

import { compileTemplate } from '../../core/template.ts'
import { lineEnd } from '../../document/edit.ts'
import { DocumentError } from '../../document/finding.ts'
import { didYouMean, replaceText } from '../../document/fixes.ts'
import type { Document } from '../../document/parse.ts'
import type { Edit, Fix } from '../../document/types.ts'
import { placeholderRule } from '../../frame/placeholders.ts'
import { reportRepeated } from '../../frame/report-schema.ts'
import { type Report, type Rule, rule } from '../../frame/subject.ts'
import { isMimeType, isSemver, isUri } from '../../schema/formats.ts'
import { timeOf } from '../../schema/times.ts'
import { isSpdxExpression, nearestSpdx } from '../../tables/index.ts'
import {
  elements,
  escapeToken,
  formatPointer,
  isText,
  type JsonObject,
  objectMember,
  type PlacedValue,
  textIn,
  textMember,
} from '../../text/members.ts'
import { isMonthAhead } from '../../text/moment.ts'
import { quoted, snakeCase, suggest } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { once } from '../places.ts'
import { type Agent, otherVersion } from '../subject.ts'

export const specVersion = rule<Agent>(FINDINGS.VAL_01, (agent, report) => {
  const other = otherVersion(agent)
  // The schema reports a text that is not a version, under this rule.
  if (other !== undefined && isSemver(textIn(agent.root, 'adl_spec') ?? '')) report(other.pointer, other.detail)
})

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

const OWN_LICENSE = { hint: 'a license that SPDX does not list is a URI, or LicenseRef- and a name' }

/** The valid statuses other than retired. */
const RUNNING = ['draft', 'active', 'deprecated']

export const DOCUMENT_RULES: readonly Rule<Agent>[] = [
  specVersion,
  rule(FINDINGS.VAL_02, ({ tools }, report) => reportRepeated('tool', tools, report)),
  rule(FINDINGS.VAL_03, ({ resources }, report) => reportRepeated('resource', resources, report)),
  rule(FINDINGS.VAL_04, ({ prompts }, report) => reportRepeated('prompt', prompts, report)),
  rule(FINDINGS.ATTESTATION_EXPIRY, ({ attestation }, report, { now }) => {
    const date = textMember(attestation, 'expires_at')
    if (date === undefined) return
    const time = timeOf(date.value)
    if (time === undefined || isMonthAhead(time, now)) return
    const isPast = time <= now.getTime()
    report(date.pointer, `The attestation ${isPast ? 'expired' : 'expires within 30 days'}: at ${date.value}`)
  }),
  rule(FINDINGS.SUCCESSOR_ACTIVE, ({ lifecycle }, report) => {
    const status = textIn(lifecycle, 'status')
    if ((status !== 'active' && status !== 'draft') || textMember(lifecycle, 'successor') === undefined) return
    const detail = `Member 'successor' is for agents whose status is deprecated or retired, this one's is ${status}`
    report('/lifecycle/successor', detail, { related: [{ pointer: '/lifecycle/status', message: 'the status' }] })
  }),
  rule(FINDINGS.SUNSET_PAST, ({ lifecycle }, report, { now }) => {
    const date = textMember(lifecycle, 'sunset_date')
    if (date === undefined) return
    const status = textIn(lifecycle, 'status')
    const time = timeOf(date.value)
    if (!RUNNING.includes(status ?? '') || time === undefined || time > now.getTime()) return
    const detail = `The agent was to be retired at ${date.value}, and its status is ${status}`
    report(date.pointer, detail, { related: [{ pointer: '/lifecycle/status', message: 'the status' }] })
  }),
  rule(FINDINGS.MEDIA_TYPE, ({ resources, runtime }, report) => {
    const input = elements(objectMember(runtime, 'input_handling'), 'content_types', isText)
    for (const list of [...resources.map((resource) => elements(resource, 'mime_types', isText)), input]) {
      for (const { pointer, value } of list) {
        if (!isMimeType(value)) report(pointer, `${quoted(value)} is not a MIME type: expected one such as text/plain`)
      }
    }
  }),
  rule(FINDINGS.LICENSE, ({ document, metadata }, report) => {
    const license = textMember(metadata, 'license')
    if (license === undefined || isSpdxExpression(license.value) || isUri(license.value)) return
    const nearest = nearestSpdx(license.value)
    const detail = `${quoted(license.value)} is neither an SPDX identifier nor a URI`
    const fix = nearest === undefined ? OWN_LICENSE : () => replaceText(document, license.pointer, nearest)
    report(license.pointer, detail, { fix })
  }),
  rule(FINDINGS.TAG, ({ document, metadata }, report) => {
    for (const { pointer, value } of elements(metadata, 'tags', isText)) {
      if (/^[a-z0-9-]+$/.test(value)) continue
      const meant = snakeCase(value).replaceAll('_', '-')
      const fix = /^[a-z0-9-]+$/.test(meant) ? { fix: () => replaceText(document, pointer, meant) } : {}
      report(pointer, `${quoted(value)} has other characters than lowercase letters, digits and hyphens`, fix)
    }
  }),
  rule(FINDINGS.SCHEMA_MEMBER, ({ document, root }, report) => {
    if (Object.hasOwn(root.value, '$schema')) return
    report('', "Member '$schema' is recommended: editors check the document by it", { fix: insertSchema(document) })
  }),
  rule(FINDINGS.THIN_DESCRIPTION, ({ root }, report) => {
    const description = textMember(root, 'description')
    if (description === undefined || description.value === '') return
    if (description.value.length >= 20 && description.value.includes(' ')) return
    report(description.pointer, `${quoted(description.value)} does not tell users what the agent does`)
  }),
  rule(FINDINGS.SUCCESSOR_MISSING, ({ lifecycle }, report) => {
    const status = textMember(lifecycle, 'status')
    if (status === undefined || (status.value !== 'deprecated' && status.value !== 'retired')) return
    if (Object.hasOwn(lifecycle!.value, 'successor')) return
    report(status.pointer, `Status is ${status.value}, and no 'successor' tells what replaces the agent`)
  }),
  rule(FINDINGS.SUNSET_SOON, ({ lifecycle }, report, { now }) => {
    const date = textMember(lifecycle, 'sunset_date')
    if (date === undefined) return
    const time = timeOf(date.value)
    if (time === undefined || time <= now.getTime() || isMonthAhead(time, now)) return
    report(date.pointer, `The agent is to be retired within 30 days: at ${date.value}`)
  }),
  rule(FINDINGS.EMPTY_PERMISSIONS, ({ permissions }, report) => {
    if (permissions === undefined || Object.keys(permissions.value).length > 0) return
    report(permissions.pointer, "'permissions' must contain one or more domains: empty it grants nothing")
  }),
]

// The templates of prompts (ADL 7.2, 8.3): their syntax, and whether references and values match.

/** A template with references or braces, and the values that it may refer to. */
interface Prompt {
  readonly template: PlacedValue<string>
  readonly isSystem: boolean
  /**
   * Undefined when they are unknown: a prompt that is only a text has none, and a composed schema doesn't list them.
   */
  readonly values: PlacedValue<JsonObject> | undefined
  readonly names: readonly string[]
  readonly fault: string | undefined
}

/** The prompts whose templates need to be checked. */
const templated = once(({ root, prompts }): readonly Prompt[] => {
  const found: Prompt[] = []
  const add = (template: PlacedValue<string> | undefined, isSystem: boolean, values: () => Prompt['values']) => {
    if (template !== undefined) found.push({ template, isSystem, values: values(), ...readReferences(template.value) })
  }
  const system = objectMember(root, 'system_prompt')
  add(textMember(root, 'system_prompt'), true, () => undefined)
  add(textMember(system, 'template'), true, () => objectMember(system, 'variables') ?? empty(system!))
  for (const prompt of prompts) add(textMember(prompt, 'template'), false, () => listedArguments(prompt))
  return found
})

/** The references of a template, or its fault. */
function readReferences(template: string): Pick<Prompt, 'names' | 'fault'> {
  if (!template.includes('{{')) return NO_REFERENCES
  try {
    return { names: compileTemplate(template).names, fault: undefined }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { detail, source } = error.diagnostics[0]!
    return { names: [], fault: `${detail}, at line ${source.line}, column ${source.column} of the text` }
  }
}

const NO_REFERENCES = { names: [], fault: undefined }

const empty = ({ pointer }: PlacedValue<JsonObject>): PlacedValue<JsonObject> => ({ pointer, value: {} })

/** The arguments of a prompt by name, if its schema simply lists them. */
export function listedArguments(prompt: PlacedValue<JsonObject>): PlacedValue<JsonObject> | undefined {
  if (!Object.hasOwn(prompt.value, 'arguments')) return empty(prompt)
  const schema = objectMember(prompt, 'arguments')
  if (schema === undefined || COMPOSED.some((keyword) => Object.hasOwn(schema.value, keyword))) return undefined
  return objectMember(schema, 'properties') ?? empty(schema)
}

const COMPOSED = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties']

const ESCAPE = { hint: 'a reference is {{name}}; for braces that are text write \\{{' }

function tellAbsent({ template, names, values }: Prompt, report: Report, words: (name: string) => string): void {
  if (values === undefined) return
  for (const name of names) {
    if (Object.hasOwn(values.value, name)) continue
    const meant = name.length > 40 ? undefined : suggest(name, Object.keys(values.value).slice(0, 100))
    report(template.pointer, `Template refers to ${words(quoted(name))}`, didYouMean(meant && `'${meant}'`))
  }
}

export const TEMPLATE_RULES: readonly Rule<Agent>[] = [
  rule(FINDINGS.TEMPLATE_SYNTAX, (agent, report) => {
    for (const { template, fault } of templated(agent)) {
      if (fault !== undefined) report(template.pointer, `Template: ${fault}`, { fix: ESCAPE })
    }
  }),
  rule(FINDINGS.TEMPLATE_UNDEFINED, (agent, report) => {
    for (const prompt of templated(agent)) {
      if (prompt.isSystem) tellAbsent(prompt, report, (name) => `the variable ${name}, which 'variables' does not have`)
    }
  }),
  rule(FINDINGS.PROMPT_ARGUMENT, (agent, report) => {
    for (const prompt of templated(agent)) {
      if (!prompt.isSystem) tellAbsent(prompt, report, (name) => `${name}, which is not an argument of the prompt`)
    }
  }),
  rule(FINDINGS.UNUSED_VARIABLE, (agent, report) => {
    for (const { names, values, isSystem, fault } of templated(agent)) {
      if (values === undefined || fault !== undefined) continue
      const kind = isSystem ? 'Variable' : 'Argument'
      const used = new Set(names)
      for (const name of Object.keys(values.value)) {
        if (used.has(name)) continue
        const pointer = `${values.pointer}/${escapeToken(name)}`
        report(pointer, `${kind} ${quoted(name)} is in no reference of the template`, { atName: true })
      }
    }
  }),
  placeholderRule(FINDINGS.PLACEHOLDER, [
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
  ]),
]
