import type { Document } from '../document/parse.ts'
import type { Proof } from '../frame/source.ts'
import { Steps, unreadable } from '../frame/steps.ts'
import type { KeySource } from '../keys/read.ts'
import { openVerifier, type Verifier } from '../keys/verify.ts'
import { checkedNow } from '../text/moment.ts'
import { quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import {
  type Draft,
  type Hello,
  isSameAgent,
  type Message,
  type MessageFault,
  parseMessage,
  signatureIn,
  versionOf,
} from './message.ts'
import type { Peer } from './peer.ts'
import { signingBytes, strictBytes } from './sign.ts'

export declare namespace verify {
  interface Options {
    /** The Ed25519 key of the sender, from its metadata. For many messages, open it once with `openVerifier`. */
    readonly key: KeySource | Verifier
    /** The expected sender and recipient, as agent URIs. */
    readonly expect: { readonly from: string; readonly to: string }
    /** Requires a strict signature with this number. */
    readonly strict?: { readonly n: number }
    /** The time to check against. Default: the current time. */
    readonly now?: Date
    /** How far clocks may differ beyond the limits of section 8.1.1. Default 0, at most 300. */
    readonly skewSeconds?: number
    /** The file name of the message in diagnostics. */
    readonly file?: string
  }

  /** This does not detect replays: the receiver has to remember the ids of earlier messages. */
  interface Result extends Proof {
    /** Undefined unless the verdict is `verified`. */
    readonly message: Message | undefined
  }
}

const STEPS = {
  document: ['The message can be read', 'ADP/1.1 section 7.2.3'],
  from: ['Sender', 'ADP/1.1 section 7.2.5'],
  to: ['Recipient', 'ADP/1.1 section 7.2.5'],
  time: ['Time', 'ADP/1.1 section 8.1.1'],
  signature: ['Signature', 'ADP/1.1 section 7.2.5'],
  strict: ['Strict signature', 'docs/guide/agp.md, Strict messages'],
} as const

/**
 * Verifies a message step by step: its form, sender, recipient, time and signature.
 *
 * @example
 * const { message, steps } = await verify(event.data, { key: bob, expect: { from: bobsUri, to: myUri } })
 *
 * @throws {KeyError} for a malformed key, {RangeError} for an invalid option.
 */
export async function verify(source: Uint8Array | string, options: verify.Options): Promise<verify.Result> {
  const { expect, strict, skewSeconds = 0, file } = options
  const now = checkedNow(options.now)
  const skewMs = skewOf(skewSeconds)
  const { message, document, diagnostics } = parseMessage(source, file === undefined ? {} : { file })
  if (message === undefined || document === undefined)
    return { ...unreadable(diagnostics, STEPS.document), message: undefined }
  const verifier = isVerifier(options.key) ? options.key : await openVerifier(options.key, { algorithm: 'Ed25519' })
  const steps = new Steps<keyof typeof STEPS>(document, STEPS)
  const tell = (name: keyof typeof STEPS, fault: MessageFault | undefined, passed: string) =>
    fault === undefined
      ? steps.passed(name, passed)
      : steps.failed(name, fault.detail, { rule: fault.kind, pointer: fault.pointer })
  steps.passed('document', `${message.type} ${message.id}`)
  tell('from', senderFault(message, expect.from), message.from)
  tell('to', recipientFault(message, expect.to), message.to)
  tell('time', timeFault(message, now, skewMs), message.timestamp)
  tell('signature', await signatureFault(message, verifier), 'by the key of the sender')
  if (strict === undefined) steps.skipped('strict', 'nothing asks for it')
  else tell('strict', await strictFault(message, document, { verifier, n: strict.n }), `message ${strict.n}`)
  const proof = steps.proof()
  return { ...proof, message: proof.verdict === 'verified' ? message : undefined }
}

const isVerifier = (key: KeySource | Verifier): key is Verifier =>
  typeof key === 'object' && 'verify' in key && typeof key.verify === 'function'

/** Converts a tolerance to milliseconds. */
export function skewOf(seconds: number): number {
  if (seconds >= 0 && seconds * 1000 <= MOST_SKEW_MS) return seconds * 1000
  throw new RangeError(`skewSeconds: expected a number from 0 to ${MOST_SKEW_MS / 1000}, got ${seconds}`)
}

// Checks of a message after its form: who sent it, when, and with which key; hellos and their terms. `verify` and
// conversations share these checks.

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
