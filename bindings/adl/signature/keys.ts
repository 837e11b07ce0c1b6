// Finds the key to verify a signature with (ADL sections 6.3 and 10.3), and checks that it may be used.

import type { Diagnostic } from '../../document/types.ts'
import { attempt, decodeBase64url, encodeBase64, KeyError } from '../../keys/base64.ts'
import { keyOfDid, parseDid } from '../../keys/did.ts'
import { exportKey } from '../../keys/export.ts'
import { ALGORITHMS, type Algorithm, isSameKey, type Key, publicMembers } from '../../keys/key.ts'
import { readPublicKey } from '../../keys/read.ts'
import type { resolveDidWeb } from '../../net/did.ts'
import { objectMember, textIn, textMember, valueIn } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { SIGNATURE_INVALID, SIGNATURE_KEY, SIGNATURE_UNLISTED_KEY } from '../findings.ts'
import { isWeak, weakKey } from '../rules/identifiers.ts'
import type { Agent } from '../subject.ts'
import { type AdlSteps, SIGNATURE } from './signed.ts'

export const PUBLIC_KEY = '/cryptographic_identity/public_key'
const DID = '/cryptographic_identity/did'

/** The hint for a key that only the domain of the DID publishes. */
const RESOLVING = 'blazon verify --resolve asks the domain of the DID for its keys'

/** `pinned`: passed by the caller. `document`: it came with the document, so it proves nothing about the author. */
export type KeyOrigin = 'pinned' | 'did:web' | 'did:key' | 'document'

export interface KeySet {
  readonly origin: KeyOrigin
  readonly keys: readonly Key[]
  /** The host that published the keys of a did:web. */
  readonly host?: string
  /** True when the address of that host was checked, false when only its name was. */
  readonly addressChecked?: boolean
}

/** The keys to verify a signature of this algorithm with. Undefined if no key is found; a step then gives the reason. */
export async function findKeys(
  agent: Agent,
  algorithm: Algorithm,
  { pinned, resolve }: KeyOptions,
  steps: AdlSteps,
): Promise<KeySet | undefined> {
  const found = await lookUp(agent, algorithm, { pinned, resolve }, steps)
  if (found === undefined) return undefined
  const { words, ...set } = found
  const keys = set.keys.filter((key) => key.algorithms.includes(algorithm))
  // The signature may still be valid even if its key is not trusted.
  if (keys.length === 0 && set.origin !== 'pinned')
    return steps.failed('key', `${words}: none is for ${algorithm}`, { rule: SIGNATURE_INVALID, pointer: SIGNATURE })
  steps.passed('key', words, { origin: set.origin })
  if (keys.length > 0) steps.passed('strength', [...new Set(keys.map(strength))].join(', '))
  return { ...set, keys }
}

export interface KeyOptions {
  /** Keys that the caller trusts. If given, only these count. */
  readonly pinned: readonly Key[] | undefined
  readonly resolve: resolveDidWeb.Options | undefined
}

type DescribedKeys = KeySet & { readonly words: string }

async function lookUp(
  agent: Agent,
  algorithm: Algorithm,
  { pinned, resolve }: KeyOptions,
  steps: AdlSteps,
): Promise<DescribedKeys | undefined> {
  if (pinned !== undefined) {
    return { origin: 'pinned', keys: pinned, words: `keys that the caller trusts: ${pinned.length}` }
  }
  const held = valueIn(agent.identity, 'public_key') !== undefined
  const own = held ? documentKey(agent, algorithm, steps) : undefined
  if (held && own === undefined) return undefined
  const did = textMember(agent.identity, 'did')
  if (did !== undefined && resolve !== undefined) {
    const set = await didKeys(did.value, resolve, steps)
    if (set === undefined || (own !== undefined && !isListed(own, set, steps))) return undefined
    return { ...set, keys: own === undefined ? set.keys : [own], words: `${quoted(did.value)} lists it` }
  }
  if (own !== undefined) return { origin: 'document', keys: [own], words: 'the document itself holds it' }
  if (did === undefined) {
    const remark = { rule: SIGNATURE_KEY, pointer: '/cryptographic_identity', fix: { hint: WAYS_TO_A_KEY } }
    steps.unknown('key', 'the document names neither a key nor a DID', remark)
  } else {
    const detail = `the document holds no key, and its DID ${quoted(did.value)} is resolved only when asked`
    steps.unknown('key', detail, { rule: SIGNATURE_KEY, pointer: did.pointer, fix: { hint: RESOLVING } })
  }
  return undefined
}

/** The key that the agent declares as its own; undefined if it cannot be read. */
export function ownKey({ identity }: Agent): Key | undefined {
  const value = textMember(identity, 'public_key', 'value')
  return value && attempt(() => readPublicKey(value.value))
}

/** The key that the document itself contains, as its public key or as a did:key. */
export function keyInside(agent: Agent): Key | undefined {
  const did = textIn(agent.identity, 'did')
  return ownKey(agent) ?? (did?.startsWith('did:key:') ? attempt(() => keyOfDid(did)) : undefined)
}

function strength(key: Key): string {
  const { n } = publicMembers(key)
  return n === undefined ? key.kind : `RSA of ${8 * decodeBase64url(n).length} bits`
}

/** The key that the document itself contains. Undefined if it cannot be used; a step then gives the reason. */
function documentKey(agent: Agent, algorithm: Algorithm, steps: AdlSteps): Key | undefined {
  const object = objectMember(agent.identity, 'public_key')
  const name = textIn(object, 'algorithm')
  const value = textIn(object, 'value')
  if (name !== undefined && isWeak(name)) {
    const detail = `Algorithm ${quoted(name)} does not meet minimum strength requirements`
    return steps.failed('strength', detail, { rule: weakKey, pointer: PUBLIC_KEY })
  }
  if (name === undefined || value === undefined) {
    const detail = 'expected a public key with the texts algorithm and value, found none'
    return steps.unknown('key', detail, { rule: SIGNATURE_KEY, pointer: PUBLIC_KEY })
  }
  try {
    const key = readPublicKey(value)
    if (!Object.hasOwn(ALGORITHMS, name)) {
      const remark = { rule: SIGNATURE_KEY, pointer: `${PUBLIC_KEY}/algorithm` }
      steps.unknown('key', `the key of the document is for ${quoted(name)}, which is not supported`, remark)
    } else if (name !== algorithm || !key.algorithms.includes(algorithm)) {
      const detail = `the key of the document is one of ${key.kind} for ${name}, the signature is of ${algorithm}`
      steps.failed('key', detail, { rule: SIGNATURE_INVALID, pointer: PUBLIC_KEY })
    } else return key
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const detail = `the key of the document cannot be used: ${error.message}`
    if (error.code === 'KEY-104') steps.failed('strength', detail, { rule: weakKey, pointer: PUBLIC_KEY })
    else steps.unknown('key', detail, { rule: SIGNATURE_KEY, pointer: `${PUBLIC_KEY}/value` })
  }
  return undefined
}

/** The keys of the document's DID. Undefined if they are unavailable; a step then gives the reason. */
async function didKeys(did: string, options: resolveDidWeb.Options, steps: AdlSteps): Promise<KeySet | undefined> {
  const refuse = (detail: string) =>
    steps.unknown('key', `${quoted(did)}: ${detail}`, { rule: SIGNATURE_KEY, pointer: DID })
  try {
    if (parseDid(did).method !== 'web') return { origin: 'did:key', keys: [keyOfDid(did)] }
  } catch (error) {
    if (error instanceof KeyError) return refuse(error.message)
    throw error
  }
  // Most verifications fetch nothing, so the fetching code is loaded only when needed.
  const { resolveDidWeb } = await import('../../net/did.ts')
  const resolved = await resolveDidWeb(did, options)
  if (!resolved.ok) return refuse(wordsOf(resolved.diagnostic))
  const keys = resolved.keys.flatMap((entry) => ('key' in entry ? [entry.key] : []))
  if (keys.length === 0) return refuse('its document lists no key for signing statements that can be used')
  return { origin: 'did:web', keys, host: new URL(resolved.url).host, addressChecked: resolved.addressChecked }
}

const wordsOf = ({ title, detail }: Diagnostic) => `${title}: ${detail}`

/** True when the DID lists the key in the document; otherwise reports the failure. */
function isListed(own: Key, { keys, origin }: KeySet, steps: AdlSteps): boolean {
  if (keys.some((key) => isSameKey(own, key))) return true
  steps.failed('key', `the ${origin} of the document lists other keys than the document holds`, {
    rule: SIGNATURE_UNLISTED_KEY,
    pointer: PUBLIC_KEY,
  })
  return false
}

/** `cryptographic_identity.public_key` (ADL section 6.3). */
export interface PublicKeyMember {
  readonly algorithm: Algorithm
  readonly value: string
}

/** The public half of a key in the form of a definition. */
export async function publicKeyMember(key: Key, algorithm: Algorithm): Promise<PublicKeyMember> {
  return { algorithm, value: encodeBase64(await exportKey(key, 'spki')) }
}

/** For a definition that names no key. */
export const WAYS_TO_A_KEY =
  'blazon sign --embed-key writes the public key into the definition; who knows the public key verifies with blazon verify --key'

/** For a definition that names another key than the one that signs. */
export const WAYS_TO_ONE_KEY =
  'sign with the private half of the key in the definition, or take public_key out and sign with --embed-key, which writes the new one'

/** For a document without a signature that does not look like a definition. */
export const NO_DEFINITION =
  'nothing in it tells what it is, so it was taken for an agent definition: blazon validate FILE says what is missing'
