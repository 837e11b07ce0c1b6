import type { Rule } from '../../frame/rule.ts'
import { objectMember, textMember } from '../../text/members.ts'
import { mayHoldSecret } from '../../text/secret-shapes.ts'
import { REVOKE_SECRET, searchSecrets } from '../../text/secrets.ts'
import type { Agent } from '../agent.ts'
import { SECRET } from '../findings.ts'

/** Random values that are meant to be public: keys for verification, signatures, digests. */
const PUBLIC = /^\/(cryptographic_identity\/public_key|security\/attestation\/signature)\/\w+$/

/** The same values as one text. */
function publicTexts({ identity, attestation }: Agent): string {
  const key = textMember(objectMember(identity, 'public_key'), 'value')
  const signature = objectMember(attestation, 'signature')
  const texts = [key, textMember(signature, 'value'), textMember(signature, 'digest_value')]
  return texts.map((text) => text?.value ?? '').join(' ')
}

export const secrets: Rule<Agent> = {
  ...SECRET,
  check(agent, report) {
    const { document, root } = agent
    if (!mayHoldSecret(document.bytes, publicTexts(agent))) return
    searchSecrets(root.value, (pointer, what) => {
      if (!PUBLIC.test(pointer)) report(pointer, `The text looks like ${what}`, { fix: REVOKE_SECRET })
    })
  },
}
