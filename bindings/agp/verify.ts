import type { Proof } from '../frame/proof.ts'
import { Steps, unreadable } from '../frame/steps.ts'
import type { KeySource } from '../keys/read.ts'
import { openVerifier, type Verifier } from '../keys/verifier.ts'
import { checkedNow } from '../text/moment.ts'
import type { MessageFault } from './faults.ts'
import { MOST_SKEW_MS, recipientFault, senderFault, signatureFault, strictFault, timeFault } from './judge.ts'
import type { Message } from './message.ts'
import { parseMessage } from './parse.ts'

export interface VerifyOptions {
  /** The Ed25519 key of the sender, from its metadata; `openVerifier` opens it for many messages. */
  readonly key: KeySource | Verifier
  /** Agent URIs: the one who is thought to write, and the one who reads. */
  readonly expect: { readonly from: string; readonly to: string }
  /** The message has to have a strict signature, and be this one of its conversation. */
  readonly strict?: { readonly n: number }
  /** The moment to judge by: the platform's when absent. */
  readonly now?: Date
  /** How far clocks may differ beyond the times of section 8.1.1: 0 when absent, 300 at the most. */
  readonly skewSeconds?: number
  /** The name of the message in diagnostics. */
  readonly file?: string
}

/** Ids that were seen before are for the receiver to know: nothing is kept here. */
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
  strict: ['Strict signature', 'docs/agp.md, Strict messages'],
} as const

/**
 * Verifies a message, step by step: its form, sender, recipient, time, signature.
 *
 * @example
 * const { message, steps } = await verify(event.data, { key: bob, expect: { from: bobsUri, to: myUri } })
 *
 * @throws {KeyError} for a key that is malformed, {RangeError} for a wrong option.
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

/** Milliseconds of a tolerance. */
export function skewOf(seconds: number): number {
  if (seconds >= 0 && seconds * 1000 <= MOST_SKEW_MS) return seconds * 1000
  throw new RangeError(`skewSeconds: expected a number from 0 to ${MOST_SKEW_MS / 1000}, got ${seconds}`)
}
