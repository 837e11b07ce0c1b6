// The healthcare profile 1.0; its members and rules are the same in all revisions.
import { elements, isText, member, objectMember, textMember } from '../../text/members.ts'
import * as FINDINGS from './findings.ts'
import { type Checks, withChecks } from './rules.ts'
import { standardProfile } from './standard.ts'
import { atLeast, choice, flag, foundIn, list, object, rule, text, texts, timestamp, uri } from './words.ts'

const CHECKS: Checks = {
  'HC-11': ({ classification, root }, report) => {
    const types = elements(objectMember(classification, 'healthcare'), 'phi_types', isText)
    if (!types.some(({ value }) => value === 'substance_use')) return
    const handling = objectMember(root, 'phi_handling')
    if (handling === undefined || member(handling.value, 'consent_management') !== undefined) return
    report(
      '/phi_handling/consent_management',
      "phi_types 'substance_use' requires 'consent_management' in /phi_handling",
    )
  },
  'HC-14': ({ root }, report) => {
    const safety = objectMember(root, 'clinical_safety')
    const device = textMember(objectMember(safety, 'fda_classification'), 'device_class')
    const isDevice = ['class_I', 'class_II', 'class_III'].includes(device?.value ?? '')
    if (!isDevice || member(safety?.value, 'change_control') !== undefined) return
    report(
      '/clinical_safety/change_control',
      `device_class '${device?.value}' requires 'change_control' in /clinical_safety`,
    )
  },
  'HC-15': ({ root }, report) => {
    const dsi = objectMember(objectMember(root, 'interoperability'), 'dsi_transparency')
    if (member(dsi?.value, 'predictive_dsi') !== true) return
    for (const name of ['source_attributes_published', 'irm_practices']) {
      const value = member(dsi?.value, name)
      if (value === undefined || value === false)
        report(`${dsi?.pointer}/${name}`, `predictive_dsi requires '${name}' to be true${foundIn(value)}`)
    }
  },
  'HC-17': ({ classification }, report) => {
    if (classification === undefined) return
    const categories = elements(classification, 'categories', isText)
    if (categories.some(({ value }) => value === 'phi')) return
    report('/data_classification/categories', "Healthcare profile requires the category 'phi' in data_classification")
  },
}

const hipaa = object({
  'covered_entity_type*': rule('HC-02', choice('covered_entity', 'business_associate', 'subcontractor')),
  'baa_required*': rule('HC-04', flag),
  'minimum_necessary*': rule(
    'HC-05',
    object({
      'scope*': rule('HC-05', choice('task_specific', 'role_based', 'full_record')),
      justification: text,
      review_frequency: text,
    }),
  ),
  security_rule: object({
    encryption_at_rest: rule('HC-06', choice('AES_256', 'AES_128')),
    encryption_in_transit: rule('HC-07', choice('TLS_1_2', 'TLS_1_3')),
    mfa_required: flag,
    data_retention: choice('none', 'minimum', 'standard'),
    restoration_hours: atLeast(0),
  }),
})

const phi = object({
  'de_identification*': rule(
    'HC-09',
    object({
      'method*': rule('HC-09', choice('safe_harbor', 'expert_determination', 'none')),
      re_identification_controls: flag,
    }),
  ),
  'breach_notification*': rule(
    'HC-10',
    object({
      'notification_hours*': rule('HC-10', atLeast(0)),
      'contact*': rule('HC-10', text),
      threshold: atLeast(0),
    }),
  ),
  consent_management: object({
    required: flag,
    consent_types: list(choice('treatment', 'payment', 'operations', 'research', 'marketing')),
    granularity: choice('broad', 'purpose_specific', 'data_specific'),
    revocation_supported: flag,
  }),
  data_provenance: object({ tracking: flag, source_systems: texts }),
})

const safety = object({
  fda_classification: object({
    device_class: choice('exempt', 'class_I', 'class_II', 'class_III', 'non_device'),
    clearance_type: choice('510k', 'de_novo', 'pma', 'not_applicable'),
    clearance_number: text,
    software_level: choice('non_significant_risk', 'significant_risk', 'life_supporting'),
  }),
  change_control: object({
    pccp_authorized: flag,
    modification_scope: texts,
    validation_protocol: uri,
    rollback_plan: flag,
    monitoring_frequency: text,
  }),
  bias_monitoring: object({
    enabled: flag,
    protected_classes: texts,
    assessment_frequency: text,
    last_assessment: rule('HC-12', timestamp),
  }),
  human_in_the_loop: object({
    level: choice('advisory', 'approval_required', 'continuous_oversight'),
    role: text,
    escalation_path: text,
  }),
})

const interoperability = object({
  fhir_version: rule('HC-13', choice('DSTU2', 'STU3', 'R4', 'R4B', 'R5')),
  terminology_bindings: texts,
  tefca_participant: flag,
  information_blocking: object({ compliant: flag, exceptions_claimed: texts }),
  dsi_transparency: object({ predictive_dsi: flag, source_attributes_published: flag, irm_practices: flag }),
})

const PHI_TYPES = choice(
  'demographics',
  'medical_records',
  'billing',
  'mental_health',
  'substance_use',
  'genetic',
  'reproductive',
  'hiv_status',
)

const ROWS = [
  FINDINGS.HC_01,
  FINDINGS.HC_02,
  FINDINGS.HC_03,
  FINDINGS.HC_04,
  FINDINGS.HC_05,
  FINDINGS.HC_06,
  FINDINGS.HC_07,
  FINDINGS.HC_08,
  FINDINGS.HC_09,
  FINDINGS.HC_10,
  FINDINGS.HC_11,
  FINDINGS.HC_12,
  FINDINGS.HC_13,
  FINDINGS.HC_14,
  FINDINGS.HC_15,
  FINDINGS.HC_16,
  FINDINGS.HC_17,
]

export const HEALTHCARE = standardProfile('healthcare', 'ADL Healthcare Profile', {
  rules: withChecks(ROWS, CHECKS),
  members: {
    hipaa_compliance: rule('HC-01', hipaa),
    phi_handling: rule('HC-08', phi),
    clinical_safety: safety,
    interoperability,
  },
  required: ['hipaa_compliance', 'phi_handling'],
  classification: {
    healthcare: rule('HC-16', object({ 'phi_types*': rule('HC-03', list(PHI_TYPES, 1)), hipaa_applicability: flag })),
  },
  requiredClassification: ['healthcare'],
})
