// The texts of the rules that schema.json checks.
import type { RuleInfo } from '../../../frame/rule.ts'

const SECTION = 'ADP/1.1 section 8.3.1'
const row = (info: Omit<RuleInfo, 'severity' | 'section'>): readonly [string, RuleInfo] => [
  info.id,
  { ...info, section: SECTION, severity: 'error' },
]

/** By id. */
export const SCHEMA_RULES: ReadonlyMap<string, RuleInfo> = new Map<string, RuleInfo>([
  row({
    id: 'expires-form',
    code: 'INV-114',
    title: 'End that is no time',
    why: 'An invitation ends at a moment (RFC 3339): a date alone is another one in every time zone.',
    bad: '{"invite": {"expires": "2026-12-31"}}',
    good: '{"invite": {"expires": "2026-12-31T00:00:00Z"}}',
  }),
  row({
    id: 'missing-member',
    code: 'INV-103',
    title: 'Missing required member',
    why: 'An invitation stands in place of the DNS: whoever has it has nothing else to go by.',
    bad: '{"protocol": "ADP/1.1", "invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA"}}',
    good: '{"protocol": "ADP/1.1", "invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA", "agent": "agent:alice.example.com", "wellKnown": "https://alice.example.com/.well-known/agent.json", "pubkey": "ed25519:If4x36FUomFia_hUBG_SJxt77UtqvkWqWId-9H-XIbk", "expires": "2026-12-31T00:00:00Z"}}',
  }),
  row({
    id: 'member-type',
    code: 'INV-104',
    title: 'Invalid member type',
    why: 'A value of another type is ignored by some programs and crashes others.',
    bad: '{"invite": {"code": 12345678}}',
    good: '{"invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA"}}',
  }),
  row({
    id: 'empty-value',
    code: 'INV-105',
    title: 'Empty value',
    why: 'The member is there to say something; empty it says nothing.',
    bad: '{"invite": {"code": ""}}',
    good: '{"invite": {"code": "iVbPLQ_VtSDqQvQq6wQ1xA"}}',
  }),
])
