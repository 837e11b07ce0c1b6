// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'RUN-101' | 'RUN-102' | 'RUN-103' | 'RUN-104' | 'RUN-105' | 'RUN-106' | 'RUN-107' | 'RUN-108' | 'RUN-110' | 'RUN-111' | 'RUN-112' | 'RUN-113' | 'RUN-114' | 'RUN-115' | 'RUN-116' | 'RUN-117' | 'RUN-118' | 'RUN-119' | 'RUN-120' | 'RUN-121' | 'RUN-122' | 'RUN-123' | 'RUN-124' | 'RUN-125' | 'RUN-126' | 'RUN-127' | 'RUN-128' | 'RUN-129' | 'CTX-101' | 'CTX-102' | 'RUN-150'

const T0 = 'ADP-1 section 3'
const T1 = 'ADP-1 section 3.1.1'
const T2 = 'ADP-1 sections 3.1.1 and 3.2.1'
const T3 = 'ADP-1 section 3.2.1'
const T4 = 'warning'
const T5 = 'ADP-1 section 3.1'
const T6 = 'info'
const T7 = 'docs/guide/runs.md'
const T8 = 'CTX-1'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'RUN-101', 'Run record is not a JSON object', T5)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'RUN-102', 'Missing required member', T2)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'RUN-103', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'RUN-104', 'Empty value', T1)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'RUN-105', 'Unknown value', 'ADP-1 sections 3.1.1, 3.2.2 and 3.2.3')
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'RUN-106', 'Number out of range', T0)
export const RUN_VERSION = /* @__PURE__ */ finding('run-version', 'RUN-107', 'Another version', T1)
export const RUN_SIZE = /* @__PURE__ */ finding('run-size', 'RUN-108', 'Too many steps', T7)
export const RUN_TIME = /* @__PURE__ */ finding('run-time', 'RUN-110', 'Malformed time', T2)
export const RUN_TIME_ZONE = /* @__PURE__ */ finding('run-time-zone', 'RUN-111', 'Time that is not a moment', T2, T4, { strict: 'error' })
export const STEP_INDEX = /* @__PURE__ */ finding('step-index', 'RUN-112', 'Duplicate step index', T3)
export const STEP_ORDER = /* @__PURE__ */ finding('step-order', 'RUN-113', 'Missing step, or steps out of order', T3, T4, { strict: 'error' })
export const STEP_PARENT = /* @__PURE__ */ finding('step-parent', 'RUN-114', 'Parent that is not an earlier step', 'ADP-1 section 3.2')
export const TIME_ORDER = /* @__PURE__ */ finding('time-order', 'RUN-115', 'Times out of order', T2, T4, { strict: 'error' })
export const STATUS_REASON = /* @__PURE__ */ finding('status-reason', 'RUN-116', 'Ended early without a reason', T5, T4)
export const OBSERVATION_ERROR = /* @__PURE__ */ finding('observation-error', 'RUN-117', 'Error without details', 'ADP-1 section 3.2.3', T4)
export const ACTION_SUBTYPE = /* @__PURE__ */ finding('action-subtype', 'RUN-118', 'Action of type other without a subtype', 'ADP-1 section 3.2.2', T4)
export const TRACE_IDS = /* @__PURE__ */ finding('trace-ids', 'RUN-119', 'Trace identifier that tracers do not accept', T5, T4)
export const TOTAL_TOKENS = /* @__PURE__ */ finding('total-tokens', 'RUN-120', 'Totals that differ from the steps', T5, T4)
export const MODELS_USED = /* @__PURE__ */ finding('models-used', 'RUN-121', 'Model that the totals do not name', T5, T4)
export const RUN_TENANT = /* @__PURE__ */ finding('run-tenant', 'RUN-122', 'Two tenants', 'ADP-1 section 4', T4, { strict: 'error' })
export const RUN_FINGERPRINT = /* @__PURE__ */ finding('run-fingerprint', 'RUN-123', 'Fingerprint of no certificate', T1, T4, { strict: 'error' })
export const RUN_ID_FORM = /* @__PURE__ */ finding('run-id-form', 'RUN-124', 'Run id that is not a UUID', T1, T6, { spec: 'off' })
export const STEP_REFLECTION = /* @__PURE__ */ finding('step-reflection', 'RUN-125', 'Steps without a reflection', T3, T6, { spec: 'off' })
export const STEP_METADATA = /* @__PURE__ */ finding('step-metadata', 'RUN-126', 'Steps without metadata', T3, T6, { spec: 'off' })
export const STEP_VERDICT = /* @__PURE__ */ finding('step-verdict', 'RUN-127', 'Verdict step without a verdict', 'ADP-1 section 5', T4, { strict: 'error' })
export const VERDICT_DRAFT = /* @__PURE__ */ finding('verdict-draft', 'RUN-128', 'Verdict about another draft', T7)
export const DRAFT_HIDDEN = /* @__PURE__ */ finding('draft-hidden', 'RUN-129', 'Verdict about a draft that was removed', T7, T6, { spec: 'off' })
export const CAPABILITY_FORM = /* @__PURE__ */ finding('capability-form', 'CTX-101', 'Malformed capability', T8, T4, { strict: 'error' })
export const CAPABILITY_LENGTH = /* @__PURE__ */ finding('capability-length', 'CTX-102', 'Capability of more than 256 characters', T8, T4)
export const REDACTION_INVALID = /* @__PURE__ */ finding('redaction-invalid', 'RUN-150', 'Run record that cannot be redacted', T7)

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, EMPTY_VALUE, ENUM_VALUE, NUMBER_RANGE, RUN_VERSION, RUN_SIZE, RUN_TIME, RUN_TIME_ZONE, STEP_INDEX, STEP_ORDER, STEP_PARENT, TIME_ORDER, STATUS_REASON, OBSERVATION_ERROR, ACTION_SUBTYPE, TRACE_IDS, TOTAL_TOKENS, MODELS_USED, RUN_TENANT, RUN_FINGERPRINT, RUN_ID_FORM, STEP_REFLECTION, STEP_METADATA, STEP_VERDICT, VERDICT_DRAFT, DRAFT_HIDDEN, CAPABILITY_FORM, CAPABILITY_LENGTH]

export const names = (): readonly string[] => [...namesOf(ALL), ...'redaction-invalid RUN-150'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A run record is one JSON object. Anything else has no steps to read.', bad: '[]', good: '{"version": "adp-1", "run_id": "e7e5c9a4-1c6f-4e4e-9a9a-52f9f0d7e0f1", "steps": []}' },
  { ...MISSING_MEMBER, why: 'Every reader relies on nine members of a run and four of a step. Without one of them, the record does not say who did what, when, and how it ended.', bad: '{"version": "adp-1", "run_id": "r-1", "steps": []}', good: '{"version": "adp-1", "run_id": "r-1", "tenant_id": "t-1", "agent": {"agent_id": "coach", "aip": {"cert_fingerprint": "none"}}, "steps": [], "status": "succeeded", "started_at": "2026-01-01T00:00:00Z", "completed_at": "2026-01-01T00:00:01Z"}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"steps": [{"action": {"type": "tool_call", "input": "ls"}}]}', good: '{"steps": [{"action": {"type": "tool_call", "input": {"value": "ls"}}}]}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"run_id": ""}', good: '{"run_id": "e7e5c9a4-1c6f-4e4e-9a9a-52f9f0d7e0f1"}' },
  { ...ENUM_VALUE, why: 'The status and the types of actions and observations are closed lists, so that every tool can count and filter them. What fits nowhere is other, with metadata.action_subtype.', bad: '{"status": "success"}', good: '{"status": "succeeded"}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake.', bad: '{"steps": [{"reflection": {"uncertainty": 20}}]}', good: '{"steps": [{"reflection": {"uncertainty": 0.2}}]}' },
  { ...RUN_VERSION, why: 'The version says which rules apply to all other members. Blazon knows those of adp-1.', bad: '{"version": "adp-2"}', good: '{"version": "adp-1"}' },
  { ...RUN_SIZE, why: 'A record of more than 100,000 steps is refused as a whole, because a program that reads it keeps all of it in memory.', bad: 'a record of 100,001 steps', good: 'two records, the second one with the trace of the first' },
  { ...RUN_TIME, why: 'Times put the steps of several runs in order. They are written as in ISO 8601.', bad: '{"started_at": "yesterday"}', good: '{"started_at": "2025-12-10T19:00:00.000Z"}' },
  { ...RUN_TIME_ZONE, why: 'ISO 8601 allows a time without zone or without seconds. Nobody knows which moment it is, so its order is not checked.', bad: '{"started_at": "2025-12-10T19:00:00"}', good: '{"started_at": "2025-12-10T19:00:00Z"}' },
  { ...STEP_INDEX, why: 'Steps are referred to by their index. With two of one index, nobody knows which one a reference means.', bad: '{"steps": [{"index": 0}, {"index": 0}]}', good: '{"steps": [{"index": 0}, {"index": 1}]}' },
  { ...STEP_ORDER, why: 'Indices count from 0. A gap shows that a step was removed or never written.', bad: '{"steps": [{"index": 0}, {"index": 2}]}', good: '{"steps": [{"index": 0}, {"index": 1}]}' },
  { ...STEP_PARENT, why: 'A step belongs to an earlier one. A later or missing parent would make the tree of steps a circle, or cut it apart.', bad: '{"steps": [{"index": 0, "parent_step_index": 1}, {"index": 1}]}', good: '{"steps": [{"index": 0}, {"index": 1, "parent_step_index": 0}]}' },
  { ...TIME_ORDER, why: 'A run starts before its first step and completes after its last, and steps of one parent follow each other. Otherwise a clock was wrong, or somebody changed the record.', bad: '{"steps": [], "started_at": "2026-01-01T00:00:01Z", "completed_at": "2026-01-01T00:00:00Z"}', good: '{"steps": [], "started_at": "2026-01-01T00:00:00Z", "completed_at": "2026-01-01T00:00:01Z"}' },
  { ...STATUS_REASON, why: 'A run that did not succeed says why, in error or cancellation. Otherwise nobody can find the cause.', bad: '{"status": "failed", "error": null}', good: '{"status": "failed", "error": {"message": "no model answered"}}' },
  { ...OBSERVATION_ERROR, why: 'An observation of type error has the details of the error.', bad: '{"observation": {"type": "error", "error": null}}', good: '{"observation": {"type": "error", "error": {"message": "no such file"}}}' },
  { ...ACTION_SUBTYPE, why: 'The type other only says that no other type fits. metadata.action_subtype says what the framework did.', bad: '{"action": {"type": "other"}}', good: '{"action": {"type": "other"}, "metadata": {"action_subtype": "checkpoint"}}' },
  { ...TRACE_IDS, why: 'Tracing tools join runs by these identifiers, and ignore others than 32 hexadecimal digits for a trace and 16 for a span, in small letters.', bad: '{"trace": {"trace_id": "1"}}', good: '{"trace": {"trace_id": "0af7651916cd43dd8448eb211c80319c"}}' },
  { ...TOTAL_TOKENS, why: 'Costs are computed from these numbers. If the steps add up to another total, steps are missing or were counted twice.', bad: '{"steps": [{"metadata": {"prompt_tokens": 10, "completion_tokens": 5}}], "metadata": {"total_tokens": 150}}', good: '{"steps": [{"metadata": {"prompt_tokens": 10, "completion_tokens": 5}}], "metadata": {"total_tokens": 15}}' },
  { ...MODELS_USED, why: 'People find runs by metadata.models_used. A step with another model would not be found.', bad: '{"steps": [{"metadata": {"model": "b"}}], "metadata": {"models_used": ["a"]}}', good: '{"steps": [{"metadata": {"model": "b"}}], "metadata": {"models_used": ["a", "b"]}}' },
  { ...RUN_TENANT, why: 'The tenant of the certificate is the tenant of the run. With two, the run was filed under the wrong one.', bad: '{"tenant_id": "t-1", "agent": {"aip": {"tenant_id": "t-2"}}}', good: '{"tenant_id": "t-1", "agent": {"aip": {"tenant_id": "t-1"}}}' },
  { ...RUN_FINGERPRINT, why: 'The fingerprint is sha256: and the SHA-256 of the certificate in 64 hexadecimal digits, in small letters. With anything else, nobody can tell which agent it was. A run without a certificate says none, and reaches level 1 at most.', bad: '{"agent": {"aip": {"cert_fingerprint": "sha256:abc123..."}}}', good: '{"agent": {"aip": {"cert_fingerprint": "sha256:c4f65c2c6ca7a6bf4f2bd0469cc58efdae22f1edee50cf77aa931dc07db63bc1"}}}' },
  { ...RUN_ID_FORM, why: 'The id must be unique all over the world. Other forms rarely are.', bad: '{"run_id": "run-1"}', good: '{"run_id": "e7e5c9a4-1c6f-4e4e-9a9a-52f9f0d7e0f1"}' },
  { ...STEP_REFLECTION, why: 'The reflection says why the agent went on as it did, and how certain it was. Level 3 requires it.', bad: '{"steps": [{"index": 0, "action": {"type": "message"}}]}', good: '{"steps": [{"index": 0, "action": {"type": "message"}, "reflection": {"uncertainty": 0.1}}]}' },
  { ...STEP_METADATA, why: 'Metadata say which model was used, how long it took and what it cost.', bad: '{"steps": [{"index": 0, "action": {"type": "model_inference"}}]}', good: '{"steps": [{"index": 0, "action": {"type": "model_inference"}, "metadata": {"model": "gpt-4.1"}}]}' },
  { ...STEP_VERDICT, why: 'A step of kind policy_verdict has the verdict in observation.output. Without it, the record does not say what was decided.', bad: '{"observation": {"type": "tool_result"}, "metadata": {"kind": "policy_verdict"}}', good: '{"observation": {"type": "tool_result", "output": {"version": "pvs-1", "decision": "allow", "approved": true, "reasoning": "No violation", "policy_violations": [], "confidence_score": 0.97}}, "metadata": {"kind": "policy_verdict"}}' },
  { ...VERDICT_DRAFT, why: 'The digest binds a verdict to the draft that was judged. If it differs, the verdict was moved to another draft, or the draft was changed afterwards.', bad: '{"action": {"input": {"draft_output": "b"}}, "metadata": {"pvs.content_digest": "sha256:ac8d8342bbb2362d13f0a559a3621bb407011368895164b628a54f7fc33fc43c"}}', good: '{"action": {"input": {"draft_output": "a"}}, "metadata": {"pvs.content_digest": "sha256:ac8d8342bbb2362d13f0a559a3621bb407011368895164b628a54f7fc33fc43c"}}' },
  { ...DRAFT_HIDDEN, why: 'The draft is not in the record any more, so nobody can tell from the record whether the verdict is about it.', bad: '{"action": {"input": {}}, "metadata": {"pvs.content_digest": "sha256:ac8d8342bbb2362d13f0a559a3621bb407011368895164b628a54f7fc33fc43c"}}', good: '{"action": {"input": {"draft_output": "a"}}, "metadata": {"pvs.content_digest": "sha256:ac8d8342bbb2362d13f0a559a3621bb407011368895164b628a54f7fc33fc43c"}}' },
  { ...CAPABILITY_FORM, why: 'A capability is at least two words of small letters, digits, - and _, separated by colons. Other texts match nothing, so they grant nothing.', bad: '{"agent": {"aip": {"capabilities": ["perm:Workflows:read"]}}}', good: '{"agent": {"aip": {"capabilities": ["perm:workflows:read"]}}}' },
  { ...CAPABILITY_LENGTH, why: 'Some verifiers cut or refuse longer ones.', bad: 'a capability of 300 characters', good: '{"agent": {"aip": {"capabilities": ["perm:workflows:read"]}}}' },
  { ...REDACTION_INVALID, why: 'The result must be a valid record, so that its recipients can check it. Correct the errors first.', bad: 'a record without a status', good: 'a record that blazon validate accepts' },
]
