// Asks before an agent acts, and records each answer as a verdict (ADP-1 section 5, PVS-1).
import { ADL_READING } from '../../adl/subject.ts'
import { parseAs } from '../../frame/as.ts'
import type { Source } from '../../frame/source.ts'
import { checkOptions, type PolicyOptions } from '../../policy/policy.ts'
import type { PermissionRequest } from '../../policy/request.ts'
import type { JsonObject } from '../../text/members.ts'
import { createVerdict } from '../verdict/create.ts'
import { decider, type GuardedDecision } from './decider.ts'
import type { Recorder } from './recorder.ts'

export declare namespace guard {
  interface Options extends PolicyOptions {
    /** The definition of the agent. */
    readonly document: Source
    readonly recorder: Recorder
    /** Judges a draft of the agent by other policies. */
    readonly judge?: (draft: unknown) => createVerdict.Parts | Promise<createVerdict.Parts>
  }

  interface Result {
    /** Decides by the definition, and records the verdict. Throws for an invalid request, as `decide` does. */
    decide(request: PermissionRequest): Promise<GuardedDecision>
    /** Asks the judge, and records its verdict. A judge that fails escalates. */
    judge(draft: unknown): Promise<JsonObject>
  }
}

/**
 * A guard for an agent whose run is recorded.
 *
 * @example
 * const { decide } = guard({ document: 'definition as text', recorder })
 * const { outcome } = await decide({ domain: 'network', host: 'api.example.com', port: 443 })
 *
 * @throws {TypeError} for wrong arguments. An unreadable definition permits nothing.
 */
export function guard({ document, recorder, judge, ...options }: guard.Options): guard.Result {
  const { file } = checkOptions(options)
  const { decide } = decider(parseAs(ADL_READING, document, { file }), options)
  return {
    async decide(request) {
      const { decision, verdict } = decide(request)
      await recorder.verdict(verdict, request)
      return decision
    },
    async judge(draft) {
      if (judge === undefined) throw new TypeError('judge: the guard has none')
      const verdict = await answerOf(async () => createVerdict(await judge(draft)))
      await recorder.verdict(verdict, draft)
      return verdict
    },
  }
}

async function answerOf(ask: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await ask()
  } catch (error) {
    const reasoning = `The judge failed: ${String(error).slice(0, 1000)}`
    return createVerdict({ decision: 'escalate', reasoning, confidence: 0 })
  }
}

/**
 * A function whose calls are recorded: the arguments before it runs, the result or the error after it.
 *
 * @example
 * const search = recordTool(recorder, 'search', (query: string) => index.find(query))
 */
export function recordTool<Arguments extends unknown[], Result>(
  recorder: Recorder,
  name: string,
  tool: (...args: Arguments) => Result | Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  return async (...args) => {
    const step = await recorder.begin({ type: 'tool_call', name, input: args.length === 1 ? args[0] : args })
    let output: Result
    try {
      output = await tool(...args)
    } catch (error) {
      await recorder.end(step, { type: 'error', error })
      throw error
    }
    await recorder.end(step, { type: 'tool_result', output })
    return output
  }
}
