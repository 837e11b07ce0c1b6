// The texts of the rules that schema.json checks. schema.json refers to them with x-rule. Rules that it does not name
// come last.
import type { RuleInfo } from '../../frame/rule.ts'
import { agentId } from './agent-id.ts'
import { seq } from './seq.ts'

const SIGNATURE = '5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw'

const row = (info: Omit<RuleInfo, 'severity'>): readonly [string, RuleInfo] => [info.id, { ...info, severity: 'error' }]

/** By id. */
export const SCHEMA_RULES: ReadonlyMap<string, RuleInfo> = new Map<string, RuleInfo>([
  [agentId.id, agentId],
  [seq.id, seq],
  row({
    id: 'signature-form',
    code: 'CARD-110',
    title: 'Signature that is not of Ed25519',
    section: 'Agent Card 3.2',
    why: 'A signature has 64 octets, in base64url without padding. Any other text verifies with no key, and the card is discarded.',
    bad: `{"signature": "${SIGNATURE}=="}`,
    good: `{"signature": "${SIGNATURE}"}`,
  }),
  row({
    id: 'timestamp',
    code: 'CARD-107',
    title: 'Invalid timestamp',
    section: 'Agent Card 3.1',
    why: 'A time without its offset is another moment in each time zone, and programs read other notations differently.',
    bad: '{"metadata": {"created_at": "2026-01-15"}}',
    good: '{"metadata": {"created_at": "2026-01-15T00:00:00Z"}}',
  }),
  row({
    id: 'missing-member',
    code: 'CARD-103',
    title: 'Missing required member',
    section: 'Agent Card 3.1',
    why: 'Every program that reads the card relies on the required members.',
    bad: '{"tools": [{"description": "Translates text."}]}',
    good: '{"tools": [{"name": "translate", "description": "Translates text."}]}',
  }),
  row({
    id: 'member-type',
    code: 'CARD-104',
    title: 'Invalid member type',
    section: 'Agent Card 3.1',
    why: 'A value of another type is ignored by some programs and crashes others.',
    bad: '{"skills": "nlp/translation"}',
    good: '{"skills": ["nlp/translation"]}',
  }),
  row({
    id: 'empty-value',
    code: 'CARD-105',
    title: 'Empty value',
    section: 'Agent Card 3.1',
    why: 'The member is there to say something; empty it says nothing.',
    bad: '{"name": ""}',
    good: '{"name": "Translator"}',
  }),
  row({
    id: 'number-range',
    code: 'CARD-106',
    title: 'Number out of range',
    section: 'Agent Card 3.7',
    why: 'A number outside of its range cannot be meant: nobody takes fewer than no tasks.',
    bad: '{"constraints": {"max_concurrent_tasks": -1}}',
    good: '{"constraints": {"max_concurrent_tasks": 1}}',
  }),
])
