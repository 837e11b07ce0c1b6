// The rules that schema.json checks: their words. schema.json names them in x-rule; those without a name there come last.
import type { RuleInfo } from '../../document/rule.ts'
import { agentId } from './agent-id.ts'
import { seq } from './seq.ts'

const SIGNATURE = '5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw'

function row(
  id: string,
  code: string,
  title: string,
  section: string,
  why: string,
  bad: string,
  good: string,
): readonly [string, RuleInfo] {
  return [id, { id, code, title, section: `Agent Card ${section}`, severity: 'error', why, bad, good }]
}

/** By id. */
export const SCHEMA_RULES: ReadonlyMap<string, RuleInfo> = new Map<string, RuleInfo>([
  [agentId.id, agentId],
  [seq.id, seq],
  row(
    'signature-form',
    'CARD-110',
    'Signature that is none of Ed25519',
    '3.2',
    'A signature has 64 octets, in base64url without padding. Any other text verifies with no key, and the card is discarded.',
    `{"signature": "${SIGNATURE}=="}`,
    `{"signature": "${SIGNATURE}"}`,
  ),
  row(
    'timestamp',
    'CARD-107',
    'Invalid timestamp',
    '3.1',
    'A time without its offset is another moment in each time zone, and programs read other notations differently.',
    '{"metadata": {"created_at": "2026-01-15"}}',
    '{"metadata": {"created_at": "2026-01-15T00:00:00Z"}}',
  ),
  row(
    'missing-member',
    'CARD-103',
    'Missing required member',
    '3.1',
    'Every program that reads the card relies on the required members.',
    '{"tools": [{"description": "Translates text."}]}',
    '{"tools": [{"name": "translate", "description": "Translates text."}]}',
  ),
  row(
    'member-type',
    'CARD-104',
    'Invalid member type',
    '3.1',
    'A value of another type is ignored by some programs and crashes others.',
    '{"skills": "nlp/translation"}',
    '{"skills": ["nlp/translation"]}',
  ),
  row(
    'empty-value',
    'CARD-105',
    'Empty value',
    '3.1',
    'The member is there to say something; empty it says nothing.',
    '{"name": ""}',
    '{"name": "Translator"}',
  ),
  row(
    'number-range',
    'CARD-106',
    'Number out of range',
    '3.7',
    'A number outside of its range cannot be what is meant: nobody takes fewer tasks than none.',
    '{"constraints": {"max_concurrent_tasks": -1}}',
    '{"constraints": {"max_concurrent_tasks": 1}}',
  ),
])
