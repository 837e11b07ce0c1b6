import { nameOf } from '../core/pattern-arguments.ts'
import type { Diagnostic } from '../document/types.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import { elements, isText, member, objectMember, type PlacedObject, textMember } from '../text/members.ts'
import type { Agent } from './agent.ts'
import { readAgent, whyUnreadable } from './read-agent.ts'
import { delayBefore, type ErrorAction, readLastAction, readRetries } from './runtime/errors.ts'
import {
  essenceOf,
  FORMATS,
  handleInput,
  handleOutput,
  limitOf,
  lower,
  type OutputFormat,
  refuse,
  type TextDecision,
} from './runtime/text.ts'

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

/**
 * Reads what the `runtime` of an agent definition requires of its host. A limit that is not a number allows nothing; an
 * absent limit restricts nothing.
 *
 * @example
 * const policy = runtimePolicy('{"runtime": {"tool_invocation": {"retry_policy":
 *   {"max_retries": 3, "backoff_strategy": "exponential", "initial_delay_ms": 500, "max_delay_ms": 1500}}}}')
 * policy.delays() // [500, 1000, 1500]
 * policy.afterFailure(4) // { action: 'abort' }
 *
 * @throws {TypeError} for invalid arguments. An unreadable document does not throw: it accepts nothing, and
 * `diagnostics` has the reason.
 */
export function runtimePolicy(source: Source, { file }: FileOptions = {}): RuntimePolicy {
  const { subject: agent, diagnostics } = readAgent(source, file)
  return agent === undefined ? closed(diagnostics) : policyOf(agent, diagnostics)
}

function policyOf({ runtime, permissions }: Agent, diagnostics: readonly Diagnostic[]): RuntimePolicy {
  const inputRules = readInput(objectMember(runtime, 'input_handling'))
  const output = objectMember(runtime, 'output_handling')
  const outputLimit = limitOf(output, 'max_output_length')
  const wanted = textMember(output, 'format')?.value
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
      streaming: member(output?.value, 'streaming') === true,
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
  const isActive = sanitization !== undefined && member(sanitization.value, 'enabled') !== false
  const types = elements(input, 'content_types', isText).map(({ value }) => essenceOf(value))
  const own = limitOf(input, 'max_input_length')
  return {
    // The length limit is not part of sanitization, so `enabled` does not switch it off.
    limit: lower(own, limitOf(sanitization, 'max_input_length')),
    contentTypes: member(input?.value, 'content_types') === undefined ? undefined : types,
    stripHtml: isActive && member(sanitization.value, 'strip_html') === true,
  }
}

function concurrency(tools: PlacedObject | undefined, limits: PlacedObject | undefined): number {
  if (member(tools?.value, 'parallel') !== true) return 1
  const most = [tools, limits].map((of) => limitOf(of, 'max_concurrent')?.most ?? Number.POSITIVE_INFINITY)
  return Math.max(1, Math.min(...most))
}

/** The timeout; 0 means none, as in many programs. */
function timeout(tools: PlacedObject | undefined): number | undefined {
  const value = member(tools?.value, 'timeout_ms')
  return typeof value === 'number' && value > 0 ? Math.min(value, 0x7fffffff) : undefined
}

function closed(diagnostics: readonly Diagnostic[]): RuntimePolicy {
  const handled = () => refuse(whyUnreadable(diagnostics), '')
  return {
    diagnostics,
    input: { maxLength: 0, contentTypes: [], stripHtml: true },
    output: { maxLength: 0, format: undefined, mediaType: undefined, streaming: false },
    tools: { maxConcurrent: 1, timeoutMs: undefined, maxRetries: 0 },
    checkInput: handled,
    checkOutput: handled,
    delays: () => [],
    afterFailure: () => ({ action: 'abort' }),
  }
}

function expectText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError(`${name}: expected a string, got ${nameOf(value)}`)
}
