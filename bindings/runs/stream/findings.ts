// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'RUN-201' | 'RUN-202' | 'RUN-203' | 'RUN-204' | 'RUN-205' | 'RUN-206' | 'RUN-207' | 'RUN-208' | 'RUN-209' | 'RUN-210' | 'RUN-211' | 'RUN-212' | 'RUN-213' | 'RUN-214' | 'RUN-215' | 'RUN-216' | 'RUN-217' | 'RUN-218' | 'RUN-230' | 'RUN-231'

const T0 = 'docs/guide/runs.md'
const T1 = 'warning'
export const STREAM_LINE = /* @__PURE__ */ finding('stream/line', 'RUN-201', 'Line that is not canonical', T0)
export const STREAM_ORDER = /* @__PURE__ */ finding('stream/order', 'RUN-202', 'Line in the wrong place', T0)
export const STREAM_STEP = /* @__PURE__ */ finding('stream/step', 'RUN-203', 'Step that the stream has already', T0)
export const STREAM_END = /* @__PURE__ */ finding('stream/end', 'RUN-204', 'Stream without an end', T0, T1)
export const STREAM_INTENT = /* @__PURE__ */ finding('stream/intent', 'RUN-205', 'Step that began and did not end', T0, T1)
export const STREAM_ROOT = /* @__PURE__ */ finding('stream/root', 'RUN-206', 'Checkpoint of other lines', T0)
export const STREAM_SIGNATURE = /* @__PURE__ */ finding('stream/signature', 'RUN-207', 'Checkpoint without a valid signature', T0)
export const STREAM_UNCOVERED = /* @__PURE__ */ finding('stream/uncovered', 'RUN-208', 'Lines that no checkpoint covers', T0)
export const STREAM_HISTORY = /* @__PURE__ */ finding('stream/history', 'RUN-209', 'Another history', T0)
export const STREAM_KEY = /* @__PURE__ */ finding('stream/key', 'RUN-210', 'No key to trust', T0)
export const STREAM_WITNESSES = /* @__PURE__ */ finding('stream/witnesses', 'RUN-211', 'Too few witnesses', T0)
export const STREAM_RECORD = /* @__PURE__ */ finding('stream/record', 'RUN-212', 'Lines that make no valid record', 'ADP-1 section 8.1')
export const STREAM_INTEGER = /* @__PURE__ */ finding('stream/integer', 'RUN-213', 'Integer that a canonical line would change', 'RFC 8785')
export const STREAM_UNORDERED = /* @__PURE__ */ finding('stream/unordered', 'RUN-214', 'Steps out of order', T0)
export const STREAM_POLICY = /* @__PURE__ */ finding('stream/policy', 'RUN-215', 'Malformed policy', 'https://c2sp.org/tlog-policy')
export const STREAM_CONTENT = /* @__PURE__ */ finding('stream/content', 'RUN-216', 'Value that the stream does not commit to', T0)
export const STREAM_REMOVED = /* @__PURE__ */ finding('stream/removed', 'RUN-217', 'Content that was removed', T0, 'info')
export const STREAM_PROOF = /* @__PURE__ */ finding('stream/proof', 'RUN-218', 'Proof that cannot be judged', 'https://c2sp.org/tlog-proof')
export const STREAM_MEMBER = /* @__PURE__ */ finding('stream/member', 'RUN-230', 'Member in the wrong line', T0)
export const STREAM_ANNOUNCED = /* @__PURE__ */ finding('stream/announced', 'RUN-231', 'Step other than its intent', T0)

export const ALL: readonly FindingKind[] = []

export const names = (): readonly string[] => [...namesOf(ALL), ...'stream/line RUN-201 stream/order RUN-202 stream/step RUN-203 stream/end RUN-204 stream/intent RUN-205 stream/root RUN-206 stream/signature RUN-207 stream/uncovered RUN-208 stream/history RUN-209 stream/key RUN-210 stream/witnesses RUN-211 stream/record RUN-212 stream/integer RUN-213 stream/unordered RUN-214 stream/policy RUN-215 stream/content RUN-216 stream/removed RUN-217 stream/proof RUN-218 stream/member RUN-230 stream/announced RUN-231'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...STREAM_LINE, why: 'A line is the canonical form of a JSON object (RFC 8785), of 1 MB at most, with a line feed behind it. Anything else has another hash for the same content.', bad: '{"type": "step", "run_id": "r"}', good: '{"run_id":"r","seq":1,"step":{},"type":"step"}' },
  { ...STREAM_ORDER, why: 'A stream begins with one run_started and ends with one run_completed, all lines are of one run, and seq counts them. A line that was removed, inserted or moved breaks this.', bad: 'a line with seq 4 behind one with seq 2', good: 'seq 0, 1, 2, 3' },
  { ...STREAM_STEP, why: 'Each step ends once. With two lines of one index, nobody knows what happened.', bad: 'two lines of type step with index 3', good: 'one line for each index' },
  { ...STREAM_END, why: 'The run is still going on, its recorder stopped, or somebody cut the stream.', bad: 'a stream whose last line is a step', good: 'a stream that ends with run_completed' },
  { ...STREAM_INTENT, why: 'The recorder wrote what the agent was about to do, and nothing after it. The agent may have done it.', bad: 'a line of type step_started without its step', good: 'a step_started and its step' },
  { ...STREAM_ROOT, why: 'The checkpoint is a hash over all lines before it. A line was changed, removed, inserted or moved after it was signed, or the checkpoint is of another run.', bad: 'a stream in which a step was edited', good: 'the stream as it was recorded' },
  { ...STREAM_SIGNATURE, why: 'Without it, anybody who can write the file could have made the checkpoint.', bad: 'a checkpoint that was edited', good: 'a checkpoint as it was signed' },
  { ...STREAM_UNCOVERED, why: 'Everything after the last trusted checkpoint can be changed without a trace.', bad: 'ten lines, and a checkpoint of eight', good: 'ten lines, and a checkpoint of ten' },
  { ...STREAM_HISTORY, why: 'The stream does not begin with the lines that the earlier checkpoint covered. Somebody cut it and signed it again, or showed two versions of it.', bad: 'a checkpoint from before a step was removed', good: 'a checkpoint of the beginning of this stream' },
  { ...STREAM_KEY, why: 'A key that only the stream names proves nothing, because its writer can name any key.', bad: 'blazon verify run.ndjson', good: 'blazon verify run.ndjson --key recorder.pub' },
  { ...STREAM_WITNESSES, why: 'The policy says which witnesses must have seen the checkpoint. Without them, its signer can show different streams to different people.', bad: 'a checkpoint with one cosignature, and a policy that requires two', good: 'a checkpoint with the cosignatures that the policy requires' },
  { ...STREAM_RECORD, why: 'The lines of a stream add up to one run record, which must be valid like any other.', bad: 'a run_completed without a status', good: 'a stream that blazon runs seal wrote' },
  { ...STREAM_INTEGER, why: 'Canonical numbers are doubles. The line would say another number than the record, so it is not signed.', bad: '{"id": 9007199254740993}', good: '{"id": "9007199254740993"}' },
  { ...STREAM_UNORDERED, why: 'Read back, steps are sorted by their index. The sealed record would be another one.', bad: '{"steps": [{"index": 1}, {"index": 0}]}', good: '{"steps": [{"index": 0}, {"index": 1}]}' },
  { ...STREAM_POLICY, why: 'A policy that can be read in two ways protects nobody.', bad: 'group both 3 a b', good: 'group both 2 a b' },
  { ...STREAM_CONTENT, why: 'The stream holds a salted digest of the value. If it differs, somebody changed the value, its place, or the salt.', bad: 'the output of step 3 with the salt of step 4', good: 'the value, its pointer and its salt as blazon runs seal wrote them' },
  { ...STREAM_REMOVED, why: 'The content of old runs is removed after a while. A hash stands for each such line, so the rest still verifies, but nobody can read what the line said.', bad: 'a line of type removed', good: 'the line as it was recorded' },
  { ...STREAM_PROOF, why: 'A proof of one line is a .tlog-proof file and the line. A proof of growth is what the server answers, and an earlier checkpoint.', bad: 'blazon verify step-3.tlog-proof --key recorder.pub', good: 'blazon verify step-3.tlog-proof --line step-3.json --key recorder.pub' },
  { ...STREAM_MEMBER, why: 'Each member of a record stands in one line, and a line holds nothing else. A second place could replace what the first one says, such as the agent.', bad: '{"end": {"agent": {"agent_id": "mallory"}, "status": "succeeded"}, "type": "run_completed"}', good: '{"end": {"completed_at": "2025-12-14T10:00:05Z", "status": "succeeded"}, "type": "run_completed"}' },
  { ...STREAM_ANNOUNCED, why: 'The intent says what the agent was about to do. A step of the same index with another action, time or parent shows that one of the two is wrong.', bad: 'an intent to read a file, and a step that ran a command', good: 'the action of the intent, with what came of it' },
]
