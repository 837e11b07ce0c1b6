import type { Report, Rule } from '../../frame/rule.ts'
import { ALGORITHMS } from '../../keys/algorithms.ts'
import { readBase64url } from '../../keys/base64.ts'
import { objectMember, type PlacedObject, textMember } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { DIGESTS } from '../signature/signed.ts'

export const signatureValues: Rule<Agent> = {
  id: 'signature-values',
  code: 'BADL-132',
  title: 'Signature that nobody can verify',
  section: 'ADL 10.3',
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'A signature of an unknown algorithm, or that is not in base64url, is refused by whoever verifies it, and the document with it.',
  bad: '{"security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "a+b/", "signed_content": "canonical"}}}}',
  good: '{"security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "a-b_", "signed_content": "canonical"}}}}',
  check({ attestation }, report) {
    const signature = objectMember(attestation, 'signature')
    if (signature === undefined) return
    checkName(signature, 'algorithm', Object.keys(ALGORITHMS), report)
    checkName(signature, 'digest_algorithm', DIGESTS, report)
    for (const name of ['value', 'digest_value']) {
      const text = textMember(signature, name)
      if (text === undefined || readBase64url(text.value) !== undefined) continue
      report(text.pointer, `Member '${name}' must be base64url without padding`)
    }
  },
}

function checkName(signature: PlacedObject, member: string, known: readonly string[], report: Report): void {
  const text = textMember(signature, member)
  if (text === undefined || known.includes(text.value)) return
  report(text.pointer, `${quoted(text.value)} is not a known algorithm, expected ${oneOf(known)}`)
}
