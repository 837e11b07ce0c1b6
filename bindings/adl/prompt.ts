import type { Value } from '../core/template/values.ts'
import { compileTemplate, type Template } from '../core/template.ts'
import { DocumentError } from '../document/error.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { exactMembers } from '../frame/integers.ts'
import { ruleDiagnostic } from '../frame/rule.ts'
import type { Source } from '../frame/source.ts'
import { compileSchema } from '../schema/schema.ts'
import { isObject, type JsonObject, member, objectMember, type PlacedObject, textMember } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { quoted } from '../text/words.ts'
import type { Agent } from './agent.ts'
import { type AuditRecord, auditRecord } from './audit.ts'
import * as FINDINGS from './findings.ts'
import { braces, countPairs, hides, removeHidden } from './prompt-values.ts'
import { readAgent } from './read-agent.ts'
import { listedArguments } from './rules/templates.ts'

export interface PromptLimits {
  /** UTF-16 units of a value: 131072. */
  readonly value: number
  /** UTF-8 bytes of the rendered text: 4194304. */
  readonly text: number
}

const PROMPT_LIMITS: PromptLimits = { value: 1 << 17, text: 1 << 22 }

export interface PromptOptions {
  /** The name of one of `prompts`; defaults to the system prompt. */
  readonly prompt?: string
  /** Strings, numbers and booleans by name. They take precedence over the `variables` of the system prompt. */
  readonly variables?: Readonly<Record<string, unknown>>
  /** What to do with values that contain `{{` or `}}`; default `refuse`. `escape` writes `\{{` for `{{`. */
  readonly delimiters?: 'refuse' | 'escape'
  /** What to do with control, direction and tag characters in values; default `refuse`. */
  readonly hidden?: 'refuse' | 'remove'
  readonly limits?: Partial<PromptLimits>
  /** The name of the document in diagnostics. */
  readonly file?: string
  /** The time of the audit record; defaults to the current time. */
  readonly now?: Date
}

export interface RenderedPrompt {
  /** Undefined when a diagnostic is an error. */
  readonly text: string | undefined
  /** Names of passed variables that the template does not use. */
  readonly unused: readonly string[]
  /** The record to log with the text, for agents whose data is confidential or restricted (ADL 18.3). */
  readonly audit?: AuditRecord
  /** Errors if the document has no such prompt, a variable has no value (ADL-1006), or a value is refused. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A template of the document, with the values that the document provides for it. */
interface Prompt {
  readonly pointer: string
  readonly template: string
  readonly defaults: PlacedObject | undefined
  /** The JSON Schema of its arguments. */
  readonly schema: PlacedObject | undefined
  /** Its arguments by name, if the schema simply lists them: references to others are then undefined (ADL 8.3). */
  readonly listed?: PlacedObject | undefined
}

/**
 * Renders the system prompt of an agent definition, or one of its prompts, with values that are made harmless first
 * (ADL 7.2, 8.3, 18.3).
 *
 * @example
 * renderPrompt('{"system_prompt": {"template": "Hi {{a}}", "variables": {"a": "x"}}}', { variables: { a: 'Ada' } }).text // 'Hi Ada'
 *
 * @throws {TypeError} for invalid arguments; never for the content of a document or a value.
 */
export function renderPrompt(source: Source, options: PromptOptions = {}): RenderedPrompt {
  const { variables = {} } = options
  if (!isObject(variables)) throw new TypeError(`variables: expected an object, got ${String(variables)}`)
  const now = checkedNow(options.now)
  const { subject: agent, diagnostics } = readAgent(source, options.file)
  if (agent === undefined) return { text: undefined, unused: [], diagnostics }
  try {
    return { ...renderedOf(agent, variables, { ...options, now }), diagnostics }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { text: undefined, unused: [], diagnostics: [...diagnostics, ...error.diagnostics] }
  }
}

/** @throws {DocumentError} when there is nothing to render, or a value is not allowed. */
function renderedOf(
  agent: Agent,
  variables: JsonObject,
  { now, ...options }: PromptOptions & { readonly now: Date },
): Omit<RenderedPrompt, 'diagnostics'> {
  const prompt = findPrompt(agent, options.prompt)
  const values = { ...(prompt.defaults && exactMembers(agent.document, prompt.defaults)), ...variables }
  const refuse = (rule: FindingKind, pointer: string, detail: string): never => {
    throw new DocumentError([ruleDiagnostic(agent.document, rule, 'error', pointer, detail)])
  }
  const place = (name: string) => placeOf(prompt, variables, name)
  try {
    const template = compileTemplate(prompt.template)
    const { listed } = prompt
    const foreign = listed === undefined ? [] : template.names.filter((name) => !Object.hasOwn(listed.value, name))
    if (foreign.length > 0) {
      const detail = `the template refers to ${foreign.map(quoted).join(', ')}: no argument of the prompt`
      refuse(FINDINGS.RENDER_UNDEFINED, prompt.pointer, detail)
    }
    const faults = argumentFaults(prompt, variables, template.names)
    if (faults.length > 0) {
      const { pointer } = prompt.schema!
      throw new DocumentError(
        faults.map((detail) => ruleDiagnostic(agent.document, FINDINGS.RENDER_ARGUMENT, 'error', pointer, detail)),
      )
    }
    const used: Record<string, Value> = Object.create(null)
    for (const name of template.names) {
      const value = member(values, name)
      if (value === undefined) continue
      if (typeof value === 'string' && options.hidden !== 'remove' && hides(value)) {
        refuse(
          FINDINGS.PROMPT_HIDDEN_TEXT,
          place(name),
          `the value of ${name} has control, direction or tag characters`,
        )
      }
      used[name] = (typeof value === 'string' ? harmless(value, options) : value) as Value
    }
    const text = template.render(used, {
      maxBytes: options.limits?.text ?? PROMPT_LIMITS.text,
      maxValueLength: options.limits?.value ?? PROMPT_LIMITS.value,
      delimiters: options.delimiters === 'escape' ? 'keep' : 'refuse',
    })
    if (hasSeam(template, used, text)) {
      refuse(FINDINGS.PROMPT_SEAM, prompt.pointer, 'a value and what stands beside it make {{ or }} together')
    }
    const audit = auditRecord(agent, {
      prompt: options.prompt,
      pointer: prompt.pointer,
      variables: template.names,
      text,
      now,
    })
    const unused = Object.keys(variables).filter((name) => !template.names.includes(name))
    return { text, unused, ...(audit !== undefined && { audit }) }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new DocumentError(error.diagnostics.map((diagnostic) => relocate(diagnostic, agent, prompt, place)))
  }
}

function findPrompt(agent: Agent, name: string | undefined): Prompt {
  const refuse = (pointer: string, detail: string) =>
    new DocumentError([ruleDiagnostic(agent.document, FINDINGS.PROMPT_ABSENT, 'error', pointer, detail)])
  if (name === undefined) {
    const text = textMember(agent.root, 'system_prompt')
    if (text !== undefined)
      return { pointer: text.pointer, template: text.value, defaults: undefined, schema: undefined }
    const object = objectMember(agent.root, 'system_prompt')
    const template = textMember(object, 'template')
    if (template === undefined) throw refuse(object?.pointer ?? '', 'the agent has no system prompt with a template')
    const defaults = objectMember(object, 'variables')
    return { pointer: template.pointer, template: template.value, defaults, schema: undefined }
  }
  const named = agent.prompts.filter((prompt) => textMember(prompt, 'name')?.value === name)
  if (named.length > 1) throw refuse(`${named[1]!.pointer}/name`, `${named.length} prompts have the name ${name}`)
  const template = textMember(named[0], 'template')
  if (template === undefined) {
    const names = agent.prompts.flatMap((prompt) => textMember(prompt, 'name')?.value ?? [])
    const there = names.length === 0 ? 'the agent has none' : `there are ${names.slice(0, 10).join(', ')}`
    throw refuse(
      named[0]?.pointer ?? '',
      named[0] ? `${name} has no template` : `no prompt is called ${name}; ${there}`,
    )
  }
  const schema = objectMember(named[0], 'arguments')
  const listed = listedArguments(named[0]!)
  return { pointer: template.pointer, template: template.value, defaults: undefined, schema, listed }
}

/** The faults of the passed arguments by their schema. Missing ones are reported as undefined variables. */
function argumentFaults({ schema }: Prompt, given: JsonObject, names: readonly string[]): string[] {
  if (schema === undefined) return []
  const compiled = compileSchema(schema.value)
  if (Array.isArray(compiled)) return [`the schema of the arguments is invalid: ${compiled[0]!.message}`]
  return compiled
    .validate(given)
    .filter(({ keyword, params }) => keyword !== 'required' || !names.includes(String(params['name'])))
    .map(({ instancePointer, message }) => `${instancePointer.slice(1) || 'the arguments'}: ${message}`)
}

/** The place of a value in the document; for values that the caller passes, the place of the template. */
function placeOf({ pointer, defaults }: Prompt, given: JsonObject, name: string): string {
  const own = defaults !== undefined && !Object.hasOwn(given, name) && Object.hasOwn(defaults.value, name)
  return own ? `${defaults.pointer}/${name}` : pointer
}

function harmless(value: string, { delimiters, hidden }: PromptOptions): string {
  const seen = hidden === 'remove' ? removeHidden(value) : value
  return delimiters === 'escape' ? seen.replaceAll('{{', '\\{{') : seen
}

/** True when the text has delimiters that are neither in the template's own text nor completely inside one value. */
function hasSeam(template: Template, values: Readonly<Record<string, Value>>, text: string): boolean {
  const plain = template.render(Object.fromEntries(template.names.map((name) => [name, 'x'])))
  const expected = braces.map((brace) => {
    const within = template.names.map((name) => countPairs(String(values[name]), brace) * template.uses(name).length)
    return within.reduce((sum, count) => sum + count, countPairs(plain, brace))
  })
  return braces.some((brace, i) => countPairs(text, brace) !== expected[i])
}

/** Turns a finding about a template into one about the document that contains it. */
function relocate(found: Diagnostic, agent: Agent, prompt: Prompt, place: (name: string) => string): Diagnostic {
  if (!found.rule.startsWith('template/') && !found.rule.startsWith('limit/')) return found
  const name = found.source.pointer.slice(1)
  const missing = found.rule === 'template/undefined'
  const { code, title, section } = missing
    ? FINDINGS.RENDER_UNDEFINED
    : { code: found.code, title: found.title, section: found.spec }
  const source = agent.document.source(missing || name === '' ? prompt.pointer : place(name))
  const { fix: _, related: __, ...rest } = found
  return { ...rest, code, title, spec: section, source }
}
