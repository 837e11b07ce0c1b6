// How a runtime handles texts, tools and their failures (ADL 11).
import { nameOf } from '../core/pattern-findings.ts'
import { whyUnreadable } from '../document/finding.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { elements, isText, objectMember, type PlacedObject, textIn, valueIn } from '../text/members.ts'
import { isLonger, quoted } from '../text/words.ts'

/** How a runtime should handle an agent, by its definition (ADL 11). All methods are pure: nothing waits or is sent. */
export interface RuntimePolicy {
  /** The findings of reading the definition. With an error among them, nothing is accepted. */
  readonly diagnostics: readonly Diagnostic[]
  readonly input: {
    /** In characters: the lower of the two limits that a document may have; undefined means any length. */
    readonly maxLength: number | undefined
    /** In lower case; undefined means any. */
    readonly contentTypes: readonly string[] | undefined
    readonly stripHtml: boolean
  }
  readonly output: {
    readonly maxLength: number | undefined
    readonly format: OutputFormat | undefined
    /** The media type of the format. */
    readonly mediaType: string | undefined
    readonly streaming: boolean
  }
  readonly tools: {
    /** The number of concurrent calls: 1 unless `parallel` is true. */
    readonly maxConcurrent: number
    /** The longest duration of a call; undefined means unlimited. */
    readonly timeoutMs: number | undefined
    readonly maxRetries: number
  }
  /** A user's input in the form for the agent, or the reason to refuse it. `contentType` defaults to `text/plain`. */
  checkInput(text: string, contentType?: string): TextDecision
  /** The agent's output, or the reason to refuse it. */
  checkOutput(text: string): TextDecision
  /** Milliseconds to wait before each retry, without jitter. */
  delays(): readonly number[]
  /** The action after this many failures of a tool. */
  afterFailure(failures: number): ErrorAction
}

/** The parts of a document that a runtime policy is made from. */
interface RuntimeParts {
  readonly runtime: PlacedObject | undefined
  readonly permissions: PlacedObject | undefined
}

/** The policy of a document; without parts, because it cannot be read, one that accepts nothing. */
export function runtimePolicyOf(parts: RuntimeParts | undefined, diagnostics: readonly Diagnostic[]): RuntimePolicy {
  return parts === undefined ? closedPolicy(diagnostics) : policyOf(parts, diagnostics)
}

function policyOf({ runtime, permissions }: RuntimeParts, diagnostics: readonly Diagnostic[]): RuntimePolicy {
  const inputRules = readInput(objectMember(runtime, 'input_handling'))
  const output = objectMember(runtime, 'output_handling')
  const outputLimit = limitOf(output, 'max_output_length')
  const wanted = textIn(output, 'format')
  const format = wanted !== undefined && Object.hasOwn(FORMATS, wanted) ? (wanted as OutputFormat) : undefined
  const tools = objectMember(runtime, 'tool_invocation')
  const errors = objectMember(runtime, 'error_handling')
  const retries = readRetries(objectMember(tools, 'retry_policy'), errors)
  const last = readLastAction(errors)
  return {
    diagnostics,
    input: {
      maxLength: inputRules.limit?.most,
      contentTypes: inputRules.contentTypes,
      stripHtml: inputRules.stripHtml,
    },
    output: {
      maxLength: outputLimit?.most,
      format,
      mediaType: format && FORMATS[format],
      streaming: valueIn(output, 'streaming') === true,
    },
    tools: {
      maxConcurrent: concurrency(tools, objectMember(permissions, 'resource_limits')),
      timeoutMs: timeout(tools),
      maxRetries: retries.max,
    },
    checkInput: (text, contentType = 'text/plain') =>
      handleInput(inputRules, expectText('text', text), expectText('contentType', contentType)),
    checkOutput: (text) => handleOutput(outputLimit, format, expectText('text', text)),
    delays: () => Array.from({ length: retries.max }, (_, i) => delayBefore(retries, i + 1)),
    afterFailure(failures) {
      if (!Number.isInteger(failures) || failures < 1) {
        throw new RangeError(`failures: expected an integer from 1, got ${nameOf(failures)}`)
      }
      return failures <= retries.max ? { action: 'retry', delayMs: delayBefore(retries, failures) } : last
    },
  }
}

function readInput(input: PlacedObject | undefined) {
  const sanitization = objectMember(input, 'sanitization')
  const isActive = sanitization !== undefined && valueIn(sanitization, 'enabled') !== false
  const types = elements(input, 'content_types', isText).map(({ value }) => essenceOf(value))
  const own = limitOf(input, 'max_input_length')
  return {
    // The length limit is not part of sanitization, so `enabled` does not switch it off.
    limit: lower(own, limitOf(sanitization, 'max_input_length')),
    contentTypes: valueIn(input, 'content_types') === undefined ? undefined : types,
    stripHtml: isActive && valueIn(sanitization, 'strip_html') === true,
  }
}

function concurrency(tools: PlacedObject | undefined, limits: PlacedObject | undefined): number {
  if (valueIn(tools, 'parallel') !== true) return 1
  const most = [tools, limits].map((of) => limitOf(of, 'max_concurrent')?.most ?? Number.POSITIVE_INFINITY)
  return Math.max(1, Math.min(...most))
}

/** The timeout; 0 means none, as in many programs. */
function timeout(tools: PlacedObject | undefined): number | undefined {
  const value = valueIn(tools, 'timeout_ms')
  return typeof value === 'number' && value > 0 ? Math.min(value, 0x7fffffff) : undefined
}

function closedPolicy(diagnostics: readonly Diagnostic[]): RuntimePolicy {
  const refuseText = () => refuse(whyUnreadable(diagnostics), '')
  return {
    diagnostics,
    input: { maxLength: 0, contentTypes: [], stripHtml: true },
    output: { maxLength: 0, format: undefined, mediaType: undefined, streaming: false },
    tools: { maxConcurrent: 1, timeoutMs: undefined, maxRetries: 0 },
    checkInput: refuseText,
    checkOutput: refuseText,
    delays: () => [],
    afterFailure: () => ({ action: 'abort' }),
  }
}

function expectText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError(`${name}: expected a string, got ${nameOf(value)}`)
}

/** More retries than anyone waits for. */
const MOST_RETRIES = 1000

/** The maximum of setTimeout on every host: 24 days. */
const LONGEST_DELAY = 0x7fffffff

/** The action after a tool has failed. */
type ErrorAction =
  | { readonly action: 'retry'; readonly delayMs: number }
  | { readonly action: 'abort' | 'continue' }
  | { readonly action: 'return_error' | 'skip'; readonly message?: string }
  | { readonly action: 'use_default'; readonly value: unknown; readonly message?: string }

interface RetryRules {
  readonly max: number
  readonly strategy: 'fixed' | 'linear' | 'exponential'
  readonly initialMs: number
  readonly mostMs: number
}

/** A value that is present but not a count is read as 0. */
function countOf(of: PlacedObject | undefined, name: string): number | undefined {
  const value = valueIn(of, name)
  if (value === undefined) return undefined
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0
}

function readRetries(policy: PlacedObject | undefined, errors: PlacedObject | undefined): RetryRules {
  const counts = [countOf(policy, 'max_retries'), countOf(errors, 'max_retries')].filter((count) => count !== undefined)
  const wanted = textIn(errors, 'on_tool_error') === 'retry' ? 1 : 0
  const strategy = textIn(policy, 'backoff_strategy')
  return {
    max: Math.min(MOST_RETRIES, counts.length === 0 ? wanted : Math.min(...counts)),
    strategy: strategy === 'linear' || strategy === 'exponential' ? strategy : 'fixed',
    initialMs: countOf(policy, 'initial_delay_ms') ?? 0,
    mostMs: Math.min(LONGEST_DELAY, countOf(policy, 'max_delay_ms') ?? LONGEST_DELAY),
  }
}

const FACTORS = {
  fixed: () => 1,
  linear: (retry: number) => retry,
  exponential: (retry: number) => 2 ** (retry - 1),
} as const

/** The delay before retry number `retry`, counted from 1. */
function delayBefore({ strategy, initialMs, mostMs }: RetryRules, retry: number): number {
  return Math.min(mostMs, initialMs * FACTORS[strategy](retry))
}

/** The action when no retry is left. */
function readLastAction(errors: PlacedObject | undefined): ErrorAction {
  const wanted = textIn(errors, 'on_tool_error')
  if (wanted === 'abort' || wanted === 'continue') return { action: wanted }
  const fallback = objectMember(errors, 'fallback_behavior')
  const action = textIn(fallback, 'action')
  const message = textIn(fallback, 'message')
  const said = message === undefined ? {} : { message }
  if (action === 'return_error' || action === 'skip') return { action, ...said }
  if (action === 'use_default') return { action, value: valueIn(fallback, 'default') ?? null, ...said }
  return { action: 'abort' }
}

// Input and output as texts with limits (ADL 11.1, 11.2).

/** An accepted text, or the reason to refuse it. */
type TextDecision =
  | { readonly accepted: true; readonly text: string }
  | { readonly accepted: false; readonly reason: string; readonly decidedBy: string }

/** A number of characters (code points). A value that is not a number allows nothing. */
interface Limit {
  readonly most: number
  readonly pointer: string
}

const refuse = (reason: string, decidedBy: string): TextDecision => ({ accepted: false, reason, decidedBy })

function limitOf(of: PlacedObject | undefined, name: string): Limit | undefined {
  const value = valueIn(of, name)
  if (value === undefined) return undefined
  const most = typeof value === 'number' && Number.isInteger(value) && value >= 1 ? value : 0
  return { most, pointer: `${of!.pointer}/${name}` }
}

function lower(a: Limit | undefined, b: Limit | undefined): Limit | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return b.most < a.most ? b : a
}

/** Refuses a text that exceeds a limit; returns undefined when it fits. */
function tooLong(text: string, limit: Limit | undefined): TextDecision | undefined {
  if (limit === undefined || !isLonger(text, limit.most)) return undefined
  return refuse(`longer than ${limit.most} characters`, limit.pointer)
}

interface InputRules {
  readonly limit: Limit | undefined
  /** In lower case, without parameters; undefined means any. */
  readonly contentTypes: readonly string[] | undefined
  readonly stripHtml: boolean
}

function handleInput(rules: InputRules, text: string, contentType: string): TextDecision {
  const { limit, contentTypes } = rules
  const essence = essenceOf(contentType)
  if (contentTypes !== undefined && !contentTypes.includes(essence)) {
    return refuse(`the content type ${quoted(essence)} is not accepted`, '/runtime/input_handling/content_types')
  }
  return tooLong(text, limit) ?? { accepted: true, text: rules.stripHtml ? stripHtml(text) : text }
}

/** `text/plain` of `Text/Plain; charset=utf-8`. */
const essenceOf = (contentType: string) => contentType.split(';', 1)[0]!.trim().toLowerCase()

const FORMATS = {
  text: 'text/plain',
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
} as const

type OutputFormat = keyof typeof FORMATS

function handleOutput(limit: Limit | undefined, format: OutputFormat | undefined, text: string): TextDecision {
  const refusal = tooLong(text, limit)
  if (refusal !== undefined) return refusal
  if (format === 'json' && parse(text).document === undefined) {
    return refuse('the output is not JSON', '/runtime/output_handling/format')
  }
  return { accepted: true, text }
}

/** If one of these follows, `<` begins a tag, a comment, or something that a browser treats as one (HTML 13.2.5.6). */
const OPENS = /[A-Za-z/!?]/

/**
 * A text without its HTML tags, comments and declarations. The text between them stays, and so does a `<` that opens
 * nothing. The remaining text can never form a tag, not even with text that is appended to it.
 *
 * @example
 * stripHtml('a <b>bold</b> claim: 1 < 2') // 'a bold claim: 1 < 2'
 * stripHtml('<scr<b>ipt>alert(1)') // 'ipt>alert(1)'
 */
export function stripHtml(text: string): string {
  let kept = ''
  // Each pending `<` needs the character that will follow it in the result.
  let waiting = 0
  for (let at = 0; at < text.length; ) {
    if (text[at] === '<') {
      const opens = at + 1 < text.length && OPENS.test(text[at + 1]!)
      if (!opens) waiting++
      at = opens ? endOfTag(text, at) : at + 1
      continue
    }
    const next = text.indexOf('<', at)
    const end = next < 0 ? text.length : next
    if (!OPENS.test(text[at]!)) kept += '<'.repeat(waiting)
    kept += text.slice(at, end)
    waiting = 0
    at = end
  }
  return kept
}

/** The position after the tag that begins at `at`; the end of the text if the tag is not closed, as in a browser. */
function endOfTag(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return behind(text, '-->', at + 2)
  if (text[at + 1] === '!' || text[at + 1] === '?') return behind(text, '>', at)
  for (let i = at + 1; i < text.length; ) {
    const character = text[i++]
    if (character === '>') return i
    if (character !== '=') continue
    while (i < text.length && /\s/.test(text[i]!)) i++
    // Only the value of an attribute is quoted.
    if (text[i] === '"' || text[i] === "'") i = behind(text, text[i]!, i + 1)
  }
  return text.length
}

function behind(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from)
  return at < 0 ? text.length : at + what.length
}
