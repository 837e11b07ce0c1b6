import type { Rule } from '../../frame/rule.ts'
import type { A2aCard } from '../a2a-card.ts'
import { binding, interfaceUrl, modes, plainHttp, protocolVersion } from './interfaces.ts'
import { olderMember } from './legacy.ts'
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
