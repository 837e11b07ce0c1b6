// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'PVS-101' | 'PVS-102' | 'PVS-103' | 'PVS-104' | 'PVS-105' | 'PVS-106' | 'PVS-107' | 'PVS-108' | 'PVS-109' | 'PVS-110' | 'PVS-111' | 'PVS-150'

const T0 = 'PVS-1'
const T1 = 'warning'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'PVS-101', 'Verdict is not a JSON object', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'PVS-102', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'PVS-103', 'Invalid member type', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'PVS-104', 'Unknown value', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'PVS-105', 'Number out of range', T0)
export const VERDICT_VERSION = /* @__PURE__ */ finding('verdict-version', 'PVS-106', 'Another version', T0)
export const VERDICT_LEGACY = /* @__PURE__ */ finding('verdict-legacy', 'PVS-107', 'Verdict without a decision', T0)
export const VERDICT_REVISE = /* @__PURE__ */ finding('verdict-revise', 'PVS-108', 'Decision of a later version', T0)
export const VERDICT_CONSISTENCY = /* @__PURE__ */ finding('verdict-consistency', 'PVS-109', 'Decision and approval contradict each other', T0)
export const VERDICT_CONFIDENCE = /* @__PURE__ */ finding('verdict-confidence', 'PVS-110', 'Uncertain verdict that was not escalated', T0, T1, { spec: 'info' })
export const VERDICT_REASONING = /* @__PURE__ */ finding('verdict-reasoning', 'PVS-111', 'Verdict without a reason', T0, T1)
export const VERDICT_ESCALATED = /* @__PURE__ */ finding('verdict-escalated', 'PVS-150', 'Refusal without violations, escalated', T0, T1)

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, ENUM_VALUE, NUMBER_RANGE, VERDICT_VERSION, VERDICT_LEGACY, VERDICT_REVISE, VERDICT_CONSISTENCY, VERDICT_CONFIDENCE, VERDICT_REASONING]

export const names = (): readonly string[] => [...namesOf(ALL), ...'verdict-escalated PVS-150'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A verdict is one JSON object. Anything else has no decision to read.', bad: '[]', good: '{"version": "pvs-1", "decision": "allow", "approved": true, "reasoning": "No violation", "policy_violations": [], "confidence_score": 0.97}' },
  { ...MISSING_MEMBER, why: 'Programs act on a verdict without asking anybody. Each of the six members can change what they do.', bad: '{"version": "pvs-1", "decision": "deny", "approved": false}', good: '{"version": "pvs-1", "decision": "deny", "approved": false, "reasoning": "The draft has an SSN.", "policy_violations": ["No PII"], "confidence_score": 0.98}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"approved": "false"}', good: '{"approved": false}' },
  { ...ENUM_VALUE, why: 'A program that does not know a decision cannot act on it.', bad: '{"decision": "maybe"}', good: '{"decision": "escalate"}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake.', bad: '{"confidence_score": 98}', good: '{"confidence_score": 0.98}' },
  { ...VERDICT_VERSION, why: 'The version says which rules apply to all other members. PVS-2 was never accepted, and has no member approved. Blazon knows the rules of pvs-1.', bad: '{"version": "pvs-2"}', good: '{"version": "pvs-1"}' },
  { ...VERDICT_LEGACY, why: 'The first version of PVS-1 had no decision, and the examples of ADP-1 still have none. A program that expects one would not know what to do.', bad: '{"version": "pvs-1", "approved": false, "reasoning": "The draft has an SSN.", "policy_violations": ["No PII"], "confidence_score": 0.98}', good: '{"version": "pvs-1", "decision": "deny", "approved": false, "reasoning": "The draft has an SSN.", "policy_violations": ["No PII"], "confidence_score": 0.98}' },
  { ...VERDICT_REVISE, why: 'The decision revise comes from the proposed PVS-2. PVS-1 has nothing that says the same, and readers of it refuse the word.', bad: '{"decision": "revise"}', good: '{"decision": "escalate"}' },
  { ...VERDICT_CONSISTENCY, why: 'Old programs read approved, new ones decision. Unless both say the same, one of them lets through what the other stops. Only a verdict that allows is approved, and it has no violations.', bad: '{"decision": "deny", "approved": true}', good: '{"decision": "deny", "approved": false}' },
  { ...VERDICT_CONFIDENCE, why: 'A verdict with a confidence below 0.9 should go to a human.', bad: '{"decision": "allow", "confidence_score": 0.6}', good: '{"decision": "escalate", "confidence_score": 0.6}' },
  { ...VERDICT_REASONING, why: 'A later reader has nothing else to understand it by.', bad: '{"reasoning": ""}', good: '{"reasoning": "The draft has an SSN."}' },
  { ...VERDICT_ESCALATED, why: 'The first version of PVS-1 does not say what a refusal without violations means. A human decides.', bad: '{"version": "pvs-1", "approved": false, "reasoning": "?", "policy_violations": [], "confidence_score": 0.5}', good: '{"version": "pvs-1", "decision": "escalate", "approved": false, "reasoning": "?", "policy_violations": [], "confidence_score": 0.5}' },
]
