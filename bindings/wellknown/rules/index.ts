import type { Rule } from '../../frame/rule.ts'
import type { Metadata } from '../metadata.ts'
import { duplicateCapability, languageTag, mediaToken, nameless, placeholder, pricingModel } from './capabilities.ts'
import { endpointCredentials, endpointScheme, endpointUrl, wellKnownOrigin, wellKnownPath } from './endpoints.ts'
import {
  agentId,
  domainForm,
  draftFingerprint,
  fingerprintForm,
  fingerprintMatch,
  fullKey,
  noFullKey,
} from './identity.ts'
import { foreignMember, olderProtocol, protocolVersion } from './protocol.ts'
import {
  authMethods,
  dnsClaim,
  fractionalRate,
  minProtocolVersion,
  noAuthMethods,
  rateLimit,
  securityBlock,
  tlsRequired,
  unknownMethod,
} from './security.ts'

/** In the order of the document. */
export const RULES: readonly Rule<Metadata>[] = [
  protocolVersion,
  olderProtocol,
  foreignMember,
  domainForm,
  agentId,
  fingerprintForm,
  draftFingerprint,
  fullKey,
  fingerprintMatch,
  noFullKey,
  endpointUrl,
  endpointScheme,
  endpointCredentials,
  wellKnownOrigin,
  wellKnownPath,
  duplicateCapability,
  nameless,
  mediaToken,
  languageTag,
  pricingModel,
  placeholder,
  securityBlock,
  tlsRequired,
  authMethods,
  noAuthMethods,
  unknownMethod,
  minProtocolVersion,
  rateLimit,
  fractionalRate,
  dnsClaim,
]
