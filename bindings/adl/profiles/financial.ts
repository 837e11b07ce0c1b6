// The financial profile 1.0; its members and rules are the same in all revisions.
import { isCurrency, isRegion } from '../../tables/index.ts'
import { elements, isObject, isText, member, objectMember, textMember } from '../../text/members.ts'
import { shown } from '../../text/words.ts'
import type { Agent } from '../subject.ts'
import { type Checks, foundIn } from './profile.ts'

/** Days for which MiFID II (2014/65/EU article 16(7)) requires records to be kept: five years. */
const MIFID_DAYS = 1825

const regulations = ({ root }: Agent) =>
  elements(objectMember(root, 'regulatory_scope'), 'applicable_regulations', isText).map(({ value }) => value)

const isMifid = (agent: Agent) => regulations(agent).includes('MIFID_II')

export const FINANCIAL: Checks = {
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
