// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'WK-170' | 'WK-171' | 'WK-172' | 'WK-173' | 'WK-174' | 'WK-175' | 'WK-176' | 'WK-177' | 'WK-178' | 'WK-179' | 'WK-180' | 'WK-186' | 'WK-181' | 'WK-182' | 'WK-183'

const T0 = 'docs/guide/discovery.md'
export const TRACE_ROOT = /* @__PURE__ */ finding('trace-root', 'WK-170', 'Trace is not a JSON object', T0)
export const TRACE_VERSION = /* @__PURE__ */ finding('trace-version', 'WK-171', 'Trace of another version', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'WK-172', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'WK-173', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'WK-174', 'Empty value', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'WK-175', 'Number out of range', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'WK-176', 'Unknown value', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'WK-177', 'Invalid time', T0)
export const TRACE_DOMAIN = /* @__PURE__ */ finding('trace-domain', 'WK-178', 'Invalid domain', T0)
export const TRACE_STEP = /* @__PURE__ */ finding('trace-step', 'WK-179', 'Incomplete step', T0)
export const TRACE_BYTES = /* @__PURE__ */ finding('trace-bytes', 'WK-180', 'Invalid base64', T0)
export const TRACE_INVITATION = /* @__PURE__ */ finding('trace-invitation', 'WK-186', 'Incomplete invitation', T0)
export const TRACE_RECORDER = /* @__PURE__ */ finding('trace-recorder', 'WK-181', 'Depends on the recorder', T0, 'warning')
export const TRACE_UNUSABLE = /* @__PURE__ */ finding('trace-unusable', 'WK-182', 'Trace that cannot be judged', T0)
export const TRACE_OTHER_AGENT = /* @__PURE__ */ finding('trace-other-agent', 'WK-183', 'Another agent', T0)

export const ALL: readonly FindingKind[] = [TRACE_ROOT, TRACE_VERSION, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, NUMBER_RANGE, ENUM_VALUE, VALUE_PATTERN, TRACE_DOMAIN, TRACE_STEP, TRACE_BYTES, TRACE_INVITATION]

export const names = (): readonly string[] => [...namesOf(ALL), ...'trace-recorder WK-181 trace-unusable WK-182 trace-other-agent WK-183'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...TRACE_ROOT, why: 'A trace is one JSON object. Anything else has no members to read.', bad: '[]', good: '{"trace": "blazon/discovery/1"}' },
  { ...TRACE_VERSION, why: 'This member says how to read all others.', bad: '{"trace": "blazon/discovery/2"}', good: '{"trace": "blazon/discovery/1"}' },
  { ...MISSING_MEMBER, why: 'Without it, the discovery cannot be replayed.', bad: '{"domain": null}', good: '{"domain": "alice.example.com"}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"private": "yes"}', good: '{"private": true}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"domain": ""}', good: '{"domain": "alice.example.com"}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake.', bad: '{"lot": 2}', good: '{"lot": 0.5}' },
  { ...ENUM_VALUE, why: 'Only the listed values have a meaning.', bad: '{"need": "everything"}', good: '{"need": "metadata"}' },
  { ...VALUE_PATTERN, why: 'DNS signatures have a limited validity, so nothing can be judged without the time.', bad: '{"at": "yesterday"}', good: '{"at": "2026-11-23T10:00:00Z"}' },
  { ...TRACE_DOMAIN, why: 'The domain is what was asked about. It must be a full name in lowercase ASCII.', bad: '{"domain": "https://alice.example.com/"}', good: '{"domain": "alice.example.com"}' },
  { ...TRACE_STEP, why: 'A step has a question and its answer, or the reason for no answer. It has a name and type with an answer, or a URL with a body.', bad: '{"steps": [{"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder", "name": "alice.example.com"}]}', good: '{"steps": [{"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder", "name": "alice.example.com", "type": 64, "answer": "AAAB"}]}' },
  { ...TRACE_BYTES, why: 'Messages, bodies and certificates are base64 with padding. Unreadable bytes prove nothing.', bad: '{"steps": [{"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder", "name": "alice.example.com", "type": 64, "answer": "?"}]}', good: '{"steps": [{"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder", "name": "alice.example.com", "type": 64, "answer": "AAAB"}]}' },
  { ...TRACE_INVITATION, why: 'The invitation replaced the DNS. Without agent, address, key and end, nothing can be judged. Its code is a secret and does not belong in a trace.', bad: '{"invitation": {"agent": "agent:alice.example.com"}}', good: '{"invitation": {"agent": "agent:alice.example.com", "wellKnown": "https://alice.example.com/.well-known/agent.json", "pubkey": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "expires": "2026-12-31T00:00:00Z"}}' },
  { ...TRACE_RECORDER, why: 'Anyone can verify the signatures of the DNS and of the metadata. Only the recorder vouches for the server\'s answers, its TLS and the time.', bad: 'a trace from someone who profits from it', good: 'a trace that was recorded here' },
  { ...TRACE_UNUSABLE, why: 'The trace has errors, and guesses prove nothing. blazon validate lists the errors.', bad: '{"trace": "blazon/discovery/1"}', good: 'a trace as discover writes it' },
  { ...TRACE_OTHER_AGENT, why: 'The trace is about another agent, or shows another key, than expected.', bad: 'asked for agent:alice.example.com, found a trace of agent:bank.example', good: 'the agent that was asked for' },
]
