// What the rules of the governance profile 1.0 say that `members` check, in governance.ts.
import { profileRule } from './rules.ts'

const row = profileRule('Governance profile 1.0')

export const GOVERNANCE_ROWS = [
  row(
    'GOV-01',
    'A governed agent names the framework that it is held against.',
    '{"profiles": ["governance"], "lifecycle": {"status": "active"}}',
    '{"profiles": ["governance"], "lifecycle": {"status": "active"}, "compliance_framework": {"primary_framework": "ISO_42001"}}',
  ),
  row(
    'GOV-02',
    'Auditors look agents up by framework: each has one spelling.',
    '{"compliance_framework": {"primary_framework": "SOC2"}}',
    '{"compliance_framework": {"primary_framework": "SOC2_TYPE_II"}}',
  ),
  row(
    'GOV-03',
    'A control whose status is no word of the profile counts as nothing in a report.',
    '{"compliance_framework": {"control_mappings": [{"framework": "SOC2", "control_id": "CC6.1", "status": "done"}]}}',
    '{"compliance_framework": {"control_mappings": [{"framework": "SOC2", "control_id": "CC6.1", "status": "implemented"}]}}',
  ),
  row(
    'GOV-04',
    'Timestamps are compared by programs: only ISO 8601 with an offset means one moment.',
    '{"compliance_framework": {"audit_dates": {"last_audit": "2025-11-15"}}}',
    '{"compliance_framework": {"audit_dates": {"last_audit": "2025-11-15T00:00:00Z"}}}',
  ),
  row(
    'GOV-05',
    'The level of risk decides which controls apply.',
    '{"ai_governance": {"risk_classification": {"level": "severe"}}}',
    '{"ai_governance": {"risk_classification": {"level": "critical"}}}',
  ),
  row(
    'GOV-06',
    'A governed agent says in which state of its lifecycle it is.',
    '{"profiles": ["governance"], "compliance_framework": {"primary_framework": "GDPR"}}',
    '{"profiles": ["governance"], "compliance_framework": {"primary_framework": "GDPR"}, "lifecycle": {"status": "draft"}}',
  ),
  row(
    'GOV-07',
    'How closely humans watch the agent is one of four words.',
    '{"ai_governance": {"human_oversight": {"level": "sometimes"}}}',
    '{"ai_governance": {"human_oversight": {"level": "periodic"}}}',
  ),
  row(
    'GOV-08',
    'A transition goes from one lifecycle status of ADL to another.',
    '{"governance": {"lifecycle_governance": {"last_transition": {"from_status": "draft", "to_status": "live"}}}}',
    '{"governance": {"lifecycle_governance": {"last_transition": {"from_status": "draft", "to_status": "active"}}}}',
  ),
  row(
    'GOV-09',
    'Who must approve a transition is any, all or a quorum of the approvers.',
    '{"governance": {"lifecycle_governance": {"transition_policy": {"approval_type": "most"}}}}',
    '{"governance": {"lifecycle_governance": {"transition_policy": {"approval_type": "quorum"}}}}',
  ),
  row(
    'GOV-11',
    'The tier of autonomy decides what else is demanded; there are three.',
    '{"autonomy": {"tier": 4, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}',
    '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}',
  ),
  row(
    'GOV-18',
    'A classification is reviewed when it is old: its time must be one moment.',
    '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "March"}}',
    '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}',
  ),
  row(
    'GOV-19',
    'Levels of autonomy go from L0 to L5.',
    '{"risk_classification": {"autonomy_level": "L6"}}',
    '{"risk_classification": {"autonomy_level": "L1"}}',
  ),
  row(
    'GOV-20',
    'How humans intervene is one of three words.',
    '{"human_oversight": {"intervention_model": "veto"}}',
    '{"human_oversight": {"intervention_model": "approve_reject"}}',
  ),
  row(
    'GOV-21',
    'An evaluation is passed, conditional or failed: another word cannot be acted on.',
    '{"evaluation_attestation": {"result": "ok", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z"}}',
    '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z"}}',
  ),
  row(
    'GOV-22',
    'What an evaluation is worth depends on how it was made.',
    '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z", "methodology": "vibes"}}',
    '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z", "methodology": "red_team"}}',
  ),
  row(
    'GOV-23',
    'A decision belongs to humans only, to the agent, or to both.',
    '{"governance": {"ownership": {"decision_boundaries": [{"decision_type": "refund", "owner": "nobody"}]}}}',
    '{"governance": {"ownership": {"decision_boundaries": [{"decision_type": "refund", "owner": "human_only"}]}}}',
  ),
  row(
    'GOV-24',
    'The governance record is found by its URI.',
    '{"governance_record_ref": "our wiki"}',
    '{"governance_record_ref": "https://example.com/governance/agent-1"}',
  ),
]
