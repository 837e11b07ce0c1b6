import { parseAs } from '../../frame/as.ts'
import type { Proof } from '../../frame/proof.ts'
import { type VerifyOptions as FrameOptions, SIGN_AGAIN, SIGN_IT, type Verifying } from '../../frame/signing.ts'
import type { Source } from '../../frame/source.ts'
import type { Steps } from '../../frame/steps.ts'
import { describePayload, verifyParsed } from '../../frame/verify.ts'
import { decodeBase64url } from '../../keys/base64.ts'
import { type Key, publicMembers } from '../../keys/key.ts'
import type { Subtle } from '../../keys/platform.ts'
import { verifyBytes } from '../../keys/verify.ts'
import { timeOf } from '../../schema/times.ts'
import { checkedNow } from '../../text/moment.ts'
import { quoted } from '../../text/words.ts'
import { idIn } from '../agent-uri.ts'
import { fingerprintOf, readPrefixed } from '../public-key.ts'
import * as FINDINGS from './findings.ts'
import type { Invitation } from './invitation.ts'
import { payloadOf, SIGNATURE } from './payload.ts'
import { INVITE_READING } from './reading.ts'

export interface VerifyOptions extends FrameOptions {
  /** The time at which it must not have expired. Default: the current time. */
  readonly now?: Date
}

const STEPS = {
  document: ['The invitation can be read', 'ADP/1.1 section 8.3.1'],
  id: ['Agent', 'ADP/1.1 section 8.3.1'],
  expires: ['Its time', 'ADP/1.1 section 8.3.1'],
  'canonical-form': ['What is signed', 'RFC 8785'],
  key: ['A key with the fingerprint in the invitation', 'ADP/1.1 section 8.1.2'],
  signature: ['Signature of the agent', 'ADP/1.1 section 8.3.1'],
} as const

type InviteSteps = Steps<keyof typeof STEPS>

/** Verifies an invitation with a key that the caller has: the invitation itself contains no key. */
export const INVITE_VERIFYING: Verifying<Invitation, keyof typeof STEPS> = {
  ...INVITE_READING,
  steps: STEPS,
  expectOptions({ now }: VerifyOptions) {
    checkedNow(now)
  },
  async verify(invitation, { expect, pinned, subtle, options }, steps) {
    checkAgent(invitation, expect.id ?? (expect.provider && `agent:${expect.provider}`), steps)
    checkTime(invitation, (options as VerifyOptions).now ?? new Date(), steps)
    const payload = payloadOf(invitation)
    await describePayload(payload, subtle, steps)
    const key = chooseKey(invitation, pinned, steps)
    if (key !== undefined) await checkSignature(invitation, key, payload, subtle, steps)
  },
}

/**
 * Verifies an invitation step by step: its agent, its expiry, and its signature by a key that the caller knows.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { id: 'agent:alice.example.com', keys: [alice] } })
 *
 * @throws {KeyError} for an invalid expected key, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyParsed(INVITE_VERIFYING, parseAs(INVITE_READING, source, options), options)
}

function checkAgent({ agent }: Invitation, expected: string | undefined, steps: InviteSteps): void {
  const found = agent === undefined ? 'none' : quoted(agent.value)
  if (expected === undefined) steps.skipped('id', `${found}; none is expected`)
  else if (agent?.value.toLowerCase() === idIn(expected)) steps.passed('id', `${quoted(expected)} is expected`)
  else
    steps.failed('id', `expected ${quoted(expected)}, found ${found}`, {
      rule: FINDINGS.INVITE_OTHER_AGENT,
      pointer: '/invite/agent',
    })
}

function checkTime({ expires }: Invitation, now: Date, steps: InviteSteps): void {
  const remark = { rule: FINDINGS.INVITE_OVER, pointer: '/invite/expires' }
  const end = expires && timeOf(expires.value)
  if (end === undefined) steps.failed('expires', 'it does not say when it ends', remark)
  else if (end <= now.getTime()) steps.failed('expires', `it ended at ${quoted(expires!.value)}`, remark)
  else steps.passed('expires', `it ends at ${quoted(expires!.value)}`)
}

/** Selects the key with the fingerprint from the caller's keys: the document contains none. */
function chooseKey({ pubkey }: Invitation, pinned: readonly Key[] | undefined, steps: InviteSteps): Key | undefined {
  if (pinned === undefined) {
    const detail = 'the invitation has its fingerprint at most; the metadata of the agent has the key'
    const fix = { hint: 'give the key of the agent: blazon verify invite.json --key alice.pub' }
    steps.unknown('key', detail, { rule: FINDINGS.INVITE_KEY_UNKNOWN, pointer: '/invite/pubkey', fix })
    return undefined
  }
  const key = pinned.find((one) => one.kind === 'Ed25519' && fingerprintOfKey(one) === pubkey?.value)
  if (key !== undefined) steps.passed('key', pubkey!.value, { fingerprint: pubkey!.value })
  else
    steps.failed('key', 'it is of none of the keys that are expected', {
      rule: FINDINGS.INVITE_OTHER_KEY,
      pointer: '/invite/pubkey',
    })
  return key
}

const fingerprintOfKey = (key: Key): string => fingerprintOf(decodeBase64url(publicMembers(key)['x'] ?? ''))

async function checkSignature(
  { signature: given }: Invitation,
  key: Key,
  message: Uint8Array,
  subtle: Subtle,
  steps: InviteSteps,
): Promise<void> {
  if (given === undefined) {
    steps.unknown('signature', 'the document carries none', {
      rule: FINDINGS.INVITE_SIGNATURE_ABSENT,
      pointer: SIGNATURE,
      fix: SIGN_IT,
    })
    return
  }
  const remark = { rule: FINDINGS.INVITE_SIGNATURE_INVALID, pointer: given.pointer, fix: SIGN_AGAIN }
  const signature = readPrefixed(given.value)
  if (signature?.length !== 64) steps.failed('signature', 'expected ed25519: and 64 bytes in base64url', remark)
  else if (await verifyBytes({ algorithm: 'Ed25519', publicKey: key, message, signature, subtle }))
    steps.passed('signature', 'signed by the agent')
  else steps.failed('signature', 'it is no signature of this invitation by that key', remark)
}
