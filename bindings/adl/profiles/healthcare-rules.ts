// What the rules of the healthcare profile 1.0 say; what they check is in healthcare.ts.
import { profileRule } from './rules.ts'

const row = profileRule('Healthcare profile 1.0')

export const HEALTHCARE_ROWS = [
  row(
    'HC-01',
    'An agent in healthcare says under which duties of HIPAA it works.',
    '{"profiles": ["healthcare"], "phi_handling": {"...": "..."}}',
    '{"profiles": ["healthcare"], "hipaa_compliance": {"covered_entity_type": "business_associate", "baa_required": true, "minimum_necessary": {"scope": "task_specific"}}, "phi_handling": {"...": "..."}}',
  ),
  row(
    'HC-02',
    'The duties of HIPAA differ for covered entities, business associates and subcontractors.',
    '{"hipaa_compliance": {"covered_entity_type": "hospital"}}',
    '{"hipaa_compliance": {"covered_entity_type": "covered_entity"}}',
  ),
  row(
    'HC-03',
    'Which health information is handled decides which laws apply to it.',
    '{"data_classification": {"healthcare": {"phi_types": ["dental"]}}}',
    '{"data_classification": {"healthcare": {"phi_types": ["medical_records"]}}}',
  ),
  row(
    'HC-04',
    'Whether a business associate agreement is needed must be settled before data flows.',
    '{"hipaa_compliance": {"covered_entity_type": "covered_entity"}}',
    '{"hipaa_compliance": {"covered_entity_type": "covered_entity", "baa_required": false}}',
  ),
  row(
    'HC-05',
    'HIPAA allows the minimum necessary only: how far access goes is declared.',
    '{"hipaa_compliance": {"minimum_necessary": {"scope": "everything"}}}',
    '{"hipaa_compliance": {"minimum_necessary": {"scope": "full_record"}}}',
  ),
  row(
    'HC-06',
    'Health information at rest is encrypted by AES with a key of 256 or 128 bits.',
    '{"hipaa_compliance": {"security_rule": {"encryption_at_rest": "DES"}}}',
    '{"hipaa_compliance": {"security_rule": {"encryption_at_rest": "AES_256"}}}',
  ),
  row(
    'HC-07',
    'Health information in transit is protected by TLS 1.2 or 1.3.',
    '{"hipaa_compliance": {"security_rule": {"encryption_in_transit": "TLS_1_0"}}}',
    '{"hipaa_compliance": {"security_rule": {"encryption_in_transit": "TLS_1_3"}}}',
  ),
  row(
    'HC-08',
    'How protected health information is handled is declared by every agent of this profile.',
    '{"profiles": ["healthcare"], "hipaa_compliance": {"...": "..."}}',
    '{"profiles": ["healthcare"], "hipaa_compliance": {"...": "..."}, "phi_handling": {"de_identification": {"method": "none"}, "breach_notification": {"notification_hours": 60, "contact": "privacy@example.com"}}}',
  ),
  row(
    'HC-09',
    'HIPAA knows two methods of de-identification; an agent that uses neither says so.',
    '{"phi_handling": {"de_identification": {"method": "masking"}}}',
    '{"phi_handling": {"de_identification": {"method": "safe_harbor"}}}',
  ),
  row(
    'HC-10',
    'After a breach it must be known who is told, and within how many hours.',
    '{"phi_handling": {"breach_notification": {"notification_hours": 60}}}',
    '{"phi_handling": {"breach_notification": {"notification_hours": 60, "contact": "privacy@example.com"}}}',
  ),
  row(
    'HC-11',
    'Records of substance use may be disclosed with consent only (42 CFR Part 2).',
    '{"data_classification": {"healthcare": {"phi_types": ["substance_use"]}}, "phi_handling": {}}',
    '{"data_classification": {"healthcare": {"phi_types": ["substance_use"]}}, "phi_handling": {"consent_management": {"required": true}}}',
  ),
  row(
    'HC-12',
    'Timestamps are compared by programs: only ISO 8601 with an offset means one moment.',
    '{"clinical_safety": {"bias_monitoring": {"last_assessment": "last May"}}}',
    '{"clinical_safety": {"bias_monitoring": {"last_assessment": "2026-05-01T00:00:00Z"}}}',
  ),
  row(
    'HC-13',
    'A system that speaks FHIR speaks one of its releases.',
    '{"interoperability": {"fhir_version": "R6"}}',
    '{"interoperability": {"fhir_version": "R5"}}',
  ),
  row(
    'HC-14',
    'A medical device is changed under control only.',
    '{"clinical_safety": {"fda_classification": {"device_class": "class_II"}}}',
    '{"clinical_safety": {"fda_classification": {"device_class": "class_II"}, "change_control": {"rollback_plan": true}}}',
  ),
  row(
    'HC-15',
    'Predictive decision support publishes its source attributes and manages the risk of its interventions (45 CFR 170.315(b)(11)).',
    '{"interoperability": {"dsi_transparency": {"predictive_dsi": true, "irm_practices": true}}}',
    '{"interoperability": {"dsi_transparency": {"predictive_dsi": true, "irm_practices": true, "source_attributes_published": true}}}',
  ),
  row(
    'HC-16',
    'The classification of data says which health information it is about.',
    '{"data_classification": {"sensitivity": "restricted", "categories": ["phi"]}}',
    '{"data_classification": {"sensitivity": "restricted", "categories": ["phi"], "healthcare": {"phi_types": ["billing"]}}}',
  ),
  row(
    'HC-17',
    'An agent of this profile handles protected health information; who filters by category must see that.',
    '{"data_classification": {"sensitivity": "restricted", "categories": ["pii"]}}',
    '{"data_classification": {"sensitivity": "restricted", "categories": ["pii", "phi"]}}',
  ),
]
