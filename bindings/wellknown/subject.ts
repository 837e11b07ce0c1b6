import { type Reading, RootSubject } from '../frame/subject.ts'
import { elements, isObject, objectMember, type PlacedValue, textMember } from '../text/members.ts'
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
export class Metadata extends RootSubject {
  readonly protocol = textMember(this.root, 'protocol')
  readonly identity = objectMember(this.root, 'identity')
  readonly id = textMember(this.identity, 'id')
  readonly domain = textMember(this.identity, 'domain')
  readonly publicKey = objectMember(this.identity, 'publicKey')
  readonly fingerprint = textMember(this.publicKey, 'fingerprint')
  readonly full = textMember(this.publicKey, 'full')
  /** At /identity/publicKey/proof as in the draft, or at /identity/proof, where some implementations put it. */
  readonly proof = textMember(this.publicKey, 'proof') ?? textMember(this.identity, 'proof')
  readonly endpoints: readonly Endpoint[] = Object.entries(ENDPOINTS).flatMap(([name, scheme]) => {
    const url = textMember(this.root, 'endpoints', name)
    return url === undefined ? [] : [{ ...url, name, scheme }]
  })
  readonly capabilities = elements(this.root, 'capabilities', isObject)
  readonly security = objectMember(this.root, 'security')
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
