// A signature in the form of RFC 7515 section 7.2.2, without its payload, which is the card: {protected, signature,
// header?}.

import { parse } from '../document/parse.ts'
import type { Algorithm } from '../keys/algorithms.ts'
import { readBase64url } from '../keys/base64.ts'
import { isObject, isText, type JsonObject, member } from '../text/members.ts'
import { oneOf, quoted, shown } from '../text/words.ts'

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
  if (!isText(kid) || kid === '') return { problem: `The header must have a kid, found ${shown(kid)}` }
  if (!isText(alg)) return { problem: `The header must have an alg, found ${shown(alg)}` }
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
