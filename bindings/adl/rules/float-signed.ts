import type { Report, Rule } from '../../frame/rule.ts'
import { objectMember } from '../../text/members.ts'
import { escapeToken } from '../../text/pointer.ts'
import type { Agent } from '../agent.ts'
import { FLOAT_SIGNED } from '../findings.ts'

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
  ...FLOAT_SIGNED,
  check({ attestation, root }, report) {
    if (objectMember(attestation, 'signature') !== undefined) reportFractions(root.value, '', report)
  },
}
