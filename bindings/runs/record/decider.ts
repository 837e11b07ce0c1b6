// Decisions by a definition that was read, each as a verdict (ADP-1 section 5, PVS-1).
import { policyOfAgent } from '../../adl/agent-policy.ts'
import { ADL_READING } from '../../adl/subject.ts'
import type { ParseResult } from '../../document/parse.ts'
import { subjectOf } from '../../frame/subject.ts'
import { checkOptions, type Decision, type PolicyOptions } from '../../policy/policy.ts'
import type { PermissionRequest } from '../../policy/request.ts'
import { type JsonObject, valueAt } from '../../text/members.ts'
import { createVerdict } from '../verdict/create.ts'
import { digestOf } from './subject.ts'
import { masked } from './words.ts'

export interface GuardedDecision extends Decision {
  /** `escalate` if the definition grants the request once a person has confirmed it. */
  readonly outcome: createVerdict.Parts['decision']
}

/** Decides by a definition; each verdict names the rule that decided, and its digest. */
export function decider(read: ParseResult, options: PolicyOptions) {
  const { document } = read
  const policy = policyOfAgent(subjectOf(ADL_READING, read), checkOptions(options))
  const about = document === undefined ? {} : { 'adl.document': digestOf(document.value) }
  const ruleAt = (pointer: string | undefined) =>
    pointer === undefined || document === undefined
      ? {}
      : { 'adl.pointer': pointer, 'adl.rule': digestOf(valueAt(document.value, pointer) ?? null) }
  return {
    decide(request: PermissionRequest): { readonly decision: GuardedDecision; readonly verdict: JsonObject } {
      const decision = policy.decide(request)
      const { allowed, decidedBy } = decision
      // A reason quotes the beginning of a long command, which can end within a credential.
      const reason = masked(decision.reason)
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
      return { decision: { ...decision, outcome, reason }, verdict }
    },
  }
}
