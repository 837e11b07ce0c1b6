import { canonicalizeValue } from '../../core/value.ts'
import { inJson, withValues } from '../../document/edit.ts'
import type { Diagnostic } from '../../document/types.ts'
import { unsafeIntegers } from '../../frame/integers.ts'
import {
  type VerifyOptions as FrameOptions,
  SIGN_AGAIN,
  SIGN_IT,
  type Signing,
  unsigned,
  type Verifying,
} from '../../frame/signing.ts'
import type { Steps } from '../../frame/steps.ts'
import { findingAt } from '../../frame/subject.ts'
import { describePayload } from '../../frame/verify.ts'
import { decodeBase64url } from '../../keys/base64.ts'
import { checkAlgorithm, checkFit, type Key, publicMembers } from '../../keys/key.ts'
import type { Subtle } from '../../keys/platform.ts'
import { signBytes } from '../../keys/sign.ts'
import { verifyBytes } from '../../keys/verify.ts'
import { timeOf } from '../../schema/times.ts'
import { checkedNow } from '../../text/moment.ts'
import { quoted } from '../../text/words.ts'
import { fingerprintOf, idIn, readPrefixed, writePrefixed } from '../identity.ts'
import * as FINDINGS from './findings.ts'
import { INVITE_READING, type Invitation } from './specification.ts'

export const SIGNATURE = '/signature'
/**
 * The signed bytes are Blazon's own definition. This line separates them from everything else that the same key signs.
 */
const DIALECT = new TextEncoder().encode('blazon/invite/1\n')

/** The signed bytes: the line, and the member `invite` in canonical form. */
export function payloadOf({ invite }: Invitation): Uint8Array<ArrayBuffer> {
  const canonical = canonicalizeValue(invite?.value ?? {})
  const payload = new Uint8Array(DIALECT.length + canonical.length)
  payload.set(DIALECT)
  payload.set(canonical, DIALECT.length)
  return payload
}

/** How invitations are signed: by the key whose fingerprint they contain. */
export const INVITE_SIGNING: Signing<Invitation> = {
  ...INVITE_READING,
  async sign(invitation, { key, subtle }) {
    checkFit(key, checkAlgorithm('Ed25519'))
    const { document } = invitation
    const findings = [...unsafeIntegers(document, FINDINGS.INVITE_ROUNDED_NUMBER), ...keyFindings(invitation, key)]
    if (findings.length > 0) return unsigned(findings)
    const message = payloadOf(invitation)
    const signature = await signBytes({ algorithm: 'Ed25519', privateKey: key, message, subtle })
    const signed = withValues(inJson(document), [[SIGNATURE, writePrefixed(signature)]])
    return { document: signed, bytes: signed.bytes, diagnostics: [] }
  },
}

function keyFindings({ document, pubkey }: Invitation, key: Key): Diagnostic[] {
  const own = fingerprintOf(decodeBase64url(publicMembers(key)['x']!))
  if (pubkey?.value === own) return []
  const detail = `the key that signs has the fingerprint ${own}`
  const fix = { hint: 'sign with the key of the agent that it invites to, whose fingerprint stands in pubkey' }
  return [findingAt(document, FINDINGS.INVITE_OTHER_KEY, '/invite/pubkey', detail, { fix })]
}

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
    return steps.unknown('key', detail, { rule: FINDINGS.INVITE_KEY_UNKNOWN, pointer: '/invite/pubkey', fix })
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
