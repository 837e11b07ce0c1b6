// What a runtime asks of an agent definition: the values of its tools, and how to handle texts and failures.
import { readAs } from '../frame/as.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import { type RuntimePolicy, runtimePolicyOf } from '../policy/runtime-policy.ts'
import { type ToolOptions, type ToolSchemas, toolSchemas } from '../policy/tool-values.ts'
import { ADL_READING } from './subject.ts'

/**
 * Compiles the `parameters` and `returns` of all tools, to check the values that are passed to them and returned from
 * them (ADL 18.12). A value is checked in its JSON form. A tool without `parameters` accepts any object; one without
 * `returns` may return anything or nothing. Values that cannot be checked do not pass.
 *
 * @example
 * const tools = compileTools('{"tools": [{"name": "add", "parameters": {"properties": {"a": {"type": "number"}}}}]}')
 * tools.checkInput('add', { a: 1 }).valid // true
 * tools.checkInput('add', { a: '1' }).findings[0]
 * // { pointer: '/a', keyword: 'type', message: 'expected number, found string',
 * //   decidedBy: '/tools/0/parameters/properties/a/type' }
 *
 * @throws {TypeError} or {RangeError} for invalid arguments. Documents and values never throw: they give findings.
 */
export function compileTools(source: Source, options: ToolOptions = {}): ToolSchemas {
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, options.file)
  return toolSchemas(agent?.tools, diagnostics, options)
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
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  return runtimePolicyOf(agent, diagnostics)
}
