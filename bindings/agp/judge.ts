// Checks of a message after its form: who sent it, when, and with which key; hellos and their terms. `verify` and
// conversations share these checks.
import type { Document } from '../document/parse.ts'
import type { Verifier } from '../keys/verify.ts'
import { quoted } from '../text/words.ts'
import { type Hello, versionOf } from './contents.ts'
import * as FINDINGS from './findings.ts'
import { type Draft, isSameAgent, type Message } from './message.ts'
import { type MessageFault, signatureIn } from './parse.ts'
import { signingBytes, strictBytes } from './payload.ts'
import type { Peer } from './peer.ts'

/** The limits of section 8.1.1, in milliseconds. */
export const MOST_AGE_MS = 300_000
export const MOST_AHEAD_MS = 60_000
/** A larger tolerance than the draft's own limits would make them pointless. */
export const MOST_SKEW_MS = 300_000

export function senderFault({ from }: Draft, expected: string): MessageFault | undefined {
  return isSameAgent(from, expected) ? undefined : other(FINDINGS.AGP_OTHER_SENDER, '/from', expected, from)
}

export function recipientFault({ to }: Draft, expected: string): MessageFault | undefined {
  return isSameAgent(to, expected) ? undefined : other(FINDINGS.AGP_OTHER_RECIPIENT, '/to', expected, to)
}

const other = (kind: MessageFault['kind'], pointer: string, expected: string, found: string): MessageFault => ({
  kind,
  pointer,
  detail: `expected ${quoted(expected)}, found ${quoted(found)}`,
})

export function timeFault({ timestamp }: Draft, now: Date, skewMs: number): MessageFault | undefined {
  const age = now.getTime() - Date.parse(timestamp)
  const detail = (ms: number, way: string) => `${Math.round(ms / 1000)} seconds ${way}, at ${timestamp}`
  if (age > MOST_AGE_MS + skewMs) return { kind: FINDINGS.AGP_OLD, pointer: '/timestamp', detail: detail(age, 'ago') }
  if (-age > MOST_AHEAD_MS + skewMs)
    return { kind: FINDINGS.AGP_EARLY, pointer: '/timestamp', detail: detail(-age, 'ahead') }
  return undefined
}

export async function signatureFault(message: Message, verifier: Verifier): Promise<MessageFault | undefined> {
  const isRight =
    verifier.algorithm === 'Ed25519' && (await verifier.verify(signingBytes(message), signatureIn(message.signature)!))
  return isRight
    ? undefined
    : { kind: FINDINGS.AGP_FORGED, pointer: '/signature', detail: 'it is not a signature of this message by the key' }
}

/** `n` is the required number of the message. Undefined accepts any number. */
export async function strictFault(
  { body }: Message,
  document: Document,
  { verifier, n }: { readonly verifier: Verifier; readonly n?: number | undefined },
): Promise<MessageFault | undefined> {
  const { strict } = body
  const pointer = '/body/strict'
  if (strict === undefined)
    return { kind: FINDINGS.AGP_NOT_STRICT, pointer, detail: 'expected a strict signature, found none' }
  if (!(await verifier.verify(strictBytes(document), signatureIn(strict.signature)!)))
    return {
      kind: FINDINGS.AGP_NOT_STRICT,
      pointer: `${pointer}/signature`,
      detail: 'it is not a signature of this message by the key',
    }
  if (n === undefined || strict.n === n) return undefined
  return { kind: FINDINGS.AGP_ORDER, pointer: `${pointer}/n`, detail: `expected message ${n}, found ${strict.n}` }
}

/** Compares a hello with the metadata of its sender. */
export async function helloFault(
  message: Message,
  { fingerprint }: Hello,
  peer: Peer,
): Promise<MessageFault | undefined> {
  if (!isSameAgent(message.from, peer.uri)) return senderFault(message, peer.uri)
  if (fingerprint !== peer.fingerprint) {
    const detail = `expected ${peer.fingerprint}, found ${quoted(fingerprint)}`
    return { kind: FINDINGS.AGP_OTHER_KEY, pointer: '/body/content', detail }
  }
  return signatureFault(message, peer.verifier)
}

interface Terms {
  /** The lowest version that this side accepts. */
  readonly least: string | undefined
  /** Strict messages are required: this side supports them, and the sender announces them or has used them before. */
  readonly isStrict: boolean
}

/** Returns the requirement of this side that a hello does not meet. */
export function termsFault({ protocol, strict }: Hello, { least, isStrict }: Terms): MessageFault | undefined {
  const pointer = '/body/content'
  if (least !== undefined && versionOf(protocol)! < (versionOf(least) ?? 0))
    return { kind: FINDINGS.AGP_VERSION, pointer, detail: `expected ${least} at least, found ${protocol}` }
  if (!isStrict || strict !== undefined) return undefined
  return {
    kind: FINDINGS.AGP_NOT_STRICT,
    pointer,
    detail: 'it speaks strict by its metadata, or did, and its hello does not',
  }
}

export const TOO_OFTEN: MessageFault = {
  kind: FINDINGS.AGP_RATE,
  pointer: '',
  detail: 'more messages than the metadata of this agent allows',
}
export const TOO_MANY: MessageFault = {
  kind: FINDINGS.AGP_RATE,
  pointer: '/id',
  detail: 'more messages than can be remembered',
}

export const noHello = ({ type }: Message): MessageFault => ({
  kind: FINDINGS.AGP_HELLO,
  pointer: '/body/content',
  detail: `expected the hello that is next in the handshake, found another message of type ${type}`,
})

export const REPEATED_HELLO: MessageFault = {
  kind: FINDINGS.AGP_HELLO,
  pointer: '/body/content',
  detail: 'the hellos were exchanged already',
}

export const replayed = ({ id }: Message): MessageFault => ({
  kind: FINDINGS.AGP_REPLAYED,
  pointer: '/id',
  detail: `${id} was taken before`,
})
