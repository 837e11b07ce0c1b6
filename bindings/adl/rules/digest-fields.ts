import type { Rule } from '../../frame/rule.ts'
import { member, objectMember } from '../../text/members.ts'
import type { Agent } from '../agent.ts'

const FIELDS = ['digest_algorithm', 'digest_value']

export const digestFields: Rule<Agent> = {
  id: 'VAL-24',
  code: 'ADL-2019',
  title: 'Missing digest fields for digest-mode signature',
  section: 'ADL 10.3',
  severity: 'error',
  why: 'A signature over a digest proves nothing about the document unless the digest and how it is made are told.',
  bad: '{"security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "AA", "signed_content": "digest"}}}}',
  good: '{"security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "AA", "signed_content": "digest", "digest_algorithm": "SHA-256", "digest_value": "AA"}}}}',
  check({ attestation }, report) {
    const signature = objectMember(attestation, 'signature')
    if (signature === undefined || member(signature.value, 'signed_content') !== 'digest') return
    const missing = FIELDS.filter((name) => !Object.hasOwn(signature.value, name))
    if (missing.length > 0) {
      report(signature.pointer, `Signature of a digest has no ${missing.map((name) => `'${name}'`).join(' and ')}`)
    }
  },
}
