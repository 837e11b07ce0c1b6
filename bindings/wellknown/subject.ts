import type { Document } from '../document/parse.ts'
import { objectAtRoot, type Reading } from '../frame/subject.ts'
import { elements, isObject, objectMember, type PlacedObject, type PlacedValue, textMember } from '../text/members.ts'
import { ROOT_OBJECT } from './findings.ts'

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
