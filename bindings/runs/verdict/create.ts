import { expectOne } from '../../frame/rule-settings.ts'
import type { JsonObject } from '../../text/members.ts'
import { CONTENT_DIGEST, digestOf } from '../record/subject.ts'
import { contradictionIn, DECISIONS, type Decision } from './specification.ts'

export declare namespace createVerdict {
  interface Parts {
    readonly decision: Decision
    readonly reasoning: string
    /** From 0 to 1. Below 0.9, the decision should be escalate. */
    readonly confidence: number
    /** Default: none. A verdict that allows must not have any. */
    readonly violations?: readonly string[]
    /** The policies that were checked. */
    readonly policies?: readonly string[]
    /** `engine`, `latency_ms` and others. */
    readonly metadata?: JsonObject
  }
}

/**
 * Creates a verdict. Whether it is approved follows from its decision.
 *
 * @example
 * createVerdict({ decision: 'allow', reasoning: 'No violation', confidence: 0.97 }).approved // true
 *
 * @throws {RangeError} for an unknown decision, a confidence outside 0 to 1, and violations in a verdict that allows.
 */
export function createVerdict(parts: createVerdict.Parts): JsonObject {
  const { decision, reasoning, confidence, violations = [], policies, metadata } = parts
  expectOne('decision', DECISIONS, decision)
  if (typeof reasoning !== 'string') throw new TypeError('reasoning: expected a string')
  if (!(confidence >= 0 && confidence <= 1))
    throw new RangeError(`confidence: expected a number from 0 to 1, got ${String(confidence)}`)
  const verdict = {
    version: 'pvs-1',
    decision,
    approved: decision === 'allow',
    reasoning,
    policy_violations: [...violations],
    confidence_score: confidence,
    ...(policies !== undefined && { policy_set: [...policies] }),
    ...(metadata !== undefined && { metadata }),
  }
  if (contradictionIn(verdict) !== undefined)
    throw new RangeError('violations: expected none for a verdict that allows')
  return verdict
}

export declare namespace verdictStep {
  interface Options {
    readonly index: number
    /** When the policy was checked. */
    readonly at: Date
    readonly parent?: number
    readonly policies?: readonly string[]
    /** The name of the engine; default: the one that the verdict names. */
    readonly engine?: string
  }
}

/**
 * The step of a run record that holds a verdict (ADP-1 section 5). A digest binds the verdict to the draft.
 *
 * @example
 * verdictStep(verdict, 'Dear customer', { index: 3, at: new Date(), policies: ['No PII'] })
 */
export function verdictStep(verdict: JsonObject, draft: unknown, options: verdictStep.Options): JsonObject {
  const { index, at, parent, policies = (verdict['policy_set'] as readonly string[] | undefined) ?? [] } = options
  const engine = options.engine ?? (verdict['metadata'] as JsonObject | undefined)?.['engine']
  return {
    index,
    ...(parent !== undefined && { parent_step_index: parent }),
    timestamp: at.toISOString(),
    action: { type: 'tool_call', name: 'policy_judge', input: { draft_output: draft, policies } },
    observation: { type: 'tool_result', output: verdict },
    metadata: {
      kind: 'policy_verdict',
      ...(engine !== undefined && { policy_engine: engine }),
      [CONTENT_DIGEST]: digestOf(draft),
    },
  }
}
