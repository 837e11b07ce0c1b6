// Checks a message against what its recipient expects. `verify` and conversations share these checks.
import type { Document } from '../document/document.ts'
import type { Verifier } from '../keys/verifier.ts'
import { quoted } from '../text/words.ts'
import { type MessageFault, signatureIn } from './faults.ts'
import * as FINDINGS from './findings.ts'
import { type Draft, isSameAgent, type Message } from './message.ts'
import { signingBytes, strictBytes } from './payload.ts'

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
    : { kind: FINDINGS.AGP_FORGED, pointer: '/signature', detail: 'it is no signature of this message by the key' }
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
      detail: 'it is no signature of this message by the key',
    }
  if (n === undefined || strict.n === n) return undefined
  return { kind: FINDINGS.AGP_ORDER, pointer: `${pointer}/n`, detail: `expected message ${n}, found ${strict.n}` }
}
