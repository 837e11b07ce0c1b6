// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'ADL-3001' | 'ADL-3002' | 'BADL-111' | 'BADL-150' | 'BADL-151' | 'BADL-152'

const T0 = 'ADL-3001'
const T1 = 'Profile requirements not satisfied'
const T2 = 'ADL 13'
const T3 = 'warning'
const T4 = 'BADL-150'
const T5 = 'Profile recommendation not followed'
const T6 = 'ADL 17.2'
export const FIN_01 = /* @__PURE__ */ finding('FIN-01', T0, T1, 'Financial profile 1.0 FIN-01')
export const FIN_02 = /* @__PURE__ */ finding('FIN-02', T0, T1, 'Financial profile 1.0 FIN-02')
export const FIN_03 = /* @__PURE__ */ finding('FIN-03', T0, T1, 'Financial profile 1.0 FIN-03')
export const FIN_04 = /* @__PURE__ */ finding('FIN-04', T0, T1, 'Financial profile 1.0 FIN-04')
export const FIN_05 = /* @__PURE__ */ finding('FIN-05', T0, T1, 'Financial profile 1.0 FIN-05')
export const FIN_06 = /* @__PURE__ */ finding('FIN-06', T0, T1, 'Financial profile 1.0 FIN-06')
export const FIN_07 = /* @__PURE__ */ finding('FIN-07', T0, T1, 'Financial profile 1.0 FIN-07')
export const FIN_08 = /* @__PURE__ */ finding('FIN-08', T0, T1, 'Financial profile 1.0 FIN-08')
export const FIN_09 = /* @__PURE__ */ finding('FIN-09', T0, T1, 'Financial profile 1.0 FIN-09')
export const FIN_10 = /* @__PURE__ */ finding('FIN-10', T0, T1, 'Financial profile 1.0 FIN-10')
export const FIN_11 = /* @__PURE__ */ finding('FIN-11', T0, T1, 'Financial profile 1.0 FIN-11')
export const FIN_12 = /* @__PURE__ */ finding('FIN-12', T0, T1, 'Financial profile 1.0 FIN-12')
export const FIN_13 = /* @__PURE__ */ finding('FIN-13', T0, T1, 'Financial profile 1.0 FIN-13')
export const FIN_14 = /* @__PURE__ */ finding('FIN-14', T0, T1, 'Financial profile 1.0 FIN-14')
export const GOV_01 = /* @__PURE__ */ finding('GOV-01', T0, T1, 'Governance profile 1.0 GOV-01')
export const GOV_02 = /* @__PURE__ */ finding('GOV-02', T0, T1, 'Governance profile 1.0 GOV-02')
export const GOV_03 = /* @__PURE__ */ finding('GOV-03', T0, T1, 'Governance profile 1.0 GOV-03')
export const GOV_04 = /* @__PURE__ */ finding('GOV-04', T0, T1, 'Governance profile 1.0 GOV-04')
export const GOV_05 = /* @__PURE__ */ finding('GOV-05', T0, T1, 'Governance profile 1.0 GOV-05')
export const GOV_06 = /* @__PURE__ */ finding('GOV-06', T0, T1, 'Governance profile 1.0 GOV-06')
export const GOV_07 = /* @__PURE__ */ finding('GOV-07', T0, T1, 'Governance profile 1.0 GOV-07')
export const GOV_08 = /* @__PURE__ */ finding('GOV-08', T0, T1, 'Governance profile 1.0 GOV-08')
export const GOV_09 = /* @__PURE__ */ finding('GOV-09', T0, T1, 'Governance profile 1.0 GOV-09')
export const GOV_11 = /* @__PURE__ */ finding('GOV-11', T0, T1, 'Governance profile 1.0 GOV-11')
export const GOV_12 = /* @__PURE__ */ finding('GOV-12', T0, T1, 'Governance profile 1.0 GOV-12')
export const GOV_13 = /* @__PURE__ */ finding('GOV-13', T0, T1, 'Governance profile 1.0 GOV-13')
export const GOV_14 = /* @__PURE__ */ finding('GOV-14', T0, T1, 'Governance profile 1.0 GOV-14')
export const GOV_15 = /* @__PURE__ */ finding('GOV-15', T0, T1, 'Governance profile 1.0 GOV-15')
export const GOV_16 = /* @__PURE__ */ finding('GOV-16', T0, T1, 'Governance profile 1.0 GOV-16')
export const GOV_18 = /* @__PURE__ */ finding('GOV-18', T0, T1, 'Governance profile 1.0 GOV-18')
export const GOV_19 = /* @__PURE__ */ finding('GOV-19', T0, T1, 'Governance profile 1.0 GOV-19')
export const GOV_20 = /* @__PURE__ */ finding('GOV-20', T0, T1, 'Governance profile 1.0 GOV-20')
export const GOV_21 = /* @__PURE__ */ finding('GOV-21', T0, T1, 'Governance profile 1.0 GOV-21')
export const GOV_22 = /* @__PURE__ */ finding('GOV-22', T0, T1, 'Governance profile 1.0 GOV-22')
export const GOV_23 = /* @__PURE__ */ finding('GOV-23', T0, T1, 'Governance profile 1.0 GOV-23')
export const GOV_24 = /* @__PURE__ */ finding('GOV-24', T0, T1, 'Governance profile 1.0 GOV-24')
export const HC_01 = /* @__PURE__ */ finding('HC-01', T0, T1, 'Healthcare profile 1.0 HC-01')
export const HC_02 = /* @__PURE__ */ finding('HC-02', T0, T1, 'Healthcare profile 1.0 HC-02')
export const HC_03 = /* @__PURE__ */ finding('HC-03', T0, T1, 'Healthcare profile 1.0 HC-03')
export const HC_04 = /* @__PURE__ */ finding('HC-04', T0, T1, 'Healthcare profile 1.0 HC-04')
export const HC_05 = /* @__PURE__ */ finding('HC-05', T0, T1, 'Healthcare profile 1.0 HC-05')
export const HC_06 = /* @__PURE__ */ finding('HC-06', T0, T1, 'Healthcare profile 1.0 HC-06')
export const HC_07 = /* @__PURE__ */ finding('HC-07', T0, T1, 'Healthcare profile 1.0 HC-07')
export const HC_08 = /* @__PURE__ */ finding('HC-08', T0, T1, 'Healthcare profile 1.0 HC-08')
export const HC_09 = /* @__PURE__ */ finding('HC-09', T0, T1, 'Healthcare profile 1.0 HC-09')
export const HC_10 = /* @__PURE__ */ finding('HC-10', T0, T1, 'Healthcare profile 1.0 HC-10')
export const HC_11 = /* @__PURE__ */ finding('HC-11', T0, T1, 'Healthcare profile 1.0 HC-11')
export const HC_12 = /* @__PURE__ */ finding('HC-12', T0, T1, 'Healthcare profile 1.0 HC-12')
export const HC_13 = /* @__PURE__ */ finding('HC-13', T0, T1, 'Healthcare profile 1.0 HC-13')
export const HC_14 = /* @__PURE__ */ finding('HC-14', T0, T1, 'Healthcare profile 1.0 HC-14')
export const HC_15 = /* @__PURE__ */ finding('HC-15', T0, T1, 'Healthcare profile 1.0 HC-15')
export const HC_16 = /* @__PURE__ */ finding('HC-16', T0, T1, 'Healthcare profile 1.0 HC-16')
export const HC_17 = /* @__PURE__ */ finding('HC-17', T0, T1, 'Healthcare profile 1.0 HC-17')
export const PFL_01 = /* @__PURE__ */ finding('PFL-01', T0, T1, 'Portfolio profile 1.0 PFL-01')
export const PFL_02 = /* @__PURE__ */ finding('PFL-02', T0, T1, 'Portfolio profile 1.0 PFL-02')
export const PFL_03 = /* @__PURE__ */ finding('PFL-03', T0, T1, 'Portfolio profile 1.0 PFL-03')
export const PFL_04 = /* @__PURE__ */ finding('PFL-04', T0, T1, 'Portfolio profile 1.0 PFL-04')
export const PFL_05 = /* @__PURE__ */ finding('PFL-05', T0, T1, 'Portfolio profile 1.0 PFL-05')
export const PFL_06 = /* @__PURE__ */ finding('PFL-06', T0, T1, 'Portfolio profile 1.0 PFL-06')
export const PFL_07 = /* @__PURE__ */ finding('PFL-07', T0, T1, 'Portfolio profile 1.0 PFL-07')
export const PFL_08 = /* @__PURE__ */ finding('PFL-08', T0, T1, 'Portfolio profile 1.0 PFL-08')
export const PROFILE_MEMBER = /* @__PURE__ */ finding('profile-member', T0, 'Invalid member of a profile', T2)
export const UNKNOWN_PROFILE = /* @__PURE__ */ finding('unknown-profile', 'ADL-3002', 'Unknown profile', T2, T3, { strict: 'error' })
export const DUPLICATE_PROFILE = /* @__PURE__ */ finding('duplicate-profile', 'BADL-111', 'Profile declared twice', T2, T3)
export const GOV_10 = /* @__PURE__ */ finding('GOV-10', T4, T5, 'Governance profile 1.0 GOV-10', T3, { spec: 'off' })
export const GOV_17 = /* @__PURE__ */ finding('GOV-17', T4, T5, 'Governance profile 1.0 GOV-17', T3, { spec: 'off' })
export const GOVERNANCE_AUTONOMY_LEVEL = /* @__PURE__ */ finding('governance-autonomy-level', T4, T5, 'Governance profile 1.0 governance-autonomy-level', T3, { spec: 'off' })
export const GOVERNANCE_EVALUATION_CONDITIONAL = /* @__PURE__ */ finding('governance-evaluation-conditional', T4, T5, 'Governance profile 1.0 governance-evaluation-conditional', T3, { spec: 'off' })
export const GOVERNANCE_EVALUATION_EXPIRY = /* @__PURE__ */ finding('governance-evaluation-expiry', T4, T5, 'Governance profile 1.0 governance-evaluation-expiry', T3, { spec: 'off' })
export const GOVERNANCE_INCIDENT_TEST = /* @__PURE__ */ finding('governance-incident-test', T4, T5, 'Governance profile 1.0 governance-incident-test', T3, { spec: 'off' })
export const PORTFOLIO_URI = /* @__PURE__ */ finding('portfolio-uri', T4, T5, 'Portfolio profile 1.0 portfolio-uri', T3, { spec: 'off' })
export const DEPRECATED_PROFILE = /* @__PURE__ */ finding('deprecated-profile', 'BADL-151', 'Deprecated profile', T6, T3)
export const INCOMPATIBLE_PROFILE = /* @__PURE__ */ finding('incompatible-profile', 'BADL-152', 'Profile for another version of ADL', T6, T3)

export const ALL: readonly FindingKind[] = [FIN_01, FIN_02, FIN_03, FIN_04, FIN_05, FIN_06, FIN_07, FIN_08, FIN_09, FIN_10, FIN_11, FIN_12, FIN_13, FIN_14, GOV_01, GOV_02, GOV_03, GOV_04, GOV_05, GOV_06, GOV_07, GOV_08, GOV_09, GOV_11, GOV_12, GOV_13, GOV_14, GOV_15, GOV_16, GOV_18, GOV_19, GOV_20, GOV_21, GOV_22, GOV_23, GOV_24, HC_01, HC_02, HC_03, HC_04, HC_05, HC_06, HC_07, HC_08, HC_09, HC_10, HC_11, HC_12, HC_13, HC_14, HC_15, HC_16, HC_17, PFL_01, PFL_02, PFL_03, PFL_04, PFL_05, PFL_06, PFL_07, PFL_08, PROFILE_MEMBER, UNKNOWN_PROFILE, DUPLICATE_PROFILE, GOV_10, GOV_17, GOVERNANCE_AUTONOMY_LEVEL, GOVERNANCE_EVALUATION_CONDITIONAL, GOVERNANCE_EVALUATION_EXPIRY, GOVERNANCE_INCIDENT_TEST, PORTFOLIO_URI, DEPRECATED_PROFILE, INCOMPATIBLE_PROFILE]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...FIN_01, why: 'An agent in finance states how it handles financial data.', bad: '{"profiles": ["financial"]}', good: '{"profiles": ["financial"], "financial_data_handling": {"pci_scope": {"in_scope": false}}}' },
  { ...FIN_02, why: 'The kind of financial data decides which rules apply.', bad: '{"data_classification": {"financial": {"data_types": []}}}', good: '{"data_classification": {"financial": {"data_types": ["market_data"]}}}' },
  { ...FIN_03, why: 'PCI DSS applies because of cardholder data, so an agent in scope handles such data.', bad: '{"financial_data_handling": {"pci_scope": {"in_scope": true}}, "data_classification": {"financial": {"data_types": ["market_data"]}}}', good: '{"financial_data_handling": {"pci_scope": {"in_scope": true}}, "data_classification": {"financial": {"data_types": ["cardholder_data"]}}}' },
  { ...FIN_04, why: 'A limit is an amount in a currency, and ISO 4217 identifies currencies.', bad: '{"transaction_controls": {"transaction_limits": {"currency": "dollars"}}}', good: '{"transaction_controls": {"transaction_limits": {"currency": "USD"}}}' },
  { ...FIN_05, why: 'A tolerance of 0 stops every trade, and one above 100 percent stops none.', bad: '{"transaction_controls": {"pre_execution_controls": {"price_tolerance_pct": 0}}}', good: '{"transaction_controls": {"pre_execution_controls": {"price_tolerance_pct": 0.5}}}' },
  { ...FIN_06, why: 'Duties are looked up by the name of a regulation.', bad: '{"regulatory_scope": {"applicable_regulations": ["MIFID"]}}', good: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}}' },
  { ...FIN_07, why: 'ISO 3166-1 codes state where data must stay. EU is allowed in addition to countries.', bad: '{"financial_data_handling": {"data_residency": [{"jurisdiction": "USA"}]}}', good: '{"financial_data_handling": {"data_residency": [{"jurisdiction": "US"}]}}' },
  { ...FIN_08, why: 'Programs compare timestamps, and only ISO 8601 with an offset is one moment.', bad: '{"financial_risk_management": {"model_risk": {"validated_at": "2025-12-15"}}}', good: '{"financial_risk_management": {"model_risk": {"validated_at": "2025-12-15T00:00:00Z"}}}' },
  { ...FIN_09, why: 'The tier of a model decides how thoroughly it is validated.', bad: '{"financial_risk_management": {"model_risk": {"tier": "tier_4"}}}', good: '{"financial_risk_management": {"model_risk": {"tier": "tier_3"}}}' },
  { ...FIN_10, why: 'The profile defines three words for how often transactions are monitored.', bad: '{"financial_risk_management": {"aml_controls": {"monitoring_level": "hourly"}}}', good: '{"financial_risk_management": {"aml_controls": {"monitoring_level": "real_time"}}}' },
  { ...FIN_11, why: 'MiFID II requires that records are kept for five years.', bad: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"], "record_retention": {"min_retention_days": 365}}}', good: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"], "record_retention": {"min_retention_days": 1825}}}' },
  { ...FIN_12, why: 'MiFID II requires that faulty algorithmic trading can be stopped at once.', bad: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}, "transaction_controls": {"kill_switch": {"enabled": false}}}', good: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}, "transaction_controls": {"kill_switch": {"enabled": true}}}' },
  { ...FIN_13, why: 'The data classification states which financial data it covers.', bad: '{"data_classification": {"sensitivity": "confidential", "categories": ["financial"]}}', good: '{"data_classification": {"sensitivity": "confidential", "categories": ["financial"], "financial": {"data_types": ["market_data"]}}}' },
  { ...FIN_14, why: 'An agent of this profile handles financial data, and people who filter by category must see that.', bad: '{"data_classification": {"sensitivity": "confidential", "categories": ["pii"]}}', good: '{"data_classification": {"sensitivity": "confidential", "categories": ["pii", "financial"]}}' },
  { ...GOV_01, why: 'A governed agent names the framework that it must comply with.', bad: '{"profiles": ["governance"], "lifecycle": {"status": "active"}}', good: '{"profiles": ["governance"], "lifecycle": {"status": "active"}, "compliance_framework": {"primary_framework": "ISO_42001"}}' },
  { ...GOV_02, why: 'Auditors look up agents by framework, and each framework has one spelling.', bad: '{"compliance_framework": {"primary_framework": "SOC2"}}', good: '{"compliance_framework": {"primary_framework": "SOC2_TYPE_II"}}' },
  { ...GOV_03, why: 'A control with an undefined status does not count in reports.', bad: '{"compliance_framework": {"control_mappings": [{"framework": "SOC2", "control_id": "CC6.1", "status": "done"}]}}', good: '{"compliance_framework": {"control_mappings": [{"framework": "SOC2", "control_id": "CC6.1", "status": "implemented"}]}}' },
  { ...GOV_04, why: 'Programs compare timestamps, and only ISO 8601 with an offset is one moment.', bad: '{"compliance_framework": {"audit_dates": {"last_audit": "2025-11-15"}}}', good: '{"compliance_framework": {"audit_dates": {"last_audit": "2025-11-15T00:00:00Z"}}}' },
  { ...GOV_05, why: 'The level of risk decides which controls apply.', bad: '{"ai_governance": {"risk_classification": {"level": "severe"}}}', good: '{"ai_governance": {"risk_classification": {"level": "critical"}}}' },
  { ...GOV_06, why: 'A governed agent states its lifecycle status.', bad: '{"profiles": ["governance"], "compliance_framework": {"primary_framework": "GDPR"}}', good: '{"profiles": ["governance"], "compliance_framework": {"primary_framework": "GDPR"}, "lifecycle": {"status": "draft"}}' },
  { ...GOV_07, why: 'The profile defines four words for how closely people watch the agent.', bad: '{"ai_governance": {"human_oversight": {"level": "sometimes"}}}', good: '{"ai_governance": {"human_oversight": {"level": "periodic"}}}' },
  { ...GOV_08, why: 'A transition goes from one lifecycle status of ADL to another.', bad: '{"governance": {"lifecycle_governance": {"last_transition": {"from_status": "draft", "to_status": "live"}}}}', good: '{"governance": {"lifecycle_governance": {"last_transition": {"from_status": "draft", "to_status": "active"}}}}' },
  { ...GOV_09, why: 'Approval needs any, all or a quorum of the approvers.', bad: '{"governance": {"lifecycle_governance": {"transition_policy": {"approval_type": "most"}}}}', good: '{"governance": {"lifecycle_governance": {"transition_policy": {"approval_type": "quorum"}}}}' },
  { ...GOV_11, why: 'The tier of autonomy decides which further rules apply. There are three tiers.', bad: '{"autonomy": {"tier": 4, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}', good: '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}' },
  { ...GOV_12, why: 'From tier 2 on, people oversee the agent.', bad: '{"autonomy": {"tier": 2, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}', good: '{"autonomy": {"tier": 2, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "human_oversight": {"triggers": ["refund"], "response_time_minutes": 30}}' },
  { ...GOV_13, why: 'Oversight means that certain events call a person, who answers within a set time.', bad: '{"autonomy": {"tier": 2, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "human_oversight": {"triggers": ["refund"]}}', good: '{"autonomy": {"tier": 2, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "human_oversight": {"triggers": ["refund"], "response_time_minutes": 30}}' },
  { ...GOV_14, why: 'From tier 2 on, a policy states what to do after an incident.', bad: '{"autonomy": {"tier": 2, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "incident_response": {"policy_documented": false}}', good: '{"autonomy": {"tier": 2, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "incident_response": {"policy_documented": true}}' },
  { ...GOV_15, why: 'From tier 2 on, people must learn that they are dealing with an agent.', bad: '{"autonomy": {"tier": 2, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "disclosure": {"required": false}}', good: '{"autonomy": {"tier": 2, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "disclosure": {"required": true}}' },
  { ...GOV_16, why: 'An agent of tier 3 acts alone, so it must pass an evaluation first.', bad: '{"autonomy": {"tier": 3, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "evaluation_attestation": {"result": "failed"}}', good: '{"autonomy": {"tier": 3, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "evaluation_attestation": {"result": "passed"}}' },
  { ...GOV_18, why: 'Old classifications are reviewed, so the time must be one moment.', bad: '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "March"}}', good: '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}' },
  { ...GOV_19, why: 'Levels of autonomy go from L0 to L5.', bad: '{"risk_classification": {"autonomy_level": "L6"}}', good: '{"risk_classification": {"autonomy_level": "L1"}}' },
  { ...GOV_20, why: 'The profile defines three words for how people intervene.', bad: '{"human_oversight": {"intervention_model": "veto"}}', good: '{"human_oversight": {"intervention_model": "approve_reject"}}' },
  { ...GOV_21, why: 'A result is passed, conditional or failed. Nothing can act on another word.', bad: '{"evaluation_attestation": {"result": "ok", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z"}}', good: '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z"}}' },
  { ...GOV_22, why: 'The value of an evaluation depends on its method.', bad: '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z", "methodology": "vibes"}}', good: '{"evaluation_attestation": {"result": "passed", "evaluator": "Lab", "evaluation_date": "2026-03-01T00:00:00Z", "methodology": "red_team"}}' },
  { ...GOV_23, why: 'A decision belongs to people only, to the agent, or to both.', bad: '{"governance": {"ownership": {"decision_boundaries": [{"decision_type": "refund", "owner": "nobody"}]}}}', good: '{"governance": {"ownership": {"decision_boundaries": [{"decision_type": "refund", "owner": "human_only"}]}}}' },
  { ...GOV_24, why: 'Readers find the governance record by its URI.', bad: '{"governance_record_ref": "our wiki"}', good: '{"governance_record_ref": "https://example.com/governance/agent-1"}' },
  { ...HC_01, why: 'An agent in healthcare states its duties under HIPAA.', bad: '{"profiles": ["healthcare"], "phi_handling": {"...": "..."}}', good: '{"profiles": ["healthcare"], "hipaa_compliance": {"covered_entity_type": "business_associate", "baa_required": true, "minimum_necessary": {"scope": "task_specific"}}, "phi_handling": {"...": "..."}}' },
  { ...HC_02, why: 'The duties of HIPAA differ for covered entities, business associates and subcontractors.', bad: '{"hipaa_compliance": {"covered_entity_type": "hospital"}}', good: '{"hipaa_compliance": {"covered_entity_type": "covered_entity"}}' },
  { ...HC_03, why: 'The kind of health information decides which laws apply.', bad: '{"data_classification": {"healthcare": {"phi_types": ["dental"]}}}', good: '{"data_classification": {"healthcare": {"phi_types": ["medical_records"]}}}' },
  { ...HC_04, why: 'Whether a business associate agreement is needed must be clear before data flows.', bad: '{"hipaa_compliance": {"covered_entity_type": "covered_entity"}}', good: '{"hipaa_compliance": {"covered_entity_type": "covered_entity", "baa_required": false}}' },
  { ...HC_05, why: 'HIPAA allows only the minimum necessary access, so the document declares its extent.', bad: '{"hipaa_compliance": {"minimum_necessary": {"scope": "everything"}}}', good: '{"hipaa_compliance": {"minimum_necessary": {"scope": "full_record"}}}' },
  { ...HC_06, why: 'Health information at rest is encrypted with AES and a key of 256 or 128 bits.', bad: '{"hipaa_compliance": {"security_rule": {"encryption_at_rest": "DES"}}}', good: '{"hipaa_compliance": {"security_rule": {"encryption_at_rest": "AES_256"}}}' },
  { ...HC_07, why: 'Health information in transit is protected by TLS 1.2 or 1.3.', bad: '{"hipaa_compliance": {"security_rule": {"encryption_in_transit": "TLS_1_0"}}}', good: '{"hipaa_compliance": {"security_rule": {"encryption_in_transit": "TLS_1_3"}}}' },
  { ...HC_08, why: 'Every agent of this profile declares how it handles protected health information.', bad: '{"profiles": ["healthcare"], "hipaa_compliance": {"...": "..."}}', good: '{"profiles": ["healthcare"], "hipaa_compliance": {"...": "..."}, "phi_handling": {"de_identification": {"method": "none"}, "breach_notification": {"notification_hours": 60, "contact": "privacy@example.com"}}}' },
  { ...HC_09, why: 'HIPAA defines two methods of de-identification. An agent that uses neither must say so.', bad: '{"phi_handling": {"de_identification": {"method": "masking"}}}', good: '{"phi_handling": {"de_identification": {"method": "safe_harbor"}}}' },
  { ...HC_10, why: 'After a breach, people need to know whom to notify, and within how many hours.', bad: '{"phi_handling": {"breach_notification": {"notification_hours": 60}}}', good: '{"phi_handling": {"breach_notification": {"notification_hours": 60, "contact": "privacy@example.com"}}}' },
  { ...HC_11, why: 'Records of substance use may be disclosed only with consent (42 CFR Part 2).', bad: '{"data_classification": {"healthcare": {"phi_types": ["substance_use"]}}, "phi_handling": {}}', good: '{"data_classification": {"healthcare": {"phi_types": ["substance_use"]}}, "phi_handling": {"consent_management": {"required": true}}}' },
  { ...HC_12, why: 'Programs compare timestamps, and only ISO 8601 with an offset is one moment.', bad: '{"clinical_safety": {"bias_monitoring": {"last_assessment": "last May"}}}', good: '{"clinical_safety": {"bias_monitoring": {"last_assessment": "2026-05-01T00:00:00Z"}}}' },
  { ...HC_13, why: 'A system that supports FHIR uses one of its releases.', bad: '{"interoperability": {"fhir_version": "R6"}}', good: '{"interoperability": {"fhir_version": "R5"}}' },
  { ...HC_14, why: 'A medical device may change only under change control.', bad: '{"clinical_safety": {"fda_classification": {"device_class": "class_II"}}}', good: '{"clinical_safety": {"fda_classification": {"device_class": "class_II"}, "change_control": {"rollback_plan": true}}}' },
  { ...HC_15, why: 'Predictive decision support publishes its source attributes and manages the risk of its interventions (45 CFR 170.315(b)(11)).', bad: '{"interoperability": {"dsi_transparency": {"predictive_dsi": true, "irm_practices": true}}}', good: '{"interoperability": {"dsi_transparency": {"predictive_dsi": true, "irm_practices": true, "source_attributes_published": true}}}' },
  { ...HC_16, why: 'The data classification states which health information it covers.', bad: '{"data_classification": {"sensitivity": "restricted", "categories": ["phi"]}}', good: '{"data_classification": {"sensitivity": "restricted", "categories": ["phi"], "healthcare": {"phi_types": ["billing"]}}}' },
  { ...HC_17, why: 'An agent of this profile handles protected health information, and people who filter by category must see that.', bad: '{"data_classification": {"sensitivity": "restricted", "categories": ["pii"]}}', good: '{"data_classification": {"sensitivity": "restricted", "categories": ["pii", "phi"]}}' },
  { ...PFL_01, why: 'An agent in a portfolio is found by a catalog entry, by its relations to other agents, or by its domain.', bad: '{"profiles": ["portfolio"]}', good: '{"profiles": ["portfolio"], "inventory": {"catalog_id": "cs-agent-001"}}' },
  { ...PFL_02, why: 'The catalog identifies the agent by this value.', bad: '{"inventory": {"catalog_id": ""}}', good: '{"inventory": {"catalog_id": "cs-agent-001"}}' },
  { ...PFL_03, why: 'Three words decide who may see the agent. Readers would interpret another word differently.', bad: '{"inventory": {"catalog_id": "a", "visibility": "secret"}}', good: '{"inventory": {"catalog_id": "a", "visibility": "private"}}' },
  { ...PFL_04, why: 'Catalogs search by tags, which are strings.', bad: '{"inventory": {"catalog_id": "a", "tags": [1]}}', good: '{"inventory": {"catalog_id": "a", "tags": ["tier-1"]}}' },
  { ...PFL_05, why: 'Each entry names an agent that this one needs.', bad: '{"relationships": {"depends_on": "urn:example:a"}}', good: '{"relationships": {"depends_on": ["urn:example:a"]}}' },
  { ...PFL_06, why: 'Each entry names an agent that is part of this one.', bad: '{"relationships": {"composed_of": [{}]}}', good: '{"relationships": {"composed_of": ["urn:example:a"]}}' },
  { ...PFL_07, why: 'One agent orchestrates this one, and its identifier is a string.', bad: '{"relationships": {"orchestrated_by": ["urn:example:a"]}}', good: '{"relationships": {"orchestrated_by": "urn:example:a"}}' },
  { ...PFL_08, why: 'Each entry names a peer of this agent.', bad: '{"relationships": {"peers": [null]}}', good: '{"relationships": {"peers": ["urn:example:a"]}}' },
  { ...PROFILE_MEMBER, why: 'A declared profile defines the types of its members, and readers rely on them.', bad: '{"profiles": ["governance"], "governance": {"audit_trail": {"enabled": "yes"}}}', good: '{"profiles": ["governance"], "governance": {"audit_trail": {"enabled": true}}}' },
  { ...UNKNOWN_PROFILE, why: 'The rules of an unknown profile cannot be checked, and its members look like misspelled ones.', bad: '{"profiles": ["urn:adl:profile:governanse:1.0"]}', good: '{"profiles": ["urn:adl:profile:governance:1.0"]}' },
  { ...DUPLICATE_PROFILE, why: 'After one of the two is removed, the profile still applies.', bad: '{"profiles": ["portfolio", "urn:adl:profile:portfolio:1.0"]}', good: '{"profiles": ["urn:adl:profile:portfolio:1.0"]}' },
  { ...GOV_10, why: 'Later revisions of the profile require the tier of autonomy, which decides about oversight.', bad: '{"profiles": ["governance"]}', good: '{"profiles": ["governance"], "autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}' },
  { ...GOV_17, why: 'The record of a tier 3 agent shows who is responsible for it.', bad: '{"autonomy": {"tier": 3, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}}', good: '{"autonomy": {"tier": 3, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "governance_record_ref": "https://example.com/governance/agent-1"}' },
  { ...GOVERNANCE_AUTONOMY_LEVEL, why: 'L0 and L1 are tier 1, L2 and L3 tier 2, L4 and L5 tier 3. Two different classifications lead to the wrong rules.', bad: '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "risk_classification": {"autonomy_level": "L4"}}', good: '{"autonomy": {"tier": 1, "basis": "b", "classified_by": "c", "classified_at": "2026-03-01T00:00:00Z"}, "risk_classification": {"autonomy_level": "L1"}}' },
  { ...GOVERNANCE_EVALUATION_CONDITIONAL, why: 'A conditional result is valid only as long as its conditions are met.', bad: '{"evaluation_attestation": {"result": "conditional"}}', good: '{"evaluation_attestation": {"result": "passed"}}' },
  { ...GOVERNANCE_EVALUATION_EXPIRY, why: 'An expired evaluation says nothing about the present agent.', bad: '{"evaluation_attestation": {"expires_at": "2020-01-01T00:00:00Z"}}', good: '{"evaluation_attestation": {"expires_at": "2030-01-01T00:00:00Z"}}' },
  { ...GOVERNANCE_INCIDENT_TEST, why: 'An incident policy that was not tested recently may not work.', bad: '{"incident_response": {"policy_documented": true}}', good: '{"incident_response": {"policy_documented": true, "last_tested": "2026-03-01T00:00:00Z"}}' },
  { ...PORTFOLIO_URI, why: 'Programs follow relations between agents by their identifiers, which are URIs.', bad: '{"relationships": {"peers": ["the billing agent"]}}', good: '{"relationships": {"peers": ["https://acme.example.com/agents/billing"]}}' },
  { ...DEPRECATED_PROFILE, why: 'A deprecated profile is superseded or abandoned, and is no longer updated.', bad: '{"profiles": ["https://example.com/profiles/old"]}', good: '{"profiles": ["https://example.com/profiles/new"]}' },
  { ...INCOMPATIBLE_PROFILE, why: 'A profile is designed for the ADL versions that it names. In other versions its rules may be wrong.', bad: '{"adl_spec": "0.1.0", "profiles": ["https://example.com/profiles/for-0.3"]}', good: '{"adl_spec": "0.1.0", "profiles": ["https://example.com/profiles/for-0.1"]}' },
]
