import { canonicalizeWithout } from '../core/json.ts'
import { canonicalizeValue } from '../core/value.ts'
import type { Document } from '../document/parse.ts'
import { encodeBase64url } from '../keys/base64.ts'
import type { KeySource } from '../keys/read.ts'
import { openSigner, type Signer } from '../keys/sign.ts'
import { isWellFormed } from '../wasm/instance.ts'
import { sha256 } from '../wasm/sha256.ts'
import { writePrefixed } from '../wellknown/identity.ts'
import { buildMessage, type Draft, faultsOf, MESSAGE_BYTES, MESSAGE_DEPTH, type Message } from './message.ts'

const decoder = new TextDecoder()

export declare namespace sign {
  interface Options {
    /** The number of the message in a strict conversation. It adds the second signature. */
    readonly n?: number
  }

  interface Result {
    readonly message: Message
    /** The text to send: the message in canonical form. */
    readonly text: string
  }
}

/**
 * Signs a message with the Ed25519 key of its sender. To sign many messages, open the key once with `openSigner`.
 *
 * @example
 * const { text } = await sign(buildMessage({ from, to, content: 'Good morning' }), privateKey)
 *
 * @throws {RangeError} for an invalid message, {KeyError} for a key that cannot sign or is not for Ed25519.
 */
export async function sign(draft: Draft, key: KeySource | Signer, { n }: sign.Options = {}): Promise<sign.Result> {
  refuseFaults(draft)
  const signer = isSigner(key) ? key : await openSigner(key, { algorithm: 'Ed25519' })
  if (signer.algorithm !== 'Ed25519') throw new RangeError(`key: expected one for Ed25519, got ${signer.algorithm}`)
  const { id, from, to, type, timestamp, body } = draft
  const signature = await signatureText(signer, signingBytes(draft))
  const numbered = n === undefined ? body : { ...body, strict: { n, signature: '' } }
  const fields = { id, from, to, type, timestamp }
  const strict =
    n === undefined
      ? undefined
      : { n, signature: await signatureText(signer, strictBytes({ ...fields, body: numbered })) }
  const message = { ...fields, signature, body: strict === undefined ? body : { ...body, strict } }
  const bytes = canonicalizeValue(message)
  if (bytes.length <= MESSAGE_BYTES) return { message, text: decoder.decode(bytes) }
  throw new RangeError(`message: expected ${MESSAGE_BYTES} bytes at the most, got ${bytes.length}`)
}

const isSigner = (key: KeySource | Signer): key is Signer =>
  typeof key === 'object' && 'sign' in key && typeof key.sign === 'function'

async function signatureText(signer: Signer, bytes: Uint8Array): Promise<string> {
  return writePrefixed(await signer.sign(bytes))
}

/** Room for names, times, numbers and signatures around the content. */
const AROUND_BYTES = 2048

/**
 * Refuses an invalid message before it is queued. Later it would end a conversation in which other messages wait.
 *
 * @throws {RangeError} for an invalid message.
 */
export function expectSayable(parts: Omit<buildMessage.Parts, 'from' | 'to'>): void {
  const draft = buildMessage({ ...parts, from: 'agent:a.invalid', to: 'agent:b.invalid' })
  refuseFaults(draft)
  const { type } = draft
  if (type !== 'chat' && type !== 'task') throw new RangeError(`type: expected chat or task, got ${type}`)
  if (!isWellFormed(draft.body.content)) throw new RangeError('content: expected text without lone surrogates')
  const most = MESSAGE_BYTES - AROUND_BYTES
  const { length } = canonicalizeValue(draft.body)
  if (length > most) throw new RangeError(`content: expected ${most} bytes at the most, as JSON has it; got ${length}`)
}

function refuseFaults(draft: Draft): void {
  const [fault] = faultsOf(draft, { signed: false })
  if (fault !== undefined) throw new RangeError(`message${fault.pointer}: ${fault.detail}`)
}

// The bytes that are signed. The six fields of section 7.2.5 begin with a UUID, strict ones with a line of our own. So
// they can never equal the bytes of another protocol that signs with the same key.

const STRICT_LINE = 'blazon/strict/1\n'

const encoder = new TextEncoder()

/**
 * Returns the bytes that the signature of a message covers (section 7.2.5).
 *
 * @example
 * new TextDecoder().decode(signingBytes(draft)) // '7f0c…\nagent:alice.example.com\n…'
 *
 * @throws {RangeError} when one of the first five fields has a line feed, because another message would have the same
 * bytes.
 */
export function signingBytes({ id, from, to, type, timestamp, body }: Draft): Uint8Array<ArrayBuffer> {
  const lines = [id, from, to, type, timestamp]
  if (lines.some((line) => line.includes('\n'))) throw new RangeError('message: a signed field has a line feed')
  return encoder.encode([...lines, body.content].join('\n'))
}

/**
 * The bytes that the second signature covers: the whole message except both signatures, in canonical form, with its
 * number.
 */
export function strictBytes(message: Document | Draft): Uint8Array<ArrayBuffer> {
  const json = 'bytes' in message ? message.bytes : canonicalizeValue(message)
  const without = ['/signature', '/body/strict/signature']
  return withLine(canonicalizeWithout(json, without, { maxDepth: MESSAGE_DEPTH }).payload)
}

/** A digest of the message's content without its time. A message that is sent again has the same digest. */
export const messageDigest = ({ type, body }: Pick<Draft, 'type' | 'body'>): string =>
  encodeBase64url(sha256(encoder.encode(JSON.stringify([type, body.content, body.contentType, body.replyTo]))))

/**
 * True when the id was used for a different message. An id that was stored without a digest counts as the same message.
 */
export const saysOther = (digest: string | undefined, message: Draft): boolean =>
  digest !== undefined && digest !== messageDigest(message)

function withLine(canonical: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(STRICT_LINE.length + canonical.length)
  encoder.encodeInto(STRICT_LINE, bytes)
  bytes.set(canonical, STRICT_LINE.length)
  return bytes
}
