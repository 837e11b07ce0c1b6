import type { Proof } from '../frame/source.ts'
import { Steps, unreadable } from '../frame/steps.ts'
import type { KeySource } from '../keys/read.ts'
import { openVerifier, type Verifier } from '../keys/verify.ts'
import { checkedNow } from '../text/moment.ts'
import { MOST_SKEW_MS, recipientFault, senderFault, signatureFault, strictFault, timeFault } from './judge.ts'
import type { Message } from './message.ts'
import { type MessageFault, parseMessage } from './parse.ts'

export interface VerifyOptions {
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
export interface MessageProof extends Proof {
  /** Undefined unless the verdict is `verified`. */
  readonly message: Message | undefined
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
export async function verify(source: Uint8Array | string, options: VerifyOptions): Promise<MessageProof> {
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
