// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'RUN-401' | 'RUN-402' | 'RUN-403' | 'RUN-404' | 'RUN-405'

const T0 = 'ADP-1 section 7.1'
export const AUDIT_UNRECORDED = /* @__PURE__ */ finding('audit/unrecorded', 'RUN-401', 'Call that the record does not have', T0)
export const AUDIT_UNSEEN = /* @__PURE__ */ finding('audit/unseen', 'RUN-402', 'Call that only the record has', T0, 'warning')
export const AUDIT_INPUT = /* @__PURE__ */ finding('audit/input', 'RUN-403', 'Call with two inputs', T0)
export const AUDIT_MISSING_RUN = /* @__PURE__ */ finding('audit/missing-run', 'RUN-404', 'Run without a record', T0)
export const AUDIT_FORK = /* @__PURE__ */ finding('audit/fork', 'RUN-405', 'Two versions of one run', T0)

export const ALL: readonly FindingKind[] = [AUDIT_UNRECORDED, AUDIT_UNSEEN, AUDIT_INPUT, AUDIT_MISSING_RUN, AUDIT_FORK]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...AUDIT_UNRECORDED, why: 'Another witness saw the call. It went past the recorder, or somebody took it out of the record.', bad: 'a session with the calls a and b, and a record with a', good: 'the same calls on both sides' },
  { ...AUDIT_UNSEEN, why: 'The other witness may see less than the recorder. If it should see everything, the record has a call that did not happen.', bad: 'a record with the calls a and b, and a session with a', good: 'the same calls on both sides' },
  { ...AUDIT_INPUT, why: 'Both witnesses name the call, and do not agree on what it was asked to do. One of them was changed.', bad: 'the call a with {"command": "ls"} on one side, and {"command": "rm"} on the other', good: 'the same input on both sides' },
  { ...AUDIT_MISSING_RUN, why: 'Every run must have a record. Nothing in the streams belongs to this one.', bad: 'a trace of a run whose stream was deleted', good: 'a stream for each run' },
  { ...AUDIT_FORK, why: 'Both copies have the same run id and do not say the same. The holder of the signing key can show different streams to different readers.', bad: 'one copy whose run succeeded, and one whose run failed', good: 'the same outputs, steps and end in both copies' },
]
