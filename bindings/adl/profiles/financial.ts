// The financial profile 1.0; its members and rules are the same in all revisions.

import { isCurrency, isRegion } from '../../tables/index.ts'
import { elements, isObject, isText, member, objectMember, textMember } from '../../text/members.ts'
import { shown } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import * as FINDINGS from './findings.ts'
import { type Checks, withChecks } from './rules.ts'
import { standardProfile } from './standard.ts'
import { atLeast, choice, flag, foundIn, list, object, rule, text, texts, timestamp } from './words.ts'

/** Days for which MiFID II (2014/65/EU article 16(7)) requires records to be kept: five years. */
const MIFID_DAYS = 1825

const regulations = ({ root }: Agent) =>
  elements(objectMember(root, 'regulatory_scope'), 'applicable_regulations', isText).map(({ value }) => value)

const isMifid = (agent: Agent) => regulations(agent).includes('MIFID_II')

const CHECKS: Checks = {
  'FIN-03': ({ classification, root }, report) => {
    const scope = objectMember(objectMember(root, 'financial_data_handling'), 'pci_scope')
    const financial = objectMember(classification, 'financial')
    if (member(scope?.value, 'in_scope') !== true || !Array.isArray(member(financial?.value, 'data_types'))) return
    if (elements(financial, 'data_types', isText).some(({ value }) => value === 'cardholder_data')) return
    report(`${financial?.pointer}/data_types`, "pci_scope.in_scope requires 'cardholder_data' among the data_types")
  },
  'FIN-04': ({ root }, report) => {
    const limits = objectMember(objectMember(root, 'transaction_controls'), 'transaction_limits')
    const currency = textMember(limits, 'currency')
    if (currency !== undefined && !isCurrency(currency.value)) {
      report(currency.pointer, `expected a currency of ISO 4217, such as USD, found ${shown(currency.value)}`)
    }
  },
  'FIN-07': ({ root }, report) => {
    for (const place of elements(objectMember(root, 'financial_data_handling'), 'data_residency', isObject)) {
      const jurisdiction = textMember(place, 'jurisdiction')
      if (jurisdiction !== undefined && !isRegion(jurisdiction.value)) {
        const found = shown(jurisdiction.value)
        report(jurisdiction.pointer, `expected a country of ISO 3166-1, such as US, or EU, found ${found}`)
      }
    }
  },
  'FIN-11': (agent, report) => {
    if (!isMifid(agent)) return
    const days = member(
      objectMember(objectMember(agent.root, 'regulatory_scope'), 'record_retention')?.value,
      'min_retention_days',
    )
    if (days !== undefined && (typeof days !== 'number' || days >= MIFID_DAYS)) return
    const detail = `MIFID_II requires record_retention.min_retention_days of at least ${MIFID_DAYS}${foundIn(days)}`
    report('/regulatory_scope/record_retention/min_retention_days', detail)
  },
  'FIN-12': (agent, report) => {
    const controls = objectMember(agent.root, 'transaction_controls')
    if (controls === undefined || !isMifid(agent)) return
    const enabled = member(objectMember(controls, 'kill_switch')?.value, 'enabled')
    if (enabled === undefined || enabled === false) {
      const detail = `MIFID_II requires transaction_controls.kill_switch.enabled to be true${foundIn(enabled)}`
      report(`${controls.pointer}/kill_switch/enabled`, detail)
    }
  },
  'FIN-14': ({ classification }, report) => {
    if (classification === undefined) return
    if (elements(classification, 'categories', isText).some(({ value }) => value === 'financial')) return
    const detail = "Financial profile requires the category 'financial' in data_classification"
    report('/data_classification/categories', detail)
  },
}

const handling = object({
  pci_scope: object({ 'in_scope*': flag, saq_type: text, tokenization_required: flag }),
  data_residency: list(object({ 'jurisdiction*': rule('FIN-07', text), regulation: text })),
})

const controls = object({
  transaction_limits: object({
    max_single_amount: { type: 'number' },
    max_daily_volume: { type: 'number' },
    currency: rule('FIN-04', text),
  }),
  pre_execution_controls: object({
    enabled: flag,
    price_tolerance_pct: rule('FIN-05', { type: 'number', exclusiveMinimum: 0, maximum: 100 }),
    throttle_per_second: atLeast(0),
    requires_approval_above: { type: 'number' },
  }),
  kill_switch: object({ enabled: flag, trigger_conditions: texts, notification_targets: texts }),
  segregation_of_duties: object({ enabled: flag, restricted_actions: texts, approval_role: text }),
})

const REGULATIONS = choice(
  'PCI_DSS_V4',
  'SOX',
  'GLBA',
  'BASEL_III',
  'FINRA',
  'SEC_REG',
  'DORA',
  'MIFID_II',
  'BSA_AML',
  'EU_AMLD',
)

const scope = object({
  'applicable_regulations*': rule('FIN-06', list(REGULATIONS, 1)),
  jurisdictions: list(object({ 'jurisdiction*': text, regulation: text })),
  reporting_obligations: object({
    authorities: texts,
    frequency: choice('real_time', 'daily', 'monthly', 'quarterly', 'annual'),
  }),
  record_retention: object({ min_retention_days: atLeast(0), tamper_proof: flag, format: text }),
})

const risk = object({
  model_risk: object({
    tier: rule('FIN-09', choice('tier_1', 'tier_2', 'tier_3')),
    validated_by: text,
    validated_at: rule('FIN-08', timestamp),
    methodology: text,
  }),
  aml_controls: object({
    screening_required: flag,
    monitoring_level: rule('FIN-10', choice('real_time', 'daily', 'periodic')),
    kyc_refresh_days: atLeast(0),
  }),
  operational_risk: object({
    category: choice('low', 'medium', 'high', 'critical'),
    assessed_by: text,
    assessed_at: rule('FIN-08', timestamp),
    capital_reserve: flag,
  }),
})

const DATA_TYPES = choice(
  'cardholder_data',
  'sensitive_auth_data',
  'nonpublic_personal_info',
  'transaction_data',
  'market_data',
  'financial_reports',
  'material_nonpublic_info',
)

const ROWS = [
  FINDINGS.FIN_01,
  FINDINGS.FIN_02,
  FINDINGS.FIN_03,
  FINDINGS.FIN_04,
  FINDINGS.FIN_05,
  FINDINGS.FIN_06,
  FINDINGS.FIN_07,
  FINDINGS.FIN_08,
  FINDINGS.FIN_09,
  FINDINGS.FIN_10,
  FINDINGS.FIN_11,
  FINDINGS.FIN_12,
  FINDINGS.FIN_13,
  FINDINGS.FIN_14,
]

export const FINANCIAL = standardProfile('financial', 'ADL Financial Profile', {
  rules: withChecks(ROWS, CHECKS),
  members: {
    financial_data_handling: rule('FIN-01', handling),
    transaction_controls: controls,
    regulatory_scope: scope,
    financial_risk_management: risk,
  },
  required: ['financial_data_handling'],
  classification: {
    financial: rule('FIN-13', object({ 'data_types*': rule('FIN-02', list(DATA_TYPES, 1)), pci_applicable: flag })),
  },
  requiredClassification: ['financial'],
})
