// Checks one signature of a card against all candidate keys and payloads.

import type { Fix } from '../document/types.ts'
import type { KeyResolver } from '../frame/expected.ts'
import { fingerprint } from '../keys/fingerprint.ts'
import { importKey } from '../keys/import.ts'
import type { Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { openVerifier } from '../keys/verifier.ts'
import { isObject } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { type Jws, readJws } from './jws.ts'
import { type Payload, signingInput } from './payload.ts'

/** An A2A card gives the name of its key, but not the key. */
const WAY_TO_A_KEY = 'verify with the public key of the signer: blazon verify FILE --key KEY'

export interface A2aKeys {
  /** Keys that the caller trusts. If given, no other key counts. */
  readonly pinned: readonly Key[] | undefined
  readonly resolver: KeyResolver | undefined
  readonly subtle: Subtle
}

export interface SignatureVerdict {
  readonly pointer: string
  /** `unknown`: neither proved nor refuted. */
  readonly outcome: 'valid' | 'invalid' | 'unknown'
  readonly detail: string
  /** The payload that a valid signature covers. */
  readonly payload?: Payload
  readonly jws?: Jws
  /** Where the keys came from. */
  readonly keys?: string
  /** The thumbprint of the signing key. */
  readonly print?: string
  /** How to fix it, if there is a way. */
  readonly fix?: Fix
  /** Set when the budget ran out before this signature was tried. */
  readonly isUntried?: true
}

/** How many attempts with a key are left. */
export interface Budget {
  attempts: number
}

/** The maximum number of keys to try for one kid. */
const MOST_KEYS = 16

export async function checkSignature(
  entry: unknown,
  pointer: string,
  payloads: readonly Payload[],
  sources: A2aKeys,
  budget: Budget,
): Promise<SignatureVerdict> {
  if (!isObject(entry)) return { pointer, outcome: 'invalid', detail: `expected a signature, found ${shown(entry)}` }
  const jws = readJws(entry)
  if ('problem' in jws) return { pointer, outcome: jws.isUnknown ? 'unknown' : 'invalid', detail: jws.problem }
  const untried = { pointer, outcome: 'unknown', detail: 'not tried', jws, isUntried: true } as const
  if (budget.attempts <= 0) return untried
  const keys = await keysFor(jws, sources, budget)
  if (keys === undefined) {
    const detail = `no key to verify with: the caller trusts none, and nobody says which one the kid ${quoted(jws.kid)} is`
    return { pointer, outcome: 'unknown', detail, jws, fix: { hint: WAY_TO_A_KEY } }
  }
  const cost = keys.list.filter((key) => algorithmOf(jws, key) !== undefined).length * payloads.length
  if (cost > budget.attempts) return untried
  budget.attempts -= cost
  const found = await matching(jws, keys.list, payloads, sources.subtle)
  const told = { pointer, jws, keys: keys.words }
  if (found === undefined) return { ...told, outcome: 'invalid', detail: whyNone(jws, keys.list) }
  const print = await fingerprint(found.key, { subtle: sources.subtle })
  const detail = `valid, ${jws.alg}, kid ${quoted(jws.kid)}, by the key with the thumbprint ${print}`
  return { ...told, outcome: 'valid', detail, payload: found.payload, print }
}

async function keysFor({ kid }: Jws, { pinned, resolver, subtle }: A2aKeys, budget: Budget) {
  if (pinned !== undefined) return { list: pinned, words: `keys that the caller trusts: ${pinned.length}` }
  // A resolver call counts as an attempt, because it may take as long as trying a key.
  if (resolver !== undefined) budget.attempts--
  const sources = await resolver?.(kid)
  if (sources === undefined) return undefined
  const list = await Promise.all(
    sources.slice(0, MOST_KEYS).map(async (key) => (await importKey(key, { subtle })).publicKey),
  )
  return { list, words: `keys that the caller knows as ${quoted(kid)}: ${list.length}` }
}

async function matching(jws: Jws, keys: readonly Key[], payloads: readonly Payload[], subtle: Subtle) {
  for (const key of keys) {
    const algorithm = algorithmOf(jws, key)
    if (algorithm === undefined) continue
    const verifier = await openVerifier(key, { algorithm, subtle })
    for (const payload of payloads) {
      if (await verifier.verify(signingInput(jws.protectedHeader, payload), jws.value)) return { key, payload }
    }
  }
  return undefined
}

const algorithmOf = ({ algorithms }: Jws, key: Key) =>
  algorithms.find((candidate) => key.algorithms.includes(candidate))

function whyNone({ algorithms, alg }: Jws, keys: readonly Key[]): string {
  const fits = keys.some((key) => algorithms.some((algorithm) => key.algorithms.includes(algorithm)))
  return fits
    ? 'the card was changed after it was signed, or was signed with another key'
    : `none of the keys is for ${alg}`
}
