// The form of signatures (A2A 1.0 section 8.4, RFC 7515 section 7.2.2). `verify` decides whether they are valid.

import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import type { A2aCard } from '../a2a-card.ts'
import { readJws } from '../jws.ts'

export const signatureForm: Rule<A2aCard> = {
  id: 'a2a-signature-form',
  code: 'CARD-188',
  title: 'Malformed signature of an A2A card',
  section: 'A2A 1.0 section 8.4.2',
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'A signature that cannot be read verifies with no key: the card counts as unsigned, or is refused.',
  bad: '{"signatures": [{"protected": "eyJhbGciOiJub25lIn0", "signature": "AAAA"}]}',
  good: '{"signatures": [{"protected": "eyJhbGciOiJFUzI1NiIsImtpZCI6ImtleS0xIiwidHlwIjoiSk9TRSJ9", "signature": "AAAA"}]}',
  check({ signatures }, report) {
    for (const signature of signatures) {
      const read = readJws(signature.value)
      if (!('problem' in read)) continue
      const at = textMember(signature, read.member)
      // The schema reports ill-typed and missing members.
      if (at !== undefined && at.value !== '') report(at.pointer, read.problem)
    }
  },
}
