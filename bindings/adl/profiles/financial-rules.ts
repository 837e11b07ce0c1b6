// The texts of the rules of the financial profile 1.0; financial.ts checks them.
import { profileRule } from './rules.ts'

const row = profileRule('Financial profile 1.0')

export const FINANCIAL_ROWS = [
  row({
    id: 'FIN-01',
    why: 'An agent in finance says how it handles financial data.',
    bad: '{"profiles": ["financial"]}',
    good: '{"profiles": ["financial"], "financial_data_handling": {"pci_scope": {"in_scope": false}}}',
  }),
  row({
    id: 'FIN-02',
    why: 'Which financial data is handled decides which rules apply to it.',
    bad: '{"data_classification": {"financial": {"data_types": []}}}',
    good: '{"data_classification": {"financial": {"data_types": ["market_data"]}}}',
  }),
  row({
    id: 'FIN-03',
    why: 'PCI DSS is in scope because of cardholder data: an agent in scope handles it.',
    bad: '{"financial_data_handling": {"pci_scope": {"in_scope": true}}, "data_classification": {"financial": {"data_types": ["market_data"]}}}',
    good: '{"financial_data_handling": {"pci_scope": {"in_scope": true}}, "data_classification": {"financial": {"data_types": ["cardholder_data"]}}}',
  }),
  row({
    id: 'FIN-04',
    why: 'A limit is an amount of some currency; ISO 4217 is how currencies are told apart.',
    bad: '{"transaction_controls": {"transaction_limits": {"currency": "dollars"}}}',
    good: '{"transaction_controls": {"transaction_limits": {"currency": "USD"}}}',
  }),
  row({
    id: 'FIN-05',
    why: 'A tolerance of nothing stops every trade, one beyond 100 percent stops none.',
    bad: '{"transaction_controls": {"pre_execution_controls": {"price_tolerance_pct": 0}}}',
    good: '{"transaction_controls": {"pre_execution_controls": {"price_tolerance_pct": 0.5}}}',
  }),
  row({
    id: 'FIN-06',
    why: 'Duties are looked up by the names of regulations.',
    bad: '{"regulatory_scope": {"applicable_regulations": ["MIFID"]}}',
    good: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}}',
  }),
  row({
    id: 'FIN-07',
    why: 'Where data must stay is told by ISO 3166-1; the region EU is used beside countries.',
    bad: '{"financial_data_handling": {"data_residency": [{"jurisdiction": "USA"}]}}',
    good: '{"financial_data_handling": {"data_residency": [{"jurisdiction": "US"}]}}',
  }),
  row({
    id: 'FIN-08',
    why: 'Timestamps are compared by programs: only ISO 8601 with an offset means one moment.',
    bad: '{"financial_risk_management": {"model_risk": {"validated_at": "2025-12-15"}}}',
    good: '{"financial_risk_management": {"model_risk": {"validated_at": "2025-12-15T00:00:00Z"}}}',
  }),
  row({
    id: 'FIN-09',
    why: 'The tier of a model decides how thoroughly it is validated.',
    bad: '{"financial_risk_management": {"model_risk": {"tier": "tier_4"}}}',
    good: '{"financial_risk_management": {"model_risk": {"tier": "tier_3"}}}',
  }),
  row({
    id: 'FIN-10',
    why: 'How often transactions are monitored is one of three words.',
    bad: '{"financial_risk_management": {"aml_controls": {"monitoring_level": "hourly"}}}',
    good: '{"financial_risk_management": {"aml_controls": {"monitoring_level": "real_time"}}}',
  }),
  row({
    id: 'FIN-11',
    why: 'MiFID II has records kept for five years.',
    bad: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"], "record_retention": {"min_retention_days": 365}}}',
    good: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"], "record_retention": {"min_retention_days": 1825}}}',
  }),
  row({
    id: 'FIN-12',
    why: 'MiFID II has algorithmic trading stopped at once when it goes wrong.',
    bad: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}, "transaction_controls": {"kill_switch": {"enabled": false}}}',
    good: '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}, "transaction_controls": {"kill_switch": {"enabled": true}}}',
  }),
  row({
    id: 'FIN-13',
    why: 'The classification of data says which financial data it is about.',
    bad: '{"data_classification": {"sensitivity": "confidential", "categories": ["financial"]}}',
    good: '{"data_classification": {"sensitivity": "confidential", "categories": ["financial"], "financial": {"data_types": ["market_data"]}}}',
  }),
  row({
    id: 'FIN-14',
    why: 'An agent of this profile handles financial data; who filters by category must see that.',
    bad: '{"data_classification": {"sensitivity": "confidential", "categories": ["pii"]}}',
    good: '{"data_classification": {"sensitivity": "confidential", "categories": ["pii", "financial"]}}',
  }),
]
