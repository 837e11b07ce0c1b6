// The texts of the rules of the healthcare profile 1.0; healthcare.ts checks them.
import { profileRule } from './rules.ts'

const row = profileRule('Healthcare profile 1.0')

export const HEALTHCARE_ROWS = [
  row({
    id: 'HC-01',
    why: 'An agent in healthcare says under which duties of HIPAA it works.',
    bad: '{"profiles": ["healthcare"], "phi_handling": {"...": "..."}}',
    good: '{"profiles": ["healthcare"], "hipaa_compliance": {"covered_entity_type": "business_associate", "baa_required": true, "minimum_necessary": {"scope": "task_specific"}}, "phi_handling": {"...": "..."}}',
  }),
  row({
    id: 'HC-02',
    why: 'The duties of HIPAA differ for covered entities, business associates and subcontractors.',
    bad: '{"hipaa_compliance": {"covered_entity_type": "hospital"}}',
    good: '{"hipaa_compliance": {"covered_entity_type": "covered_entity"}}',
  }),
  row({
    id: 'HC-03',
    why: 'Which health information is handled decides which laws apply to it.',
    bad: '{"data_classification": {"healthcare": {"phi_types": ["dental"]}}}',
    good: '{"data_classification": {"healthcare": {"phi_types": ["medical_records"]}}}',
  }),
  row({
    id: 'HC-04',
    why: 'Whether a business associate agreement is needed must be settled before data flows.',
    bad: '{"hipaa_compliance": {"covered_entity_type": "covered_entity"}}',
    good: '{"hipaa_compliance": {"covered_entity_type": "covered_entity", "baa_required": false}}',
  }),
  row({
    id: 'HC-05',
    why: 'HIPAA allows the minimum necessary only: how far access goes is declared.',
    bad: '{"hipaa_compliance": {"minimum_necessary": {"scope": "everything"}}}',
    good: '{"hipaa_compliance": {"minimum_necessary": {"scope": "full_record"}}}',
  }),
  row({
    id: 'HC-06',
    why: 'Health information at rest is encrypted by AES with a key of 256 or 128 bits.',
    bad: '{"hipaa_compliance": {"security_rule": {"encryption_at_rest": "DES"}}}',
    good: '{"hipaa_compliance": {"security_rule": {"encryption_at_rest": "AES_256"}}}',
  }),
  row({
    id: 'HC-07',
    why: 'Health information in transit is protected by TLS 1.2 or 1.3.',
    bad: '{"hipaa_compliance": {"security_rule": {"encryption_in_transit": "TLS_1_0"}}}',
    good: '{"hipaa_compliance": {"security_rule": {"encryption_in_transit": "TLS_1_3"}}}',
  }),
  row({
    id: 'HC-08',
    why: 'How protected health information is handled is declared by every agent of this profile.',
    bad: '{"profiles": ["healthcare"], "hipaa_compliance": {"...": "..."}}',
    good: '{"profiles": ["healthcare"], "hipaa_compliance": {"...": "..."}, "phi_handling": {"de_identification": {"method": "none"}, "breach_notification": {"notification_hours": 60, "contact": "privacy@example.com"}}}',
  }),
  row({
    id: 'HC-09',
    why: 'HIPAA knows two methods of de-identification; an agent that uses neither says so.',
    bad: '{"phi_handling": {"de_identification": {"method": "masking"}}}',
    good: '{"phi_handling": {"de_identification": {"method": "safe_harbor"}}}',
  }),
  row({
    id: 'HC-10',
    why: 'After a breach it must be known who is told, and within how many hours.',
    bad: '{"phi_handling": {"breach_notification": {"notification_hours": 60}}}',
    good: '{"phi_handling": {"breach_notification": {"notification_hours": 60, "contact": "privacy@example.com"}}}',
  }),
  row({
    id: 'HC-11',
    why: 'Records of substance use may be disclosed with consent only (42 CFR Part 2).',
    bad: '{"data_classification": {"healthcare": {"phi_types": ["substance_use"]}}, "phi_handling": {}}',
    good: '{"data_classification": {"healthcare": {"phi_types": ["substance_use"]}}, "phi_handling": {"consent_management": {"required": true}}}',
  }),
  row({
    id: 'HC-12',
    why: 'Timestamps are compared by programs: only ISO 8601 with an offset means one moment.',
    bad: '{"clinical_safety": {"bias_monitoring": {"last_assessment": "last May"}}}',
    good: '{"clinical_safety": {"bias_monitoring": {"last_assessment": "2026-05-01T00:00:00Z"}}}',
  }),
  row({
    id: 'HC-13',
    why: 'A system that speaks FHIR speaks one of its releases.',
    bad: '{"interoperability": {"fhir_version": "R6"}}',
    good: '{"interoperability": {"fhir_version": "R5"}}',
  }),
  row({
    id: 'HC-14',
    why: 'A medical device is changed under control only.',
    bad: '{"clinical_safety": {"fda_classification": {"device_class": "class_II"}}}',
    good: '{"clinical_safety": {"fda_classification": {"device_class": "class_II"}, "change_control": {"rollback_plan": true}}}',
  }),
  row({
    id: 'HC-15',
    why: 'Predictive decision support publishes its source attributes and manages the risk of its interventions (45 CFR 170.315(b)(11)).',
    bad: '{"interoperability": {"dsi_transparency": {"predictive_dsi": true, "irm_practices": true}}}',
    good: '{"interoperability": {"dsi_transparency": {"predictive_dsi": true, "irm_practices": true, "source_attributes_published": true}}}',
  }),
  row({
    id: 'HC-16',
    why: 'The classification of data says which health information it is about.',
    bad: '{"data_classification": {"sensitivity": "restricted", "categories": ["phi"]}}',
    good: '{"data_classification": {"sensitivity": "restricted", "categories": ["phi"], "healthcare": {"phi_types": ["billing"]}}}',
  }),
  row({
    id: 'HC-17',
    why: 'An agent of this profile handles protected health information; who filters by category must see that.',
    bad: '{"data_classification": {"sensitivity": "restricted", "categories": ["pii"]}}',
    good: '{"data_classification": {"sensitivity": "restricted", "categories": ["pii", "phi"]}}',
  }),
]
