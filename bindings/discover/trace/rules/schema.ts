// The rules that schema.json checks.
import type { RuleInfo } from '../../../frame/rule.ts'

const row = (info: Omit<RuleInfo, 'severity' | 'section'>): readonly [string, RuleInfo] => [
  info.id,
  { ...info, section: 'docs/guide/discovery.md', severity: 'error' },
]

/** By id. */
export const SCHEMA_RULES: ReadonlyMap<string, RuleInfo> = new Map<string, RuleInfo>([
  row({
    id: 'missing-member',
    code: 'WK-172',
    title: 'Missing required member',
    why: 'Without it the discovery cannot be judged again.',
    bad: '{"domain": null}',
    good: '{"domain": "alice.example.com"}',
  }),
  row({
    id: 'member-type',
    code: 'WK-173',
    title: 'Invalid member type',
    why: 'A value of another type is ignored by some programs and crashes others.',
    bad: '{"private": "yes"}',
    good: '{"private": true}',
  }),
  row({
    id: 'empty-value',
    code: 'WK-174',
    title: 'Empty value',
    why: 'The member is there to say something; empty it says nothing.',
    bad: '{"domain": ""}',
    good: '{"domain": "alice.example.com"}',
  }),
  row({
    id: 'number-range',
    code: 'WK-175',
    title: 'Number out of range',
    why: 'A number outside of its range cannot be what is meant.',
    bad: '{"lot": 2}',
    good: '{"lot": 0.5}',
  }),
  row({
    id: 'enum-value',
    code: 'WK-176',
    title: 'Unknown value',
    why: 'Only these values have a meaning.',
    bad: '{"need": "everything"}',
    good: '{"need": "metadata"}',
  }),
  row({
    id: 'value-pattern',
    code: 'WK-177',
    title: 'Time that is none',
    why: 'Signatures of the DNS hold for a time: without the moment nothing can be judged.',
    bad: '{"at": "yesterday"}',
    good: '{"at": "2026-11-23T10:00:00Z"}',
  }),
])
