import { visible } from '../text/hidden.ts'
import { isHostName } from '../text/host-name.ts'
import { isObject, type JsonObject, member, objectOf } from '../text/members.ts'
import { attempt, KeyError } from './base64.ts'
import { decodeBase58, readMultikey } from './export.ts'
import { algorithmsOf, checkMaterial, Key, readJwk, readPublic } from './key.ts'

const DID = /^did:([a-z0-9]+):([A-Za-z0-9._:%-]+)$/
const SEGMENT = /^(?!\.{1,2}$)([A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/
const LONGEST = 2048

/** True when a text is a DID (W3C DID Core section 3.1). */
export function isDid(text: string): boolean {
  return /^did:[a-z0-9]+:[\w.:%-]*[\w.-]$/.test(text) && !/%(?![0-9A-Fa-f]{2})/.test(text)
}

/** The two parts of a DID after `did:` (DID Core section 3.1). Parameters and fragments are not part of a DID. */
export function parseDid(did: string): { method: string; id: string } {
  const [, method, id] = (did.length <= LONGEST && DID.exec(did)) || []
  if (method === undefined) throw new KeyError('KEY-110', `expected a DID, found ${visible(did.slice(0, 80))}`)
  return { method, id: id! }
}

/**
 * The public key that a did:key contains.
 *
 * @example
 * keyOfDid('did:key:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw').kind // 'Ed25519'
 *
 * @throws {KeyError} KEY-110 for an invalid DID, KEY-111 for another method or kind of key, KEY-102 for a malformed
 * key.
 */
export function keyOfDid(did: string): Key {
  const { method, id } = parseDid(did)
  if (method !== 'key') throw new KeyError('KEY-111', `expected did:key, found did:${method}`)
  return readMultikey(id)
}

/**
 * The URL of a did:web's document (did:web method section 2.5.2). Fetches nothing.
 *
 * @example
 * didWebUrl('did:web:acme.example.com:agents:scout') // 'https://acme.example.com/agents/scout/did.json'
 * didWebUrl('did:web:acme.example.com%3A8443') // 'https://acme.example.com:8443/.well-known/did.json'
 *
 * @throws {KeyError} KEY-110 for a malformed DID or one with an IP address instead of a name; KEY-111 for another
 * method.
 */
export function didWebUrl(did: string): string {
  const { method, id } = parseDid(did)
  if (method !== 'web') throw new KeyError('KEY-111', `expected did:web, found did:${method}`)
  const [authority, ...path] = id.split(':') as [string, ...string[]]
  const [, name, port] = /^([^%]+)(?:%3[Aa](\d{1,5}))?$/.exec(authority) ?? []
  const host = name?.toLowerCase() ?? ''
  const isPath = path.every((segment) => SEGMENT.test(segment) && !/%(2f|5c|2e)/i.test(segment))
  if (!isHostName(host) || Number(port ?? 1) > 65535 || !isPath) {
    throw new KeyError('KEY-110', `expected did:web with the name of a host, found ${visible(did.slice(0, 80))}`)
  }
  const place = path.length === 0 ? '.well-known' : path.join('/')
  return `https://${host}${port === undefined ? '' : `:${Number(port)}`}/${place}/did.json`
}

/** A key that a DID document lists for signing statements, or the reason why it cannot be used. */
export type DidKey = { readonly id: string } & ({ readonly key: Key } | { readonly error: KeyError })

const MOST_METHODS = 100

function methodsIn(document: JsonObject, name: string): readonly unknown[] {
  const value = member(document, name)
  return Array.isArray(value) ? value.slice(0, MOST_METHODS) : []
}

/**
 * The keys with which a DID's subject signs statements: those under `assertionMethod` (DID Core section 5.3.2) that the
 * subject itself controls.
 *
 * @throws {KeyError} KEY-112 when the document is invalid or belongs to another subject.
 */
export function keysOfDidDocument(did: string, document: unknown): DidKey[] {
  if (!isObject(document) || member(document, 'id') !== did) {
    throw new KeyError('KEY-112', `expected the document of ${did}, found one without that id`)
  }
  const methods = new Map<string, JsonObject>()
  // `publicKey` is the name used before DID Core 1.0.
  for (const method of [...methodsIn(document, 'verificationMethod'), ...methodsIn(document, 'publicKey')]) {
    const id = member(objectOf(method), 'id')
    if (typeof id === 'string') methods.set(absolute(did, id), objectOf(method))
  }
  return methodsIn(document, 'assertionMethod').flatMap((entry): DidKey[] => {
    const method = typeof entry === 'string' ? methods.get(absolute(did, entry)) : entry
    if (!isObject(method)) return []
    const id = absolute(did, String(member(method, 'id')))
    return attempt(
      (): DidKey[] => [{ id, key: keyOfMethod(did, method) }],
      (error) => [{ id, error }],
    )
  })
}

const absolute = (did: string, id: string) => (id.startsWith('#') ? `${did}${id}` : id)

function keyOfMethod(did: string, method: JsonObject): Key {
  const controller = member(method, 'controller')
  if (controller !== undefined && controller !== '' && controller !== did) {
    throw new KeyError('KEY-112', 'expected a key that the subject controls, found one of somebody else')
  }
  const jwk = member(method, 'publicKeyJwk')
  if (isObject(jwk)) {
    const { kind, members, algorithms } = readJwk(jwk)
    return new Key(kind, members, algorithms).publicKey
  }
  const multibase = member(method, 'publicKeyMultibase')
  if (typeof multibase === 'string') return readMultikey(multibase)
  const base58 = member(method, 'publicKeyBase58')
  if (member(method, 'type') === 'Ed25519VerificationKey2018' && typeof base58 === 'string') {
    const members = readPublic('Ed25519', decodeBase58(base58))
    return new Key(
      'Ed25519',
      checkMaterial({ kind: 'Ed25519', members, algorithms: [] }).members,
      algorithmsOf('Ed25519'),
    )
  }
  throw new KeyError('KEY-111', 'expected publicKeyJwk or publicKeyMultibase, found a key in another form')
}
