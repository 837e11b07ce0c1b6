// The words of Agent Cards for what explain.ts finds.
import type { Specification } from '../document/explain.ts'
import { SCHEMA_RULES } from './rules/schema.ts'

export const AGENT_CARD: Specification = {
  name: 'Agent Cards',
  rules: SCHEMA_RULES,
  byFormat: { 'date-time': 'timestamp' },
  grammar: {
    '^agent:\\/\\/': 'an agent:// URI such as agent://translator-zh-en',
    '^[A-Za-z0-9_-]{85}[AQgw]$': 'the 64 octets of an Ed25519 signature in base64url without padding',
    seq: 'an integer from 0 to 18446744073709551615',
    'date-time': 'an ISO 8601 timestamp with its offset, such as 2026-01-15T00:00:00Z',
  },
  // Anybody may add any member (section 3.1): none is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that the draft does not define are ignored' }),
}
