// The texts of the rules of the governance profile 1.0 that the schemas in governance.ts check.
import { profileRule } from './rules.ts'

const row = profileRule('Governance profile 1.0')

export const GOVERNANCE_ROWS = [
  row({
    id: 'GOV-01',
    why: 'A governed agent names the framework that it is held against.',
    bad: '{"profiles": ["governance"], "lifecycle": {"status": "active"}}',
    good: '{"profiles": ["governance"], "lifecycle": {"status": "active"}, "compliance_framework": {"primary_framework": "ISO_42001"}}',
  }),
  row({
    id: 'GOV-02',
    why: 'Auditors look agents up by framework: each has one spelling.',
    bad: '{"compliance_framework": {"primary_framework": "SOC2"}}',
    good: '{"compliance_framework": {"primary_framework": "SOC2_TYPE_II"}}',
  }),
  row({
    id: 'GOV-03',
    why: 'A control whose status is no word of the profile counts as nothing in a report.',
    bad: '{"compliance_framework": {"control_mappings": [{"framework": "SOC2", "control_id": "CC6.1", "status": "done"}]}}',
    good: '{"compliance_framework": {"control_mappings": [{"framework": "SOC2", "control_id": "CC6.1", "status": "implemented"}]}}',
  }),
  row({
    id: 'GOV-04',
    why: 'Timestamps are compared by programs: only ISO 8601 with an offset means one moment.',
    bad: '{"compliance_framework": {"audit_dates": {"last_audit": "2025-11-15"}}}',
    good: '{"compliance_framework": {"audit_dates": {"last_audit": "2025-11-15T00:00:00Z"}}}',
  }),
  row({
    id: 'GOV-05',
    why: 'The level of risk decides which controls apply.',
    bad: '{"ai_governance": {"risk_classification": {"level": "severe"}}}',
    good: '{"ai_governance": {"risk_classification": {"level": "critical"}}}',
  }),
  row({
    id: 'GOV-06',
    why: 'A governed agent says in which state of its lifecycle it is.',
    bad: '{"profiles": ["governance"], "compliance_framework": {"primary_framework": "GDPR"}}',
    good: '{"profiles": ["governance"], "compliance_framework": {"primary_framework": "GDPR"}, "lifecycle": {"status": "draft"}}',
  }),
  row({
    id: 'GOV-07',
    why: 'How closely humans watch the agent is one of four words.',
    bad: '{"ai_governance": {"human_oversight": {"level": "sometimes"}}}',
    good: '{"ai_governance": {"human_oversight": {"level": "periodic"}}}',
  }),
  row({
    id: 'GOV-08',
    why: 'A transition goes from one lifecycle status of ADL to another.',
    bad: '{"governance": {"lifecycle_governance": {"last_transition": {"from_status": "draft", "to_status": "live"}}}}',
    good: '{"governance": {"lifecycle_governance": {"last_transition": {"from_status": "draft", "to_status": "active"}}}}',
  }),
  row({
    id: 'GOV-09',
    why: 'Who must approve a transition is any, all or a quorum of the approvers.',
    bad: '{"governance": {"lifecycle_governance": {"transition_policy": {"approval_type": "most"}}}}',
    good: '{"governance": {"lifecycle_governance": {"transition_policy": {"approval_type": "quorum"}}}}',
  }),
  row({
    id: 'GOV-11',
    why: 'The tier of autonomy decides what else is demanded; there are three.',
    bad: '{"autonomy": {"tier": 4, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}',
    good: '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}',
  }),
  row({
    id: 'GOV-18',
    why: 'A classification is reviewed when it is old: its time must be one moment.',
    bad: '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "March"}}',
    good: '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}',
  }),
  row({
    id: 'GOV-19',
    why: 'Levels of autonomy go from L0 to L5.',
    bad: '{"risk_classification": {"autonomy_level": "L6"}}',
    good: '{"risk_classification": {"autonomy_level": "L1"}}',
  }),
  row({
    id: 'GOV-20',
    why: 'How humans intervene is one of three words.',
    bad: '{"human_oversight": {"intervention_model": "veto"}}',
    good: '{"human_oversight": {"intervention_model": "approve_reject"}}',
  }),
  row({
    id: 'GOV-21',
    why: 'An evaluation is passed, conditional or failed: another word cannot be acted on.',
    bad: '{"evaluation_attestation": {"result": "ok", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z"}}',
    good: '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z"}}',
  }),
  row({
    id: 'GOV-22',
    why: 'What an evaluation is worth depends on how it was made.',
    bad: '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z", "methodology": "vibes"}}',
    good: '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z", "methodology": "red_team"}}',
  }),
  row({
    id: 'GOV-23',
    why: 'A decision belongs to humans only, to the agent, or to both.',
    bad: '{"governance": {"ownership": {"decision_boundaries": [{"decision_type": "refund", "owner": "nobody"}]}}}',
    good: '{"governance": {"ownership": {"decision_boundaries": [{"decision_type": "refund", "owner": "human_only"}]}}}',
  }),
  row({
    id: 'GOV-24',
    why: 'The governance record is found by its URI.',
    bad: '{"governance_record_ref": "our wiki"}',
    good: '{"governance_record_ref": "https://example.com/governance/agent-1"}',
  }),
]
