import type { Rule, RuleInfo } from '../../frame/rule.ts'
import type { A2aCard } from '../a2a-card.ts'
import { binding, interfaceUrl, modes, plainHttp, protocolVersion } from './interfaces.ts'
import { legacyMember, olderMember } from './legacy.ts'
import { emptyValue, enumValue, memberType, missingMember, unknownMember } from './schema.ts'
import { scriptUrl } from './script-url.ts'
import { deprecatedFlow, schemeKind, undeclaredScheme } from './security.ts'
import { signatureForm } from './signatures.ts'

/** The rules of A2A cards except those that the schemas check. */
export const RULES: readonly Rule<A2aCard>[] = [
  olderMember,
  interfaceUrl,
  plainHttp,
  scriptUrl,
  binding,
  protocolVersion,
  modes,
  schemeKind,
  undeclaredScheme,
  deprecatedFlow,
  signatureForm,
]

/** Every rule that may report a finding for an A2A card, for explanations of codes. */
export const A2A_RULES: readonly RuleInfo[] = [
  missingMember,
  memberType,
  enumValue,
  emptyValue,
  unknownMember,
  legacyMember,
  ...RULES,
]
