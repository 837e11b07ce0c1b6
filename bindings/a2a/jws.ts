// A signature in the form of RFC 7515 section 7.2.2, without its payload, which is the card: {protected, signature,
// header?}; and how one is checked against all candidate keys and payloads.
import { parse } from '../document/parse.ts'
import type { Fix } from '../document/types.ts'
import type { KeyResolver } from '../frame/source.ts'
import { readBase64url } from '../keys/base64.ts'
import { fingerprint } from '../keys/export.ts'
import type { Algorithm, Key } from '../keys/key.ts'
import { importKey, type Subtle } from '../keys/platform.ts'
import { openVerifier } from '../keys/verify.ts'
import { isObject, isText, type JsonObject, member } from '../text/members.ts'
import { oneOf, quoted, shown } from '../text/words.ts'
import type { OtherForm } from './other-forms.ts'
import { type Payload, signingInput } from './payload.ts'

/** The JWS algorithms (RFC 7518, 8037, 9864) that are supported. For EdDSA, the key determines the curve. */
const ALGORITHMS: Readonly<Record<string, readonly Algorithm[]>> = {
  EdDSA: ['Ed25519', 'Ed448'],
  Ed25519: ['Ed25519'],
  Ed448: ['Ed448'],
  ES256: ['ES256'],
  ES384: ['ES384'],
  ES512: ['ES512'],
  RS256: ['RS256'],
  PS256: ['PS256'],
}

/** Bounds the input: no legitimate header is larger. */
const LARGEST_HEADER = 16_384
const DEPTH = 8

/** A parsed signature. */
export interface Jws {
  readonly algorithms: readonly Algorithm[]
  readonly alg: string
  readonly kid: string
  /** A URL of the signer's keys, chosen by the signer. It is neither fetched nor trusted. */
  readonly jku: string | undefined
  /** Exactly as written, because the signature covers this text. */
  readonly protectedHeader: string
  readonly value: Uint8Array<ArrayBuffer>
}

/** The reason why a signature cannot be used, and the faulty member. */
export interface JwsProblem {
  readonly member: 'protected' | 'signature'
  readonly problem: string
  /** The signature may be valid for a verifier that supports its algorithm. */
  readonly isUnknown?: true
  /** Section 8.4.2 requires the member that is missing. */
  readonly isMissing?: true
}

/** Parses a signature. Nothing in it is trusted yet. */
export function readJws(signature: JsonObject): Jws | JwsProblem {
  const text = member(signature, 'protected')
  const header = isText(text) ? readHeader(text) : undefined
  if (!isText(text) || header === undefined) {
    return { member: 'protected', problem: 'Expected a JSON object in base64url without padding' }
  }
  const problem = problemOf(header, member(signature, 'header'))
  if (problem !== undefined) return { member: 'protected', ...problem }
  const value = readBase64url(member(signature, 'signature'))
  if (value === undefined) return { member: 'signature', problem: 'Expected base64url without padding' }
  const { alg, kid, jku } = header as { alg: string; kid: string; jku?: unknown }
  return { algorithms: ALGORITHMS[alg]!, alg, kid, jku: isText(jku) ? jku : undefined, protectedHeader: text, value }
}

function problemOf(header: JsonObject, unprotected: unknown): Omit<JwsProblem, 'member'> | undefined {
  const [alg, kid] = [member(header, 'alg'), member(header, 'kid')]
  // RFC 7515 section 4.1.11: an unknown critical member must be refused, and no critical member is known here.
  if (Object.hasOwn(header, 'crit')) return { problem: 'The header has critical members, none of which is known' }
  if (unprotected !== undefined && !isObject(unprotected)) {
    return { problem: `The unprotected header must be an object, found ${shown(unprotected)}` }
  }
  // RFC 7515 section 4.1.11 and RFC 7797 section 3: members that change how a signature is read must be protected by
  // it.
  const misplaced = ['crit', 'b64'].find((name) => unprotected !== undefined && Object.hasOwn(unprotected, name))
  if (misplaced !== undefined) return { problem: `${misplaced} stands in the header that is not protected` }
  // Payloads are base64url here. Another form would have to be critical, and critical members are refused above.
  if (Object.hasOwn(header, 'b64') && header['b64'] !== true) return { problem: 'b64 is not true, and is not critical' }
  const twice = unprotected !== undefined && Object.keys(header).find((name) => Object.hasOwn(unprotected, name))
  if (isText(twice))
    return {
      problem: `The members of both headers are disjoint (RFC 7515 section 7.2.1), found ${quoted(twice)} twice`,
    }
  if (!isText(kid) || kid === '') return { problem: `The header must have a kid, found ${shown(kid)}`, isMissing: true }
  if (!isText(alg)) return { problem: `The header must have an alg, found ${shown(alg)}`, isMissing: true }
  if (Object.hasOwn(ALGORITHMS, alg)) return undefined
  const detail = `Expected ${oneOf(Object.keys(ALGORITHMS))} for alg, found ${quoted(alg)}`
  // These algorithms use no key, or a shared secret, so they do not prove who signed.
  return /^(?:none|HS\d+)$/i.test(alg)
    ? { problem: `${detail}, by which anybody can sign` }
    : { problem: detail, isUnknown: true }
}

/** Parses strictly: a duplicate name would be ambiguous. */
function readHeader(text: string): JsonObject | undefined {
  const bytes = text.length <= LARGEST_HEADER ? readBase64url(text) : undefined
  const value = bytes && parse(bytes, { maxDepth: DEPTH }).document?.value
  return isObject(value) ? value : undefined
}

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

/** What a signature may cover, and what it may not although SDKs sign it. */
export interface Signable {
  readonly payloads: readonly Payload[]
  /** Made when a signature matches no payload. */
  others(): readonly OtherForm[]
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
  { payloads, others }: Signable,
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
  if (found === undefined) {
    const forms = cost === 0 ? [] : others()
    const more = (cost / payloads.length) * forms.length
    budget.attempts -= more
    const other = budget.attempts < 0 ? undefined : await matching(jws, keys.list, forms, sources.subtle)
    return {
      ...told,
      outcome: 'invalid',
      detail: other === undefined ? whyNone(jws, keys.list) : otherWords(other.payload),
    }
  }
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

async function matching<Signed extends Pick<Payload, 'text'>>(
  jws: Jws,
  keys: readonly Key[],
  payloads: readonly Signed[],
  subtle: Subtle,
) {
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

const otherWords = ({ of }: OtherForm) =>
  `signed with another canonical form, that of ${of}: the signer signs again by A2A 1.0 section 8.4.1`

function whyNone({ algorithms, alg }: Jws, keys: readonly Key[]): string {
  const fits = keys.some((key) => algorithms.some((algorithm) => key.algorithms.includes(algorithm)))
  return fits
    ? 'the card was changed after it was signed, or was signed with another key'
    : `none of the keys is for ${alg}`
}
