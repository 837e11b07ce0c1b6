// Verifies the signature of an HTTP message (RFC 9421 section 3.2). Refuses anything that the message does not prove.

import { sameBytes } from '../../text/bytes.ts'
import { checkedNow } from '../../text/moment.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { KeyError } from '../base64.ts'
import type { Key } from '../key.ts'
import type { PlatformOptions } from '../platform.ts'
import { verifyBytes } from '../verify.ts'
import {
  type Bare,
  type Component,
  type HttpMessage,
  type InnerList,
  type Member,
  readDictionary,
  signatureBase,
  writeItem,
} from './sign.ts'

export declare namespace verifyMessage {
  type Verified = VerifiedMessage
  type Refused = RefusedMessage
  interface Options extends PlatformOptions {
    /** Returns the key with this name; undefined when there is no such key. Called once. */
    keyOf(keyid: string): Key | undefined | Promise<Key | undefined>
    /** The components that the signature must cover. */
    readonly components: readonly Component[]
    /** Selects the signature with this tag; without it the message must have exactly one signature. */
    readonly tag?: string
    /** Accepts the first of up to four signatures that verifies; calls `keyOf` for each. */
    readonly any?: boolean
    /** The body; required when the signature covers content-digest. */
    readonly body?: Uint8Array
    readonly now?: Date
    /** The most seconds between `created` and `expires`, which are both required; default: 300. */
    readonly mostSeconds?: number
    /** The seconds by which the sender's clock may be ahead of ours; default: 60. */
    readonly skewSeconds?: number
  }
}

/** A valid signature. To detect replays, callers remember `nonce` until `expires`. */
export interface VerifiedMessage {
  readonly valid: true
  readonly key: Key
  readonly keyid: string
  readonly created: Date
  readonly expires: Date
  readonly nonce: string | undefined
  readonly tag: string | undefined
  readonly components: readonly Component[]
}

/** What was refused: the signature's form, its coverage, its time, the body, the key, or the signature itself. */
export type RefusalReason = 'absent' | 'coverage' | 'time' | 'body' | 'key' | 'forged'

export interface RefusedMessage {
  readonly valid: false
  readonly reason: RefusalReason
  /** The reason in words, without text from the message. */
  readonly fault: string
}

/**
 * Verifies the signature of a request or a response: that a known key made it, that it has not expired, and that it
 * covers everything required.
 *
 * @example
 * const verified = await verifyMessage(request, { keyOf: (id) => keys.get(id), components: ['@method', '@target-uri']
 * })
 *
 * @throws {TypeError} and {RangeError} for invalid arguments; never because of the message's content.
 */
export async function verifyMessage(
  message: HttpMessage,
  options: verifyMessage.Options,
): Promise<VerifiedMessage | RefusedMessage> {
  checkOptions(options)
  try {
    return await verifyAny(message, options)
  } catch (error) {
    if (error instanceof Refusal) return { valid: false, reason: error.reason, fault: error.message }
    throw error
  }
}

/** With an invalid number, no signature would ever be too old. */
function checkOptions({ now, mostSeconds = 0, skewSeconds = 0 }: verifyMessage.Options): void {
  checkedNow(now)
  for (const [name, seconds] of Object.entries({ mostSeconds, skewSeconds })) {
    if (typeof seconds !== 'number' || !(seconds >= 0))
      throw new RangeError(`${name}: expected a number of seconds, got ${String(seconds)}`)
  }
}

class Refusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, fault: string) {
    super(fault)
    this.reason = reason
  }
}

function refuse(reason: RefusalReason, fault: string): never {
  throw new Refusal(reason, fault)
}

async function verifyAny(message: HttpMessage, options: verifyMessage.Options): Promise<VerifiedMessage> {
  const candidates = chooseSignatures(message, options)
  for (const candidate of candidates.slice(0, -1)) {
    try {
      return await verifiedBy(message, candidate, options)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return verifiedBy(message, candidates.at(-1)!, options)
}

async function verifiedBy(
  message: HttpMessage,
  { covered, signature }: ChosenSignature,
  options: verifyMessage.Options,
): Promise<VerifiedMessage> {
  const { keyid, tag, nonce, ...times } = readParameters(covered, options)
  const components = covered.items.map((item) => writeItem(item))
  checkCovered(components, options)
  checkBody(message, components, options.body)
  const made = signatureBase(message, covered)
  if ('fault' in made) refuse('coverage', made.fault)
  const key = (await options.keyOf(keyid)) ?? refuse('key', 'nobody knows the key that it names')
  if (!(await holds(key, made.base, signature, options)))
    refuse('forged', 'it is no signature of this message by that key')
  return {
    valid: true,
    key,
    keyid,
    tag,
    nonce,
    ...times,
    components: components.map((text) => text.replaceAll('"', '')),
  }
}

async function holds(
  publicKey: Key,
  message: Uint8Array,
  signature: Uint8Array,
  { subtle }: PlatformOptions,
): Promise<boolean> {
  try {
    return await verifyBytes({
      algorithm: 'Ed25519',
      publicKey,
      message,
      signature,
      ...(subtle !== undefined && { subtle }),
    })
  } catch (error) {
    // The key is of another kind, or one for which anyone can forge signatures.
    if (error instanceof KeyError) return false
    throw error
  }
}

/** For each signature the caller may have to look up a key. */
const MOST_SIGNATURES = 4

interface ChosenSignature {
  readonly covered: InnerList
  readonly signature: Uint8Array<ArrayBuffer>
}

function chooseSignatures(
  { headers }: HttpMessage,
  { tag, any = false }: verifyMessage.Options,
): readonly ChosenSignature[] {
  const inputs =
    readDictionary(headers.get('signature-input') ?? '') ?? refuse('absent', 'Signature-Input cannot be read')
  const signatures = readDictionary(headers.get('signature') ?? '') ?? refuse('absent', 'Signature cannot be read')
  const fitting = [...inputs].filter(([, input]) => tag === undefined || input.parameters.get('tag') === tag)
  if (fitting.length === 0) refuse('absent', 'it has no signature for this')
  if (fitting.length > (any ? MOST_SIGNATURES : 1)) refuse('absent', 'it has several signatures for this')
  const read = fitting.flatMap(([label, input]) => {
    const signature = bytesOf(signatures.get(label))
    return 'items' in input && signature !== undefined ? [{ covered: input, signature }] : []
  })
  return read.length > 0 ? read : refuse('absent', 'its signature cannot be read')
}

const bytesOf = (member: Member | undefined) =>
  member !== undefined && 'value' in member && member.value instanceof Uint8Array ? member.value : undefined

function readParameters(
  { parameters }: InnerList,
  { now = new Date(), mostSeconds = 300, skewSeconds = 60 }: verifyMessage.Options,
) {
  const text = (name: string) => optionalText(parameters.get(name))
  const [created, expires] = [parameters.get('created'), parameters.get('expires')]
  if (typeof created !== 'number' || typeof expires !== 'number') refuse('time', 'it has no created and expires')
  const seconds = now.getTime() / 1000
  if (created > seconds + skewSeconds) refuse('time', 'it was made later than now')
  if (expires <= seconds) refuse('time', 'its time is over')
  if (expires - created > mostSeconds || expires < created)
    refuse('time', `it lasts longer than ${mostSeconds} seconds`)
  const alg = parameters.get('alg')
  if (alg !== undefined && alg !== 'ed25519') refuse('coverage', 'it names another algorithm than ed25519')
  const keyid = text('keyid') ?? refuse('key', 'it names no key')
  return {
    keyid,
    tag: text('tag'),
    nonce: text('nonce'),
    created: new Date(created * 1000),
    expires: new Date(expires * 1000),
  }
}

function optionalText(value: Bare | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : refuse('coverage', 'a parameter of it is no text')
}

function checkCovered(components: readonly string[], { components: wanted }: verifyMessage.Options): void {
  for (const component of wanted) {
    const [name, flag] = component.split(';')
    if (!components.includes(`"${name}"${flag === undefined ? '' : `;${flag}`}`))
      refuse('coverage', `it does not cover ${component}`)
  }
}

function checkBody({ headers }: HttpMessage, components: readonly string[], body: Uint8Array | undefined): void {
  if (!components.includes('"content-digest"')) return
  if (body === undefined || !isContentDigest(headers.get('content-digest') ?? '', body))
    refuse('body', 'the body is not the one that it covers')
}

/**
 * The Content-Digest header for a body (RFC 9530 section 2).
 *
 * @example
 * contentDigest(new Uint8Array()) // 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'
 */
export function contentDigest(body: Uint8Array): string {
  return `sha-256=${writeItem({ value: new Uint8Array(sha256(body)), parameters: new Map() })}`
}

/** True when the header contains the SHA-256 of the body. Ignores other digests. */
function isContentDigest(header: string, body: Uint8Array): boolean {
  const member = readDictionary(header)?.get('sha-256')
  return (
    member !== undefined &&
    'value' in member &&
    member.value instanceof Uint8Array &&
    sameBytes(member.value, sha256(body))
  )
}
