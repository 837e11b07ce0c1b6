// The texts of the rules that schema.json checks. schema.json refers to them with x-rule. Rules that it does not name
// come last.
import type { RuleInfo } from '../../frame/rule.ts'

const row = (info: Omit<RuleInfo, 'severity'>): readonly [string, RuleInfo] => [info.id, { ...info, severity: 'error' }]

/** By id. */
export const SCHEMA_RULES: ReadonlyMap<string, RuleInfo> = new Map<string, RuleInfo>([
  row({
    id: 'key-algorithm',
    code: 'WK-117',
    title: 'Key of another algorithm',
    section: 'ADP/1.1 section 6.3.2',
    why: 'The algorithm MUST be ed25519: fingerprints, messages and proofs are made with no other.',
    bad: '{"identity": {"publicKey": {"algorithm": "rsa"}}}',
    good: '{"identity": {"publicKey": {"algorithm": "ed25519"}}}',
  }),
  row({
    id: 'missing-member',
    code: 'WK-103',
    title: 'Missing required member',
    section: 'ADP/1.1 section 6.3',
    why: 'Every client relies on the required members.',
    bad: '{"security": {"authMethods": ["pubkey"]}}',
    good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"]}}',
  }),
  row({
    id: 'member-type',
    code: 'WK-104',
    title: 'Invalid member type',
    section: 'ADP/1.1 section 6.3',
    why: 'A value of another type is ignored by some programs and crashes others.',
    bad: '{"policies": "https://alice.example.com/privacy"}',
    good: '{"policies": {"privacy": "https://alice.example.com/privacy"}}',
  }),
  row({
    id: 'empty-value',
    code: 'WK-105',
    title: 'Empty value',
    section: 'ADP/1.1 section 6.3',
    why: 'The member is there to say something; empty it says nothing.',
    bad: '{"identity": {"name": ""}}',
    good: '{"identity": {"name": "Alice"}}',
  }),
  row({
    id: 'number-range',
    code: 'WK-106',
    title: 'Number out of range',
    section: 'ADP/1.1 section 6.3.5',
    why: 'A number outside of its range cannot be what is meant.',
    bad: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"burstSize": -1}}}',
    good: '{"security": {"tlsRequired": true, "authMethods": ["pubkey"], "rateLimit": {"burstSize": 10}}}',
  }),
])
