import type { Report, Rule } from '../../frame/rule.ts'
import { ALGORITHMS } from '../../keys/algorithms.ts'
import { readBase64url } from '../../keys/base64.ts'
import { objectMember, type PlacedObject, textMember } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { SIGNATURE_VALUES } from '../findings.ts'
import { DIGESTS } from '../signature/signed.ts'

export const signatureValues: Rule<Agent> = {
  ...SIGNATURE_VALUES,
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
