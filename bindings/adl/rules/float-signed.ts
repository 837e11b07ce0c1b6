import type { Report, Rule } from '../../frame/rule.ts'
import { objectMember } from '../../text/members.ts'
import { escapeToken } from '../../text/pointer.ts'
import type { Agent } from '../agent.ts'

/** Reports every number that is not an integer. */
export function reportFractions(value: unknown, pointer: string, report: Report): void {
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) report(pointer, `The number ${value} is no integer, and the document is signed`)
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      reportFractions((value as Record<string, unknown>)[name], `${pointer}/${escapeToken(name)}`, report)
    }
  }
}

export const floatSigned: Rule<Agent> = {
  id: 'float-signed',
  code: 'BADL-117',
  title: 'Fraction in a signed document',
  section: 'ADL 18.8',
  severity: 'warning',
  why: 'Programs that write fractions in another way than RFC 8785 find the signature broken.',
  bad: '{"model": {"temperature": 0.7}, "security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "AA", "signed_content": "canonical"}}}}',
  good: '{"model": {"temperature": 1}, "security": {"attestation": {"signature": {"algorithm": "Ed25519", "value": "AA", "signed_content": "canonical"}}}}',
  check({ attestation, root }, report) {
    if (objectMember(attestation, 'signature') !== undefined) reportFractions(root.value, '', report)
  },
}
