// Asks before an agent acts, and records each answer as a verdict (ADP-1 section 5, PVS-1).
import { compile } from '../../adl/policy.ts'
import { ADL_READING } from '../../adl/subject.ts'
import { parseAs } from '../../frame/as.ts'
import type { Source } from '../../frame/source.ts'
import type { Decision, PolicyOptions } from '../../policy/policy.ts'
import type { PermissionRequest } from '../../policy/request.ts'
import { type JsonObject, valueAt } from '../../text/members.ts'
import { createVerdict } from '../verdict/create.ts'
import type { Recorder } from './recorder.ts'
import { digestOf } from './subject.ts'

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

export interface GuardedDecision extends Decision {
  /** `escalate` if the definition grants the request once a person has confirmed it. */
  readonly outcome: createVerdict.Parts['decision']
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
  const { decide } = decider(document, options)
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

/** Decides by a definition; each verdict names the rule that decided, and its digest. */
export function decider(source: Source, options: PolicyOptions) {
  const { document } = parseAs(ADL_READING, source, options.file === undefined ? {} : { file: options.file })
  const policy = compile(document ?? source, options)
  const about = document === undefined ? {} : { 'adl.document': digestOf(document.value) }
  const ruleAt = (pointer: string | undefined) =>
    pointer === undefined || document === undefined
      ? {}
      : { 'adl.pointer': pointer, 'adl.rule': digestOf(valueAt(document.value, pointer) ?? null) }
  return {
    decide(request: PermissionRequest): { readonly decision: GuardedDecision; readonly verdict: JsonObject } {
      const decision = policy.decide(request)
      const { allowed, reason, decidedBy } = decision
      const needsPerson = decidedBy?.endsWith('/requires_confirmation') === true
      const outcome = allowed ? 'allow' : needsPerson ? 'escalate' : 'deny'
      const verdict = createVerdict({
        decision: outcome,
        reasoning: reason,
        confidence: 1,
        violations: outcome === 'deny' ? [decidedBy ?? reason] : [],
        policies: ['ADL 0.1'],
        metadata: { engine: 'blazon', ...about, ...ruleAt(decidedBy) },
      })
      return { decision: { ...decision, outcome }, verdict }
    },
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
