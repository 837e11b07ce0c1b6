// The form of signatures (A2A 1.0 section 8.4, RFC 7515 section 7.2.2). `verify` decides whether they are valid.

import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import type { A2aCard } from '../a2a-card.ts'
import { A2A_SIGNATURE_FORM } from '../findings.ts'
import { readJws } from '../jws.ts'

export const signatureForm: Rule<A2aCard> = {
  ...A2A_SIGNATURE_FORM,
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
