import { DocumentError } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { Source } from '../frame/source.ts'
import { findingAt } from '../frame/subject.ts'
import {
  type PromptFindings,
  type PromptTemplate,
  type Rendering,
  renderTemplate,
  type ValueOptions,
} from '../policy/prompt.ts'
import { toHex } from '../text/bytes.ts'
import { isObject, objectMember, textIn, textMember } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { sha256 } from '../wasm/sha256.ts'
import * as FINDINGS from './findings.ts'
import { classificationOf, isSensitive } from './places.ts'
import { listedArguments } from './rules/document.ts'
import { ADL_READING, type Agent } from './subject.ts'

const RENDER: PromptFindings = {
  undefined: FINDINGS.RENDER_UNDEFINED,
  argument: FINDINGS.RENDER_ARGUMENT,
  hidden: FINDINGS.PROMPT_HIDDEN_TEXT,
  seam: FINDINGS.PROMPT_SEAM,
}

/**
 * Records that a prompt was rendered, for review after an incident (ADL 18.3). Logging the text is left to the caller.
 */
export interface AuditRecord {
  readonly event: 'prompt-rendered'
  /** RFC 3339, in UTC. */
  readonly time: string
  readonly agent: { readonly id?: string; readonly name?: string; readonly version?: string }
  /** The name of the prompt; null for the system prompt. */
  readonly prompt: string | null
  readonly sensitivity: 'confidential' | 'restricted'
  /** Names of the variables that the template uses. Their values are only in the text. */
  readonly variables: readonly string[]
  /** The size of the text in UTF-8, and its SHA-256 in hexadecimal. */
  readonly bytes: number
  readonly sha256: string
}

export declare namespace renderPrompt {
  interface Options extends ValueOptions {
    /** The name of one of `prompts`; defaults to the system prompt. */
    readonly prompt?: string
    /** Strings, numbers and booleans by name. They take precedence over the `variables` of the system prompt. */
    readonly variables?: Readonly<Record<string, unknown>>
    /** The name of the document in diagnostics. */
    readonly file?: string
    /** The time of the audit record; defaults to the current time. */
    readonly now?: Date
  }

  interface Result {
    /** Undefined when a diagnostic is an error. */
    readonly text: string | undefined
    /** Names of passed variables that the template does not use. */
    readonly unused: readonly string[]
    /** The record to log with the text, for agents whose data is confidential or restricted (ADL 18.3). */
    readonly audit?: AuditRecord
    /** Errors if the document has no such prompt, a variable has no value (ADL-1006), or a value is refused. */
    readonly diagnostics: readonly Diagnostic[]
  }
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
export function renderPrompt(source: Source, options: renderPrompt.Options = {}): renderPrompt.Result {
  const { variables = {} } = options
  if (!isObject(variables)) throw new TypeError(`variables: expected an object, got ${String(variables)}`)
  const now = checkedNow(options.now)
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, options.file)
  if (agent === undefined) return { text: undefined, unused: [], diagnostics }
  try {
    const prompt = findPrompt(agent, options.prompt)
    const rendering = renderTemplate(agent.document, prompt, variables, options, RENDER)
    const audit = auditRecord(agent, prompt.pointer, rendering, { ...options, now })
    const { text, unused } = rendering
    return { text, unused, ...(audit !== undefined && { audit }), diagnostics }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return { text: undefined, unused: [], diagnostics: [...diagnostics, ...error.diagnostics] }
  }
}

function findPrompt(agent: Agent, name: string | undefined): PromptTemplate {
  const refuse = (pointer: string, detail: string) =>
    new DocumentError([findingAt(agent.document, FINDINGS.PROMPT_ABSENT, pointer, detail)])
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
  const named = agent.prompts.filter((prompt) => textIn(prompt, 'name') === name)
  if (named.length > 1) throw refuse(`${named[1]!.pointer}/name`, `${named.length} prompts have the name ${name}`)
  const template = textMember(named[0], 'template')
  if (template === undefined) {
    const names = agent.prompts.flatMap((prompt) => textIn(prompt, 'name') ?? [])
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

/** The record, if the agent's sensitivity requires one. */
function auditRecord(
  agent: Agent,
  pointer: string,
  { text, names }: Rendering,
  { prompt, now }: renderPrompt.Options & { readonly now: Date },
): AuditRecord | undefined {
  const sensitivity = textIn(classificationOf(agent.document, pointer), 'sensitivity')
  if (!isSensitive(sensitivity)) return undefined
  const bytes = new TextEncoder().encode(text)
  const identity = (['id', 'name', 'version'] as const).flatMap((name) => {
    const found = textMember(agent.root, name)
    return found === undefined ? [] : [[name, found.value] as const]
  })
  return {
    event: 'prompt-rendered',
    time: now.toISOString(),
    agent: Object.fromEntries(identity),
    prompt: prompt ?? null,
    sensitivity,
    variables: names,
    bytes: bytes.length,
    sha256: toHex(sha256(bytes)),
  }
}
