// What the rules of the financial profile 1.0 say; what they check is in financial.ts.
import { profileRule } from './rules.ts'

const row = profileRule('Financial profile 1.0')

export const FINANCIAL_ROWS = [
  row(
    'FIN-01',
    'An agent in finance says how it handles financial data.',
    '{"profiles": ["financial"]}',
    '{"profiles": ["financial"], "financial_data_handling": {"pci_scope": {"in_scope": false}}}',
  ),
  row(
    'FIN-02',
    'Which financial data is handled decides which rules apply to it.',
    '{"data_classification": {"financial": {"data_types": []}}}',
    '{"data_classification": {"financial": {"data_types": ["market_data"]}}}',
  ),
  row(
    'FIN-03',
    'PCI DSS is in scope because of cardholder data: an agent in scope handles it.',
    '{"financial_data_handling": {"pci_scope": {"in_scope": true}}, "data_classification": {"financial": {"data_types": ["market_data"]}}}',
    '{"financial_data_handling": {"pci_scope": {"in_scope": true}}, "data_classification": {"financial": {"data_types": ["cardholder_data"]}}}',
  ),
  row(
    'FIN-04',
    'A limit is an amount of some currency; ISO 4217 is how currencies are told apart.',
    '{"transaction_controls": {"transaction_limits": {"currency": "dollars"}}}',
    '{"transaction_controls": {"transaction_limits": {"currency": "USD"}}}',
  ),
  row(
    'FIN-05',
    'A tolerance of nothing stops every trade, one beyond 100 percent stops none.',
    '{"transaction_controls": {"pre_execution_controls": {"price_tolerance_pct": 0}}}',
    '{"transaction_controls": {"pre_execution_controls": {"price_tolerance_pct": 0.5}}}',
  ),
  row(
    'FIN-06',
    'Duties are looked up by the names of regulations.',
    '{"regulatory_scope": {"applicable_regulations": ["MIFID"]}}',
    '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}}',
  ),
  row(
    'FIN-07',
    'Where data must stay is told by ISO 3166-1; the region EU is used beside countries.',
    '{"financial_data_handling": {"data_residency": [{"jurisdiction": "USA"}]}}',
    '{"financial_data_handling": {"data_residency": [{"jurisdiction": "US"}]}}',
  ),
  row(
    'FIN-08',
    'Timestamps are compared by programs: only ISO 8601 with an offset means one moment.',
    '{"financial_risk_management": {"model_risk": {"validated_at": "2025-12-15"}}}',
    '{"financial_risk_management": {"model_risk": {"validated_at": "2025-12-15T00:00:00Z"}}}',
  ),
  row(
    'FIN-09',
    'The tier of a model decides how thoroughly it is validated.',
    '{"financial_risk_management": {"model_risk": {"tier": "tier_4"}}}',
    '{"financial_risk_management": {"model_risk": {"tier": "tier_3"}}}',
  ),
  row(
    'FIN-10',
    'How often transactions are monitored is one of three words.',
    '{"financial_risk_management": {"aml_controls": {"monitoring_level": "hourly"}}}',
    '{"financial_risk_management": {"aml_controls": {"monitoring_level": "real_time"}}}',
  ),
  row(
    'FIN-11',
    'MiFID II has records kept for five years.',
    '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"], "record_retention": {"min_retention_days": 365}}}',
    '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"], "record_retention": {"min_retention_days": 1825}}}',
  ),
  row(
    'FIN-12',
    'MiFID II has algorithmic trading stopped at once when it goes wrong.',
    '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}, "transaction_controls": {"kill_switch": {"enabled": false}}}',
    '{"regulatory_scope": {"applicable_regulations": ["MIFID_II"]}, "transaction_controls": {"kill_switch": {"enabled": true}}}',
  ),
  row(
    'FIN-13',
    'The classification of data says which financial data it is about.',
    '{"data_classification": {"sensitivity": "confidential", "categories": ["financial"]}}',
    '{"data_classification": {"sensitivity": "confidential", "categories": ["financial"], "financial": {"data_types": ["market_data"]}}}',
  ),
  row(
    'FIN-14',
    'An agent of this profile handles financial data; who filters by category must see that.',
    '{"data_classification": {"sensitivity": "confidential", "categories": ["pii"]}}',
    '{"data_classification": {"sensitivity": "confidential", "categories": ["pii", "financial"]}}',
  ),
]
