import type { Rule } from '../../frame/rule.ts'
import { member, objectMember } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { VAL_24 } from '../findings.ts'

const FIELDS = ['digest_algorithm', 'digest_value']

export const digestFields: Rule<Agent> = {
  ...VAL_24,
  check({ attestation }, report) {
    const signature = objectMember(attestation, 'signature')
    if (signature === undefined || member(signature.value, 'signed_content') !== 'digest') return
    const missing = FIELDS.filter((name) => !Object.hasOwn(signature.value, name))
    if (missing.length > 0) {
      report(signature.pointer, `Signature of a digest has no ${missing.map((name) => `'${name}'`).join(' and ')}`)
    }
  },
}
