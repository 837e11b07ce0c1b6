// A signature as RFC 7515 section 7.2.2 has it, without its payload, which is the card: {protected, signature, header?}.

import { parse } from '../document/parse.ts'
import type { Algorithm } from '../keys/algorithms.ts'
import { readBase64url } from '../keys/base64.ts'
import { isObject, isText, type JsonObject, member } from '../text/members.ts'
import { oneOf, quoted, shown } from '../text/words.ts'

/** The algorithms of JWS (RFC 7518, 8037, 9864) that keys here have. EdDSA is of the curve that the key is of. */
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

/** Headers are small; a larger one is no header. */
const LARGEST_HEADER = 16_384
const DEPTH = 8

/** A signature that can be read. */
export interface Jws {
  readonly algorithms: readonly Algorithm[]
  readonly alg: string
  readonly kid: string
  /** The address of the signer's keys, by the signer: it is neither fetched nor believed. */
  readonly jku: string | undefined
  /** As it was written: the signature covers its text. */
  readonly protectedHeader: string
  readonly value: Uint8Array<ArrayBuffer>
}

/** The reason that a signature cannot be used, and the member at fault. */
export interface JwsProblem {
  readonly member: 'protected' | 'signature'
  readonly problem: string
  /** It may be sound, for somebody who knows its algorithm. */
  readonly isUnknown?: true
}

/** Reads a signature. Nothing of it is believed yet. */
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
  // RFC 7515 section 4.1.11 and RFC 7797 section 3: a member that changes how a signature is read has to be covered by it.
  const misplaced = ['crit', 'b64'].find((name) => unprotected !== undefined && Object.hasOwn(unprotected, name))
  if (misplaced !== undefined) return { problem: `${misplaced} stands in the header that is not protected` }
  // Payloads are base64url here; who means another form has to make it critical, and critical members are refused above.
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
  // Without a signature, or with a secret that both sides know, nobody shows who signed.
  return /^(?:none|HS\d+)$/i.test(alg)
    ? { problem: `${detail}, by which anybody can sign` }
    : { problem: detail, isUnknown: true }
}

/** Strictly: a name that stands there twice has two meanings. */
function readHeader(text: string): JsonObject | undefined {
  const bytes = text.length <= LARGEST_HEADER ? readBase64url(text) : undefined
  const value = bytes && parse(bytes, { maxDepth: DEPTH }).document?.value
  return isObject(value) ? value : undefined
}
