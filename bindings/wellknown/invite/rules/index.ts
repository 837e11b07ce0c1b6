import type { Rule } from '../../../frame/rule.ts'
import type { Invitation } from '../invitation.ts'
import { agentId, codeStrength, expired, farExpiry, fingerprintForm, wellKnownOrigin, wellKnownUrl } from './content.ts'
import { foreignMember, protocolVersion } from './protocol.ts'

/** In the order of the document. */
export const RULES: readonly Rule<Invitation>[] = [
  protocolVersion,
  foreignMember,
  codeStrength,
  agentId,
  wellKnownUrl,
  wellKnownOrigin,
  fingerprintForm,
  expired,
  farExpiry,
]
