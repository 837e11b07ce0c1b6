import { canonicalizeWithout } from '../core/json.ts'
import { inJson, withValues } from '../document/edit.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import { CARD_OTHER_ID, CARD_SIGNATURE_INTEGER, SIGNATURE_UNTRUSTED_KEY } from '../frame/findings.ts'
import { ASK_FOR_THE_KEY, byUntrusted, unsafeIntegers } from '../frame/integers.ts'
import { documentIn } from '../frame/needs.ts'
import {
  type SignOptions as FrameSignOptions,
  type VerifyOptions as FrameVerifyOptions,
  SIGN_AGAIN,
  SIGN_IT,
  type Signing,
  type SignTask,
  unsigned,
  type Verifying,
  type VerifyTask,
} from '../frame/signing.ts'
import type { KeyResolver, Source } from '../frame/source.ts'
import { findingAt, ruleDiagnostic } from '../frame/subject.ts'
import { describePayload } from '../frame/verify.ts'
import { attempt, decodeBase64url, encodeBase64url, KeyError } from '../keys/base64.ts'
import { fingerprint } from '../keys/export.ts'
import { checkAlgorithm, checkFit, isSameKey, type Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { signBytes } from '../keys/sign.ts'
import { verifyBytes } from '../keys/verify.ts'
import { sameBytes } from '../text/bytes.ts'
import { textIn, valueIn } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { agentIdOf, keyOfName, readAgentUri } from './agent-uri.ts'
import * as FINDINGS from './findings.ts'
import {
  type AnsResolver,
  type CardKeySet,
  type CardStep,
  type CardSteps,
  checkDid,
  checkId,
  findCardKeys,
  KNOWN_TO_CALLER,
  keyInside,
  keyOfDidKey,
  STEPS,
  sayWhatTheKeyShows,
} from './identity.ts'
import { knownKeys } from './known-keys.ts'
import { CARD_READING, type Card, cardResult } from './subject.ts'

export const SIGNATURE = '/signature'

/** The signed bytes (Agent Card section 3.2): the canonical form of the card's text, without the signature. */
export function payloadOf(document: Document): Uint8Array<ArrayBuffer> {
  // No limit here: parsing has limited the depth of the card.
  return canonicalizeWithout(document.bytes, [SIGNATURE], { maxDepth: 0xffffffff }).payload
}

export interface SignOptions extends FrameSignOptions {
  /** The previously signed card. A card with other content under the same seq, or with a lower seq, is refused. */
  readonly previous?: Source
}

/** How Agent Cards are signed. */
export const CARD_SIGNING: Signing<Card> = {
  ...CARD_READING,
  async sign(card, { key, subtle, options }: SignTask<SignOptions>) {
    checkFit(key, checkAlgorithm('Ed25519'))
    const payload = payloadOf(card.document)
    const findings = [
      // seq is excluded: the advice to write large integers as strings would make it invalid.
      ...unsafeIntegers(card.document, CARD_SIGNATURE_INTEGER).filter(({ source }) => source.pointer !== '/seq'),
      ...seqFindings(card),
      ...(await keyFindings(card, key, subtle)),
      ...(await contentFindings(card, payload, key, options.previous, subtle)),
    ]
    if (findings.some(({ severity }) => severity === 'error')) return unsigned(findings)
    for (const one of await nameFindings(card, key, subtle)) findings.push(one)
    const value = await signBytes({ algorithm: 'Ed25519', privateKey: key, message: payload, subtle })
    return cardResult(withValues(inJson(card.document), [[SIGNATURE, encodeBase64url(value)]]), findings)
  },
}

function seqFindings({ document, root, seq }: Card): Diagnostic[] {
  if (seq !== undefined) {
    if (seq.value <= BigInt(Number.MAX_SAFE_INTEGER)) return []
    const detail = `${seq.value} is beyond 2^53 - 1: a signature would hold for other numbers, too`
    return [findingAt(document, CARD_SIGNATURE_INTEGER, '/seq', detail)]
  }
  const found = valueIn(root, 'seq')
  if (found === undefined) return [findingAt(document, FINDINGS.CARD_SIGNATURE_SEQ, '', 'expected a seq, found none')]
  const detail = `expected an integer from 0 to 2^64 - 1, found ${shown(found)}`
  return [ruleDiagnostic(document, FINDINGS.CARD_SIGNATURE_SEQ, 'error', '/seq', detail)]
}

/** Warns when verifiers would not find the signing key. */
async function keyFindings({ document, id, did }: Card, key: Key, subtle: Subtle): Promise<Diagnostic[]> {
  const uri = id && readAgentUri(id.value)
  if (uri === undefined || 'detail' in uri) {
    const detail = uri?.detail ?? 'expected an id that is an agent:// URI, found none'
    return [findingAt(document, FINDINGS.CARD_SIGNATURE_ID, '/id', detail)]
  }
  const findings: Diagnostic[] = []
  const own = await keyOfName(uri.authority, subtle)
  if (own !== undefined && !isSameKey(own.key, key)) {
    const detail = `${quoted(uri.authority)} is another key than the one that signs`
    const hint = `sign with the key that the id is, or write "id": "${await agentIdOf(key)}", which is the key that signs`
    findings.push(findingAt(document, FINDINGS.CARD_SIGNATURE_KEY, '/id', detail, { fix: { hint } }))
  }
  const named = await keyOfDidKey(did, subtle)
  if (named !== undefined && !isSameKey(named.key, key)) {
    const detail = `${quoted(did!.value)} is another key than the one that signs`
    const fix = { hint: 'write the did of the key that signs, or take did out' }
    findings.push(ruleDiagnostic(document, FINDINGS.CARD_SIGNATURE_KEY, 'warning', '/did', detail, { fix }))
  }
  return findings
}

/** Reports a card that only verifiers who were given the key can verify. */
async function nameFindings({ document, id, endpoints }: Card, key: Key, subtle: Subtle): Promise<Diagnostic[]> {
  const uri = readAgentUri(id!.value)
  if ('detail' in uri || (await keyOfName(uri.authority, subtle)) !== undefined) return []
  const detail = `${quoted(uri.authority)} is a name and no key: a directory that does not know the key refuses the card`
  const own = await agentIdOf(key)
  const isEndpoint = endpoints.some((endpoint) => textIn(endpoint, 'uri') === id!.value)
  const alsoThere = isEndpoint ? ', in endpoints, too' : ''
  const hint = `write "id": "${own}", which is the key that signs${alsoThere}; or give the public key to the verifiers`
  return [findingAt(document, FINDINGS.CARD_SIGNATURE_NAME, '/id', detail, { fix: { hint } })]
}

/** Checks that a seq stands for one content (section 3.1), against the previous card or the signature in this one. */
async function contentFindings(
  card: Card,
  payload: Uint8Array<ArrayBuffer>,
  key: Key,
  previous: Source | undefined,
  subtle: Subtle,
): Promise<Diagnostic[]> {
  const { document, seq, signature } = card
  if (previous === undefined) {
    if (signature === undefined || (await holds(signature.value, payload, key, subtle))) return []
    const detail = 'the signature that is there is of other content, or by another key: raise seq, or take it out'
    return [findingAt(document, FINDINGS.CARD_USED_SEQ, SIGNATURE, detail)]
  }
  const { subject: before, diagnostics } = readAs(CARD_READING, previous)
  if (before === undefined) return [...diagnostics]
  const used = before.seq?.value
  if (before.id?.value !== card.id?.value) {
    return [findingAt(document, FINDINGS.CARD_USED_SEQ, '/id', 'the card that was signed before has another id')]
  }
  if (used === undefined || (seq !== undefined && seq.value > used)) return []
  if (seq?.value === used && sameBytes(payload, payloadOf(before.document))) return []
  const detail = `expected a seq above ${used}, found ${seq === undefined ? 'none' : seq.value}`
  return [findingAt(document, FINDINGS.CARD_USED_SEQ, '/seq', detail)]
}

async function holds(text: string, message: Uint8Array, publicKey: Key, subtle: Subtle): Promise<boolean> {
  try {
    const signature = decodeBase64url(text)
    return await verifyBytes({ algorithm: 'Ed25519', publicKey, message, signature, subtle })
  } catch (error) {
    if (error instanceof KeyError) return false
    throw error
  }
}

export interface VerifyOptions extends FrameVerifyOptions {
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
  async optionsOf(given): Promise<VerifyOptions> {
    const keys = documentIn(given, 'keys')
    return {
      ...(keys !== undefined && { resolver: await knownKeys(keys) }),
      ...(given['self-asserted'] === true && { selfAsserted: true }),
    }
  },
  async verify(card, task: VerifyTask<VerifyOptions>, steps) {
    const { expect, pinned, subtle, options } = task
    if (options.partial === true) {
      const detail = 'partial: only the whole card is signed'
      return steps.unknown('whole', detail, { rule: FINDINGS.CARD_PARTIAL, pointer: '' })
    }
    checkId(card, expect.id, steps)
    if (expect.provider !== undefined) {
      const detail = `a card names no provider, so nothing shows that it is of ${quoted(expect.provider)}`
      steps.unknown('provider', detail, { rule: CARD_OTHER_ID, pointer: '' })
    }
    const payload = payloadOf(card.document)
    await describePayload(payload, subtle, steps)
    const stated = valueIn(card.root, 'signature')
    if (stated === undefined)
      return steps.unknown('signature', 'the card carries no signature', {
        rule: FINDINGS.CARD_SIGNATURE_ABSENT,
        pointer: SIGNATURE,
        fix: SIGN_IT,
      })
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

function checkSeq({ seq, root }: Card, steps: CardSteps): void {
  const remark = { rule: FINDINGS.CARD_SIGNATURE_SEQ, pointer: '/seq' }
  if (seq === undefined) {
    const found = valueIn(root, 'seq')
    const detail = found === undefined ? 'the card has none' : `expected a uint64, found ${shown(found)}`
    steps.warning('seq', `${detail}: nothing shows which of two cards is newer`, remark)
  } else if (seq.value > BigInt(Number.MAX_SAFE_INTEGER)) {
    const detail = `${seq.value} is beyond 2^53 - 1: the signature holds for other numbers, too`
    steps.unknown('seq', detail, { rule: CARD_SIGNATURE_INTEGER, pointer: '/seq' })
  } else steps.passed('seq', String(seq.value), { seq: String(seq.value) })
}

function readSignature(stated: unknown, steps: CardSteps): Uint8Array<ArrayBuffer> | undefined {
  const remark = { rule: FINDINGS.CARD_SIGNATURE_INVALID, pointer: SIGNATURE, fix: SIGN_AGAIN }
  const read = () => {
    const bytes = typeof stated === 'string' ? decodeBase64url(stated) : undefined
    if (bytes?.length === 64) return bytes
    return steps.failed('signature', `expected 64 bytes in base64url, found ${bytes?.length ?? shown(stated)}`, remark)
  }
  return attempt(read, ({ message }) => steps.failed('signature', message, remark))
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
  if (words !== undefined)
    return steps.failed('signature', words, { rule: SIGNATURE_UNTRUSTED_KEY, pointer: '/id', fix: ASK_FOR_THE_KEY })
  const detail = `the signature is not one of ${keys.length === 1 ? 'this key' : 'these keys'} over this card`
  return steps.failed('signature', detail, {
    rule: FINDINGS.CARD_SIGNATURE_INVALID,
    pointer: SIGNATURE,
    fix: SIGN_AGAIN,
  })
}
