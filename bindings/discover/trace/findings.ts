// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'WK-170' | 'WK-171' | 'WK-172' | 'WK-173' | 'WK-174' | 'WK-175' | 'WK-176' | 'WK-177' | 'WK-178' | 'WK-179' | 'WK-180' | 'WK-186' | 'WK-181' | 'WK-182' | 'WK-183'

const T0 = 'docs/guide/discovery.md'
export const TRACE_ROOT = /* @__PURE__ */ finding('trace-root', 'WK-170', 'Trace that is no JSON object', T0)
export const TRACE_VERSION = /* @__PURE__ */ finding('trace-version', 'WK-171', 'Trace of another version', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'WK-172', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'WK-173', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'WK-174', 'Empty value', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'WK-175', 'Number out of range', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'WK-176', 'Unknown value', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'WK-177', 'Time that is none', T0)
export const TRACE_DOMAIN = /* @__PURE__ */ finding('trace-domain', 'WK-178', 'Domain that is none', T0)
export const TRACE_STEP = /* @__PURE__ */ finding('trace-step', 'WK-179', 'Step that says too little', T0)
export const TRACE_BYTES = /* @__PURE__ */ finding('trace-bytes', 'WK-180', 'Bytes that are none', T0)
export const TRACE_INVITATION = /* @__PURE__ */ finding('trace-invitation', 'WK-186', 'Invitation that says too little', T0)
export const TRACE_RECORDER = /* @__PURE__ */ finding('trace-recorder', 'WK-181', 'The recorder’s word', T0, 'warning')
export const TRACE_UNUSABLE = /* @__PURE__ */ finding('trace-unusable', 'WK-182', 'Trace that cannot be judged', T0)
export const TRACE_OTHER_AGENT = /* @__PURE__ */ finding('trace-other-agent', 'WK-183', 'Another agent', T0)

export const ALL: readonly FindingKind[] = [TRACE_ROOT, TRACE_VERSION, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, NUMBER_RANGE, ENUM_VALUE, VALUE_PATTERN, TRACE_DOMAIN, TRACE_STEP, TRACE_BYTES, TRACE_INVITATION]

export const names = (): readonly string[] => [...namesOf(ALL), ...'trace-recorder WK-181 trace-unusable WK-182 trace-other-agent WK-183'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...TRACE_ROOT, why: 'A trace is one JSON object: nothing else has members to read.', bad: '[]', good: '{"trace": "blazon/discovery/1"}' },
  { ...TRACE_VERSION, why: 'The member says how all others are to be read.', bad: '{"trace": "blazon/discovery/2"}', good: '{"trace": "blazon/discovery/1"}' },
  { ...MISSING_MEMBER, why: 'Without it the discovery cannot be judged again.', bad: '{"domain": null}', good: '{"domain": "alice.example.com"}' },
  { ...MEMBER_TYPE, why: 'A value of another type is ignored by some programs and crashes others.', bad: '{"private": "yes"}', good: '{"private": true}' },
  { ...EMPTY_VALUE, why: 'The member is there to say something; empty it says nothing.', bad: '{"domain": ""}', good: '{"domain": "alice.example.com"}' },
  { ...NUMBER_RANGE, why: 'A number outside of its range cannot be what is meant.', bad: '{"lot": 2}', good: '{"lot": 0.5}' },
  { ...ENUM_VALUE, why: 'Only these values have a meaning.', bad: '{"need": "everything"}', good: '{"need": "metadata"}' },
  { ...VALUE_PATTERN, why: 'Signatures of the DNS hold for a time: without the moment nothing can be judged.', bad: '{"at": "yesterday"}', good: '{"at": "2026-11-23T10:00:00Z"}' },
  { ...TRACE_DOMAIN, why: 'It is what was asked about: a whole name in ASCII and lower case.', bad: '{"domain": "https://alice.example.com/"}', good: '{"domain": "alice.example.com"}' },
  { ...TRACE_STEP, why: 'A step has what was asked, and what was answered or why not: name and type with an answer, or a URL with a body.', bad: '{"steps": [{"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder", "name": "alice.example.com"}]}', good: '{"steps": [{"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder", "name": "alice.example.com", "type": 64, "answer": "AAAB"}]}' },
  { ...TRACE_BYTES, why: 'Messages, bodies and certificates stand in base64 with padding: what cannot be read proves nothing.', bad: '{"steps": [{"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder", "name": "alice.example.com", "type": 64, "answer": "?"}]}', good: '{"steps": [{"kind": "dns", "after": 0, "took": 1, "section": "ADP/1.1 section 4.1", "by": "recorder", "name": "alice.example.com", "type": 64, "answer": "AAAB"}]}' },
  { ...TRACE_INVITATION, why: 'It stood in for the DNS: without agent, address, key and end nothing can be judged. Its code is a secret, and does not belong here.', bad: '{"invitation": {"agent": "agent:alice.example.com"}}', good: '{"invitation": {"agent": "agent:alice.example.com", "wellKnown": "https://alice.example.com/.well-known/agent.json", "pubkey": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "expires": "2026-12-31T00:00:00Z"}}' },
  { ...TRACE_RECORDER, why: 'Signatures of the DNS and of the metadata can be checked by anybody. That a server answered so, over which TLS and when, only the recorder says.', bad: 'a trace from somebody who gains by it', good: 'a trace that was recorded here' },
  { ...TRACE_UNUSABLE, why: 'It has errors, and what is guessed proves nothing: blazon validate lists them.', bad: '{"trace": "blazon/discovery/1"}', good: 'a trace as discover writes it' },
  { ...TRACE_OTHER_AGENT, why: 'The trace is of another agent, or shows another key, than what was expected.', bad: 'asked for agent:alice.example.com, found a trace of agent:bank.example', good: 'the agent that was asked for' },
]
