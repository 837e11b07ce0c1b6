// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'AL-250' | 'AL-251' | 'AL-252' | 'AL-253' | 'AL-254' | 'AL-255' | 'AL-256' | 'AL-257' | 'AL-258' | 'AL-259' | 'AL-260' | 'AL-261' | 'AL-262'

const T0 = 'AgentLang, Events'
const T1 = 'warning'
const T2 = 'info'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'AL-250', 'Events are not a mapping', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'AL-251', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'AL-252', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'AL-253', 'Empty value', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'AL-254', 'Malformed time', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'AL-255', 'Number out of range', T0)
export const DUPLICATE_CALL = /* @__PURE__ */ finding('duplicate-call', 'AL-256', 'Two calls or two results with one id', T0)
export const MISSING_CALL = /* @__PURE__ */ finding('missing-call', 'AL-257', 'Result without a call', T0, T1)
export const MISSING_RESULT = /* @__PURE__ */ finding('missing-result', 'AL-258', 'Call without a result', T0, T2)
export const EVENT_ORDER = /* @__PURE__ */ finding('event-order', 'AL-259', 'Event earlier than the one before it', T0, T1)
export const MISSING_OUTCOME = /* @__PURE__ */ finding('missing-outcome', 'AL-260', 'Result with neither output nor error', T0)
export const DELEGATION_DEPTH = /* @__PURE__ */ finding('delegation-depth', 'AL-261', 'Chain of delegations deeper than the default', 'AgentLang, Execution Constraints', T1)
export const UNKNOWN_TYPE = /* @__PURE__ */ finding('unknown-type', 'AL-262', 'Event of another type', T0, T2)

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, VALUE_PATTERN, NUMBER_RANGE, DUPLICATE_CALL, MISSING_CALL, MISSING_RESULT, EVENT_ORDER, MISSING_OUTCOME, DELEGATION_DEPTH, UNKNOWN_TYPE]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A log of events is a mapping with the list `events`.', bad: '[]', good: '{"events": []}' },
  { ...MISSING_MEMBER, why: 'Viewers show an event by its key fields. An event without one cannot be placed.', bad: '{"events": [{"type": "tool.result", "timestamp": "2025-01-29T10:00:03Z", "output": {}}]}', good: '{"events": [{"type": "agent.think", "timestamp": "2025-01-29T10:00:00Z", "agent_id": "researcher", "content": "Search first."}]}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"events": {}}', good: '{"events": []}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"events": [{"type": "", "timestamp": "2025-01-29T10:00:00Z"}]}', good: '{"events": [{"type": "agent.delegate", "timestamp": "2025-01-29T10:00:00Z", "from": "orchestrator", "to": "researcher", "task": "Search"}]}' },
  { ...VALUE_PATTERN, why: 'Viewers sort events by their times. A time without a zone has no place among others.', bad: '{"events": [{"type": "agent.delegate", "timestamp": "10:00", "from": "orchestrator", "to": "researcher", "task": "Search"}]}', good: '{"events": [{"type": "agent.delegate", "timestamp": "2025-01-29T10:00:00Z", "from": "orchestrator", "to": "researcher", "task": "Search"}]}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake.', bad: '{"events": [{"type": "context.compact", "timestamp": "2025-01-29T10:00:03Z", "strategy": "summarize", "tokens_before": 9000, "tokens_after": -1}]}', good: '{"events": [{"type": "context.compact", "timestamp": "2025-01-29T10:00:03Z", "strategy": "summarize", "tokens_before": 9000, "tokens_after": 0}]}' },
  { ...DUPLICATE_CALL, why: 'A result names only the id of its call. With two of them, nobody can tell which call it belongs to.', bad: 'two events of type tool.call with the call_id abc123', good: 'an id of its own for each call' },
  { ...MISSING_CALL, why: 'A result does not name its tool or agent; the event tool.call does. The log may begin after the call.', bad: 'an event tool.result whose call_id no tool.call has', good: 'an event tool.call with the same call_id before it' },
  { ...MISSING_RESULT, why: 'The call did not end, or the log ends before it did.', bad: 'an event tool.call whose call_id no tool.result has', good: 'an event tool.result with the same call_id after it' },
  { ...EVENT_ORDER, why: 'A replay shows events in the order of the list. It would show this one after something that it caused.', bad: 'an event at 10:00:05 before one at 10:00:01', good: 'events in the order of their times' },
  { ...MISSING_OUTCOME, why: 'The event does not tell whether the tool succeeded.', bad: 'an event tool.result with call_id and duration_ms only', good: 'an event tool.result with output, or with error' },
  { ...DELEGATION_DEPTH, why: 'Without another limit, a chain may have three delegations. Longer ones often go in circles, and each one costs money.', bad: 'a delegates to b, b to c, c to d, d to e', good: 'a delegates to b, c and d' },
  { ...UNKNOWN_TYPE, why: 'AgentLang has six types. Viewers may skip others; Blazon keeps them.', bad: '{"events": [{"type": "runtime.start", "timestamp": "2025-01-29T10:00:00Z"}]}', good: '{"events": [{"type": "agent.think", "timestamp": "2025-01-29T10:00:00Z", "agent_id": "researcher", "content": "Search first."}]}' },
]
