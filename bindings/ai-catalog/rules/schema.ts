// The texts of the rules that schema.json checks.
import type { RuleInfo } from '../../frame/rule.ts'

export const CATALOG = 'AI Catalog 1.0'
export const ARD = 'ARD 0.91'

const row = (info: Omit<RuleInfo, 'severity' | 'section'>): RuleInfo => ({
  ...info,
  section: CATALOG,
  severity: 'error',
})

export const rootObject: RuleInfo = row({
  id: 'root-object',
  code: 'CAT-101',
  title: 'Catalog that is no JSON object',
  why: 'A catalog is one JSON object: nothing else has entries to read.',
  bad: '[]',
  good: '{"specVersion": "1.0", "entries": []}',
})

export const missingMember: RuleInfo = row({
  id: 'missing-member',
  code: 'CAT-102',
  title: 'Missing required member',
  why: 'Whoever reads the catalog knows an entry by its identifier, shows its name, and tells by its type what to do with it.',
  bad: '{"specVersion": "1.0"}',
  good: '{"specVersion": "1.0", "entries": []}',
})

/** By id. */
export const SCHEMA_RULES: ReadonlyMap<string, RuleInfo> = new Map(
  [
    missingMember,
    row({
      id: 'member-type',
      code: 'CAT-103',
      title: 'Invalid member type',
      why: 'A value of another type is ignored by some programs and crashes others.',
      bad: '{"entries": [{"tags": "finance"}]}',
      good: '{"entries": [{"tags": ["finance"]}]}',
    }),
    row({
      id: 'empty-value',
      code: 'CAT-104',
      title: 'Empty value',
      why: 'The member is there to say something; empty it says nothing.',
      bad: '{"host": {"displayName": ""}}',
      good: '{"host": {"displayName": "Acme"}}',
    }),
    row({
      id: 'enum-value',
      code: 'CAT-105',
      title: 'Value that is not known',
      why: 'Readers know the version 1.0 and no other, and act on values that the form lists.',
      bad: '{"specVersion": "2.0"}',
      good: '{"specVersion": "1.0"}',
    }),
    row({
      id: 'value-pattern',
      code: 'CAT-106',
      title: 'Value of another form',
      why: 'Addresses are absolute, for a catalog is read far from where it was fetched, and times are moments (RFC 3339).',
      bad: '{"entries": [{"updatedAt": "2026-11-23"}]}',
      good: '{"entries": [{"updatedAt": "2026-11-23T10:00:00Z"}]}',
    }),
  ].map((rule) => [rule.id, rule]),
)
