import type { Document } from '../document/parse.ts'
import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { objectAtRoot, type Reading, type Rule, severityOf } from '../frame/subject.ts'
import { elements, isObject, objectMember, type PlacedObject, type PlacedValue, textMember } from '../text/members.ts'
import * as FINDINGS from './findings.ts'
import { ROOT_OBJECT } from './findings.ts'
import {
  authMethods,
  dnsClaim,
  duplicateCapability,
  fractionalRate,
  languageTag,
  mediaToken,
  minProtocolVersion,
  nameless,
  noAuthMethods,
  placeholder,
  pricingModel,
  rateLimit,
  securityBlock,
  tlsRequired,
  unknownMethod,
} from './rules/capabilities.ts'
import {
  agentId,
  domainForm,
  draftFingerprint,
  endpointCredentials,
  endpointScheme,
  endpointUrl,
  fingerprintForm,
  fingerprintMatch,
  foreignMember,
  fullKey,
  isOtherProtocol,
  noFullKey,
  olderProtocol,
  protocolVersion,
  wellKnownOrigin,
  wellKnownPath,
} from './rules/endpoints.ts'
import schema from './schema.json' with { type: 'json' }

/** The members of `endpoints` that are URLs, and the scheme of each (section 6.3.3). */
const ENDPOINTS = {
  wellKnown: 'https',
  discovery: 'https',
  chat: 'wss',
  tasks: 'https',
  swarm: 'https',
  webhook: 'https',
} as const

export type EndpointName = keyof typeof ENDPOINTS

export interface Endpoint extends PlacedValue<string> {
  readonly name: string
  readonly scheme: string
}

/** Metadata as rules and verbs read it: only the members that are present and have the right type. */
export class Metadata {
  readonly document: Document
  readonly root: PlacedObject
  readonly protocol: PlacedValue<string> | undefined
  readonly identity: PlacedObject | undefined
  readonly id: PlacedValue<string> | undefined
  readonly domain: PlacedValue<string> | undefined
  readonly publicKey: PlacedObject | undefined
  readonly fingerprint: PlacedValue<string> | undefined
  readonly full: PlacedValue<string> | undefined
  /** At /identity/publicKey/proof as in the draft, or at /identity/proof, where some implementations put it. */
  readonly proof: PlacedValue<string> | undefined
  readonly endpoints: readonly Endpoint[]
  readonly capabilities: readonly PlacedObject[]
  readonly security: PlacedObject | undefined

  /** @throws {TypeError} when the document is not a JSON object. */
  constructor(document: Document) {
    const root = objectAtRoot(document)
    const identity = objectMember(root, 'identity')
    const publicKey = objectMember(identity, 'publicKey')
    const endpoints = objectMember(root, 'endpoints')
    this.document = document
    this.root = root
    this.protocol = textMember(root, 'protocol')
    this.identity = identity
    this.id = textMember(identity, 'id')
    this.domain = textMember(identity, 'domain')
    this.publicKey = publicKey
    this.fingerprint = textMember(publicKey, 'fingerprint')
    this.full = textMember(publicKey, 'full')
    this.proof = textMember(publicKey, 'proof') ?? textMember(identity, 'proof')
    this.endpoints = Object.entries(ENDPOINTS).flatMap(([name, scheme]) => {
      const url = textMember(endpoints, name)
      return url === undefined ? [] : [{ ...url, name, scheme }]
    })
    this.capabilities = elements(root, 'capabilities', isObject)
    this.security = objectMember(root, 'security')
  }
}

/** How metadata is parsed. */
export const METADATA_READING: Reading<Metadata> = {
  kind: 'wellknown',
  rootObject: ROOT_OBJECT,
  subject(document) {
    // The rules hash the key with the core.
    document.keepPlaces()
    return new Metadata(document)
  },
}

// ADP/1.1 metadata as a specification of the frame.

export const metadataShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'metadata documents',
  rules: shapeRules([
    FINDINGS.KEY_ALGORITHM,
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.NUMBER_RANGE,
  ]),
  byFormat: {},
  grammar: {},
  // Unknown members are ignored (section 9.4), so no member is undefined.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that the draft does not define are ignored' }),
}

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

export const METADATA: Specification<Metadata> = {
  ...METADATA_READING,
  words: WORDS,
  settings: ruleSettings,
  gate(metadata, findings, settings) {
    if (!isOtherProtocol(metadata)) return true
    // Section 9.4: another version requires other members, so faults by these rules would be meaningless.
    const severity = severityOf(protocolVersion, settings.ruleset, settings.rules)
    protocolVersion.check(metadata, (...finding) => findings.add(protocolVersion, severity, ...finding), settings)
    return false
  },
  shapes: ({ root }) => [{ shape: metadataShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
  // An edit would invalidate the proof.
  isEditable: (document) => isObject(document.value) && METADATA_READING.subject(document).proof === undefined,
}
