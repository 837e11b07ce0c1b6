// Calls tools within the limits of an agent, and checks what goes in and what comes out.
import { type CallFault, type ToolOutcome, toolContract } from '../../agentlang/functions/tools/contract.ts'
import { deadline } from '../../net/deadline.ts'
import { isText, type JsonObject } from '../../text/members.ts'
import { cut } from '../../text/words.ts'
import type { CallContext, RunTool, ToolDefinition } from './model.ts'

/** In UTF-16 units, as JSON. */
const LARGEST_RESULT = 1 << 20
const MOST_FAULTS = 10

export const failed = (message: string): ToolOutcome => ({ kind: 'execution_error', message })

/** How a model sees a tool that an agent or a server describes. */
export function definitionOf(
  name: string,
  { description, output_schema }: { readonly description?: unknown; readonly output_schema?: unknown },
  input_schema: JsonObject,
): ToolDefinition {
  return {
    name,
    ...(isText(description) && { description }),
    input_schema,
    ...(output_schema !== undefined && { output_schema }),
  }
}

/** Calls a tool. A tool that throws, takes too long, or gives too much fails; the reason reaches the model. */
export async function callTool(tool: RunTool, input: JsonObject, context: CallContext): Promise<ToolOutcome> {
  const contract = toolContract({ ...tool.definition })
  const faults = contract.checkArguments(input)
  if (faults.length > 0) return { kind: 'validation_error', faults }
  const seconds = tool.timesItself ? undefined : context.limits.max_exec_time
  const outcome = await within(seconds, context.signal, (signal) => tool.call(input, { ...context, signal }))
  if (outcome.kind !== 'ok') return outcome
  const size = JSON.stringify(outcome.value ?? null).length
  if (size > LARGEST_RESULT) return invalid('limit', `the result is larger than ${LARGEST_RESULT} characters`)
  return contract.checkResult({ output: outcome.value })
}

const invalid = (keyword: string, message: string): ToolOutcome => {
  return { kind: 'validation_error', faults: [{ pointer: '', keyword, message }] }
}

/** Does not wait for a tool that ignores its signal. */
async function within(
  seconds: number | undefined,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const late = deadline((seconds ?? Number.POSITIVE_INFINITY) * 1000, outer)
  try {
    return await Promise.race([
      work(late.signal),
      aborted(late.signal).then(() =>
        failed(late.isOver() ? `no result within ${seconds} s` : 'the call was cancelled'),
      ),
    ])
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  } finally {
    late.end()
  }
}

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** What the record has of an outcome, and what the model reads of it. */
export function described(outcome: ToolOutcome): { readonly output: unknown } | { readonly error: string } {
  if (outcome.kind === 'ok') return { output: outcome.value ?? null }
  if (outcome.kind === 'execution_error') return { error: `execution_error: ${cut(outcome.message, 10_000)}` }
  const faults = outcome.faults.slice(0, MOST_FAULTS).map(faultText)
  return { error: `validation_error: ${cut(faults.join('; '), 10_000)}` }
}

const faultText = ({ pointer, keyword, message }: CallFault) => `${pointer || 'value'}: ${message} (${keyword})`
