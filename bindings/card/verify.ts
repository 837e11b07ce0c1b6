import { CARD_OTHER_ID, CARD_SIGNATURE_INTEGER } from '../a2a/findings.ts'
import { parseAs } from '../frame/as.ts'
import type { KeyResolver } from '../frame/expected.ts'
import { SIGNATURE_UNTRUSTED_KEY } from '../frame/findings.ts'
import type { Proof } from '../frame/proof.ts'
import {
  type VerifyOptions as FrameOptions,
  SIGN_AGAIN,
  SIGN_IT,
  type Verifying,
  type VerifyTask,
} from '../frame/signing.ts'
import type { Source } from '../frame/source.ts'
import { ASK_FOR_THE_KEY, byUntrusted } from '../frame/untrusted.ts'
import { describePayload, verifyParsed } from '../frame/verify.ts'
import { decodeBase64url } from '../keys/base64.ts'
import { KeyError } from '../keys/error.ts'
import { fingerprint } from '../keys/fingerprint.ts'
import { isSameKey, type Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { verifyBytes } from '../keys/verify.ts'
import { member } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { readAgentUri } from './agent-uri.ts'
import type { Card } from './card.ts'
import * as FINDINGS from './findings.ts'
import { type AnsResolver, type CardKeyOrigin, type CardKeySet, findCardKeys } from './identity.ts'
import { payloadOf, SIGNATURE } from './payload.ts'
import { keyOfName } from './peer-id.ts'
import { CARD_READING } from './reading.ts'
import { type CardStep, type CardSteps, STEPS } from './signature-steps.ts'

export interface VerifyOptions extends FrameOptions {
  /** Returns the keys that the caller knows for an agent. */
  readonly resolver?: KeyResolver
  /** A resolver of the Agent Name System. */
  readonly ans?: AnsResolver
  /** Accepts a did:key in the card as the key. The verdict is then `unverifiable`: self-asserted. */
  readonly selfAsserted?: boolean
  /**
   * True when the transport marked the card as partial. A part carries no signature; to verify it, fetch the whole
   * card.
   */
  readonly partial?: boolean
}

/** How Agent Cards are verified. */
export const CARD_VERIFYING: Verifying<Card, CardStep> = {
  ...CARD_READING,
  steps: STEPS,
  expectOptions({ resolver, ans }: VerifyOptions) {
    for (const [name, value] of Object.entries({ resolver, ans })) {
      if (value === undefined || typeof value === 'function') continue
      throw new TypeError(`${name}: expected a function, got ${typeof value}`)
    }
  },
  async verify(card, task: VerifyTask<VerifyOptions>, steps) {
    const { expect, pinned, subtle, options } = task
    if (options.partial === true) {
      const detail = 'partial: only the whole card is signed'
      steps.unknown('whole', detail, { rule: FINDINGS.CARD_PARTIAL, pointer: '' })
      return
    }
    checkId(card, expect.id, steps)
    if (expect.provider !== undefined) {
      const detail = `a card names no provider, so nothing shows that it is of ${quoted(expect.provider)}`
      steps.unknown('provider', detail, { rule: CARD_OTHER_ID, pointer: '' })
    }
    const payload = payloadOf(card.document)
    await describePayload(payload, subtle, steps)
    const stated = member(card.root.value, 'signature')
    if (stated === undefined) {
      steps.unknown('signature', 'the card carries no signature', {
        rule: FINDINGS.CARD_SIGNATURE_ABSENT,
        pointer: SIGNATURE,
        fix: SIGN_IT,
      })
      return
    }
    checkSeq(card, steps)
    const signature = readSignature(stated, steps)
    const { resolver, ans, selfAsserted } = options
    const sources = { pinned, resolver, ans, selfAsserted: selfAsserted === true, subtle }
    const found = signature && (await findCardKeys(card, sources, steps))
    const key = found && (await checkSignature(card, signature!, payload, found, subtle, steps))
    if (key === undefined) return
    await checkDid(card, key, subtle, steps)
    sayWhatTheKeyShows(found!.origin, steps)
  },
}

/**
 * Verifies the signature of an Agent Card, step by step (section 3.2).
 *
 * `failed` means that there is evidence against the card: discard it. `unverifiable` means that its owner cannot be
 * proved: the card has no signature or is only a part, there is no key, or the key comes from the card itself.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { resolver: (id) => pinned.get(id) })
 *
 * @throws {KeyError} for an expected key that is malformed, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyParsed(CARD_VERIFYING, parseAs(CARD_READING, source, options), options)
}

function checkId({ id }: Card, expected: string | undefined, steps: CardSteps): void {
  if (expected === undefined) steps.skipped('id', 'no identifier is expected')
  else if (id?.value === expected) steps.passed('id', `${quoted(expected)} is expected`)
  else {
    const detail = `expected ${quoted(expected)}, found ${id === undefined ? 'no id' : quoted(id.value)}`
    steps.failed('id', detail, { rule: CARD_OTHER_ID, pointer: '/id' })
  }
}

/** Two integers beyond 2^53 - 1 can have the same canonical form, so a signature would cover both. */
function checkSeq({ seq, root }: Card, steps: CardSteps): void {
  const remark = { rule: FINDINGS.CARD_SIGNATURE_SEQ, pointer: '/seq' }
  if (seq === undefined) {
    const found = member(root.value, 'seq')
    const detail = found === undefined ? 'the card has none' : `expected a uint64, found ${shown(found)}`
    steps.warning('seq', `${detail}: nothing shows which of two cards is newer`, remark)
  } else if (seq.value > BigInt(Number.MAX_SAFE_INTEGER)) {
    const detail = `${seq.value} is beyond 2^53 - 1: the signature holds for other numbers, too`
    steps.unknown('seq', detail, { rule: CARD_SIGNATURE_INTEGER, pointer: '/seq' })
  } else steps.passed('seq', String(seq.value), { seq: String(seq.value) })
}

function readSignature(stated: unknown, steps: CardSteps): Uint8Array<ArrayBuffer> | undefined {
  const remark = { rule: FINDINGS.CARD_SIGNATURE_INVALID, pointer: SIGNATURE, fix: SIGN_AGAIN }
  try {
    const bytes = typeof stated === 'string' ? decodeBase64url(stated) : undefined
    if (bytes?.length === 64) return bytes
    steps.failed('signature', `expected 64 bytes in base64url, found ${bytes?.length ?? shown(stated)}`, remark)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    steps.failed('signature', error.message, remark)
  }
  return undefined
}

/** Returns the key that made the signature. Undefined when none of the keys did. */
async function checkSignature(
  card: Card,
  signature: Uint8Array,
  message: Uint8Array,
  { keys, origin }: CardKeySet,
  subtle: Subtle,
  steps: CardSteps,
): Promise<Key | undefined> {
  for (const publicKey of keys) {
    if (!(await verifyBytes({ algorithm: 'Ed25519', publicKey, message, signature, subtle }))) continue
    const print = await fingerprint(publicKey, { subtle })
    steps.passed('signature', `valid, by the key with the thumbprint ${print}`, { fingerprint: print })
    return publicKey
  }
  const own = KNOWN_TO_CALLER.includes(origin) ? await keyInside(card, subtle) : undefined
  const words = own && (await byUntrusted(own, keys, { algorithm: 'Ed25519', message, signature, subtle }))
  if (words !== undefined) {
    steps.failed('signature', words, { rule: SIGNATURE_UNTRUSTED_KEY, pointer: '/id', fix: ASK_FOR_THE_KEY })
    return undefined
  }
  const detail = `the signature is not one of ${keys.length === 1 ? 'this key' : 'these keys'} over this card`
  steps.failed('signature', detail, { rule: FINDINGS.CARD_SIGNATURE_INVALID, pointer: SIGNATURE, fix: SIGN_AGAIN })
  return undefined
}

/** Sources whose keys count even if the card holds a different one. */
const KNOWN_TO_CALLER: readonly CardKeyOrigin[] = ['caller', 'resolver']

/** The key inside the card: its id or its did. */
async function keyInside({ id, did }: Card, subtle: Subtle): Promise<Key | undefined> {
  const uri = id && readAgentUri(id.value)
  const named = uri !== undefined && 'authority' in uri ? await keyOfName(uri.authority, subtle) : undefined
  return (named ?? (did?.value.startsWith('did:key:') ? await keyOfName(did.value, subtle) : undefined))?.key
}

async function checkDid({ did }: Card, key: Key, subtle: Subtle, steps: CardSteps): Promise<void> {
  const named = did?.value.startsWith('did:key:') ? await keyOfName(did.value, subtle) : undefined
  if (did === undefined) steps.skipped('did', 'the card has none')
  else if (named === undefined) steps.skipped('did', `${quoted(did.value)} is not looked up`)
  else if (isSameKey(named.key, key)) steps.passed('did', 'it is the key that signed')
  else steps.warning('did', 'it is another key than the one that signed')
}

const SHOWS: Readonly<Record<Exclude<CardKeyOrigin, 'did'>, string>> = {
  caller: 'signed with a key that the caller trusts',
  resolver: 'signed with a key that the caller knows for this id',
  authority: 'signed by whoever has the key that the id is',
  ans: 'signed by a peer that the Agent Name System names for this id',
}

function sayWhatTheKeyShows(origin: CardKeyOrigin, steps: CardSteps): void {
  const data = { trust: origin }
  if (origin !== 'did') {
    steps.passed('identity', SHOWS[origin], data)
    return
  }
  const detail = 'self-asserted: the key comes with the card, so nothing shows that the id is of who signed'
  steps.unknown('identity', detail, { rule: FINDINGS.CARD_SELF_ASSERTED, pointer: '/did' }, data)
}
