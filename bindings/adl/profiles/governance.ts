// The governance profile 1.0: the members of its revision of February 2026, which ADL 0.1 refers to, and those that the
// revisions of March to May added under the same name.
import { member } from '../../text/members.ts'
import * as FINDINGS from './findings.ts'
import { AUTONOMY_RULES } from './governance-tiers.ts'
import { type Checks, withChecks } from './rules.ts'
import { standardProfile } from './standard.ts'
import { atLeast, choice, email, filled, flag, list, object, rule, text, texts, timestamp, uri } from './words.ts'

const when = rule('GOV-04', timestamp)
const STATUS = choice('draft', 'active', 'deprecated', 'retired')
const APPROVAL = choice('any', 'all', 'quorum')

const FRAMEWORKS = choice(
  'NIST_800_53',
  'SOC2_TYPE_II',
  'ISO_27001',
  'ISO_42001',
  'GDPR',
  'HIPAA',
  'PCI_DSS',
  'EU_AI_ACT',
  'IMDA_AGENTIC',
  'NIST_AI_RMF',
)

const compliance = object({
  'primary_framework*': rule('GOV-02', FRAMEWORKS),
  control_mappings: list(
    object({
      'framework*': text,
      'control_id*': text,
      'status*': rule('GOV-03', choice('implemented', 'partial', 'planned', 'not_applicable')),
    }),
  ),
  audit_dates: object({ last_audit: when, next_audit: when }),
})

const risk = object({
  level: rule('GOV-05', choice('low', 'medium', 'high', 'critical')),
  autonomy_level: rule('GOV-19', choice('L0', 'L1', 'L2', 'L3', 'L4', 'L5')),
  assessed_by: text,
  assessed_at: when,
  rationale: text,
})

const trigger = {
  ...object({
    'when*': {
      ...object({
        cost_usd_over: { type: 'number', exclusiveMinimum: 0 },
        data_classification_at_least: choice('public', 'internal', 'confidential', 'restricted'),
        tool: text,
        path_matches: text,
      }),
      minProperties: 1,
    },
    description: text,
  }),
  type: ['string', 'object'],
} as const

const oversight = object({
  level: rule('GOV-07', choice('none', 'on_exception', 'periodic', 'continuous')),
  role: text,
  triggers: list(trigger, 1),
  response_time_minutes: atLeast(1, 'integer'),
  intervention_model: rule('GOV-20', choice('approve_reject', 'plan_editing', 'monitor_only')),
})

const reviews = object({
  required: flag,
  frequency: text,
  last_review: when,
  next_review: when,
  review_board: text,
})

const governance = object({
  ownership: object({
    owner: text,
    delegate: text,
    contact: email,
    user_escalation_contact: uri,
    decision_boundaries: list(
      object({
        'decision_type*': text,
        'owner*': rule('GOV-23', choice('human_only', 'agent', 'human_in_loop')),
        rationale: text,
      }),
      1,
    ),
  }),
  approval_workflow: object({ required: flag, approvers: texts, approval_type: APPROVAL }),
  audit_trail: object({ enabled: flag, retention_days: atLeast(0, 'integer'), destination: uri }),
  lifecycle_governance: object({
    transition_policy: object({
      requires_approval: flag,
      approvers: texts,
      approval_type: rule('GOV-09', APPROVAL),
      notice_period_days: atLeast(0, 'integer'),
      allowed_transitions: texts,
    }),
    last_transition: object({
      from_status: rule('GOV-08', STATUS),
      to_status: rule('GOV-08', STATUS),
      approved_by: text,
      approved_at: when,
      reason: text,
    }),
  }),
})

const registry = object({
  urn: text,
  taxonomy: object({ domain: text, subdomain: text, capability: text }),
  discovery_tags: texts,
  federation: object({ registries: texts, primary: text }),
})

const evaluation = object({
  'result*': rule('GOV-21', choice('passed', 'conditional', 'failed')),
  'evaluator*': filled,
  'evaluation_date*': when,
  methodology: rule(
    'GOV-22',
    choice('automated_benchmark', 'red_team', 'third_party_audit', 'sandbox', 'internal_review'),
  ),
  expires_at: when,
})

const disclosure = object({
  'required*': flag,
  known_limitations: list(text, 1),
  prohibited_uses: list(text, 1),
  user_responsibilities: list(text, 1),
  reporting_contact: uri,
  disclosure_version: text,
})

const baseline = object({
  expected_tools: list(object({ 'name*': text, share: { type: 'number', minimum: 0, maximum: 1 } })),
  cost_per_session_usd: object({ min: atLeast(0), max: atLeast(0) }),
  data_classes: list(choice('pii', 'phi', 'financial', 'credentials', 'intellectual_property', 'regulatory')),
})

const CHECKS: Checks = {
  'GOV-06': ({ root }, report) => {
    if (member(root.value, 'lifecycle') !== undefined) return
    report('/lifecycle', "Governance profile requires 'lifecycle' member")
  },
}

const ROWS = [
  FINDINGS.GOV_01,
  FINDINGS.GOV_02,
  FINDINGS.GOV_03,
  FINDINGS.GOV_04,
  FINDINGS.GOV_05,
  FINDINGS.GOV_06,
  FINDINGS.GOV_07,
  FINDINGS.GOV_08,
  FINDINGS.GOV_09,
  FINDINGS.GOV_11,
  FINDINGS.GOV_18,
  FINDINGS.GOV_19,
  FINDINGS.GOV_20,
  FINDINGS.GOV_21,
  FINDINGS.GOV_22,
  FINDINGS.GOV_23,
  FINDINGS.GOV_24,
]

export const GOVERNANCE = standardProfile('governance', 'ADL Governance Profile', {
  rules: [...withChecks(ROWS, CHECKS), ...AUTONOMY_RULES],
  members: {
    compliance_framework: rule('GOV-01', compliance),
    ai_governance: object({ risk_classification: risk, safety_reviews: reviews, human_oversight: oversight }),
    governance,
    registry_metadata: registry,
    autonomy: object({
      'tier*': rule('GOV-11', { type: 'integer', enum: [1, 2, 3] }),
      'basis*': filled,
      'classified_by*': filled,
      'classified_at*': rule('GOV-18', timestamp),
    }),
    risk_classification: risk,
    human_oversight: oversight,
    incident_response: object({ 'policy_documented*': flag, last_tested: when }),
    evaluation_attestation: evaluation,
    disclosure,
    safety_reviews: reviews,
    governance_record_ref: rule('GOV-24', uri),
    anomaly_baseline: baseline,
  },
  required: ['compliance_framework'],
})
