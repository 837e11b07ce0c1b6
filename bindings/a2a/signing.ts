import { inJson, withValues } from '../document/edit.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { CARD_OTHER_ID, CARD_SIGNATURE_INTEGER } from '../frame/findings.ts'
import { MOST_FINDINGS, unsafeIntegers } from '../frame/integers.ts'
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
import type { Expectation, KeyResolver } from '../frame/source.ts'
import type { Steps } from '../frame/steps.ts'
import { findingAt } from '../frame/subject.ts'
import { sha256Of } from '../frame/verify.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { fingerprint } from '../keys/export.ts'
import { type Algorithm, checkAlgorithm, checkFit } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import { signBytes } from '../keys/sign.ts'
import { elements, isObject, valueIn } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import {
  type A2aKeys,
  checkSignature,
  type OtherForm,
  otherForms,
  type Payload,
  PRESENCE_RULES,
  type PresenceRule,
  payloadsOf,
  readJws,
  type SignatureVerdict,
  signingInput,
} from './jws.ts'
import { A2A_READING, type A2aCard } from './subject.ts'

export interface SignOptions extends FrameSignOptions {
  /** Default: that of the key; PS256 for RSA. */
  readonly algorithm?: Algorithm
  /** The name of the key in the header. Default: its JWK thumbprint (RFC 7638). */
  readonly kid?: string
  /**
   * The rules for removing members. Each distinct payload gets a signature. Default: the rules of the specification and
   * those of the SDKs, so that every verifier accepts one of the signatures.
   */
  readonly rules?: readonly PresenceRule[]
}

const encoder = new TextEncoder()

/** How A2A cards are signed. */
export const A2A_SIGNING: Signing<A2aCard> = {
  ...A2A_READING,
  expectOptions({ kid }: SignOptions) {
    if (kid === undefined || (typeof kid === 'string' && kid !== '')) return
    throw new TypeError('kid: expected a string that is not empty')
  },
  async sign(card, { key, subtle, options }: SignTask<SignOptions>) {
    const algorithm = checkAlgorithm(options.algorithm ?? key.algorithms.at(-1))
    checkFit(key, algorithm)
    const kid = options.kid ?? (await fingerprint(key, { subtle }))
    const rules = rulesFor(card, options.rules)
    const { document } = card
    const refusals = unsafeIntegers(document, CARD_SIGNATURE_INTEGER)
    if (refusals.length > 0) return unsigned(refusals)
    const payloads = payloadsOf(card, rules)
    const alg = algorithm.startsWith('Ed') ? 'EdDSA' : algorithm
    const header = encodeBase64url(encoder.encode(JSON.stringify({ alg, kid, typ: 'JOSE' })))
    const made = await Promise.all(
      payloads.map(async (payload) => {
        const message = signingInput(header, payload)
        const signature = await signBytes({ algorithm, privateKey: key, message, subtle })
        return { protected: header, signature: encodeBase64url(signature) }
      }),
    )
    const signed = withValues(inJson(document), [['/signatures', [...othersIn(card, kid), ...made]]])
    return {
      document: signed,
      bytes: signed.bytes,
      diagnostics: [...keyFindings(document, options.kid, kid), ...coverage(document, payloads)],
    }
  },
}

function rulesFor({ version }: A2aCard, wanted: readonly PresenceRule[] | undefined): readonly PresenceRule[] {
  const known = PRESENCE_RULES[version]
  if (wanted === undefined) return [known[0]!, 'sdk']
  const isKnown = Array.isArray(wanted) && wanted.length > 0 && wanted.every((rule) => known.includes(rule))
  if (!isKnown) throw new RangeError(`rules: expected some of ${known.join(', ')} for a card of ${version}`)
  return wanted
}

/** The signatures by other keys. They stay valid, because no signature covers the others. */
function othersIn({ root }: A2aCard, kid: string): readonly unknown[] {
  return elements(root, 'signatures', isObject).flatMap(({ value }) => {
    const jws = readJws(value)
    return 'kid' in jws && jws.kid === kid ? [] : [value]
  })
}

/** Verifiers may know a kid that the signer chose. A thumbprint as kid does not tell them which key it is. */
function keyFindings(document: Document, wanted: string | undefined, kid: string): Diagnostic[] {
  if (wanted !== undefined) return []
  const detail = `only those who know the kid ${quoted(kid)} can verify the card`
  const hint = `give the verifier the public key: blazon verify FILE --key KEY. Or sign with the kid that they know it by`
  return [findingAt(document, FINDINGS.A2A_SIGNATURE_KEY, '', detail, { fix: { hint } })]
}

/** Reports members that not all of the signatures cover. */
function coverage(document: Document, payloads: readonly Payload[]): Diagnostic[] {
  const pointers = new Set(payloads.flatMap(({ uncovered }) => uncovered))
  return [...pointers].slice(0, MOST_FINDINGS).map((pointer) => {
    const detail = `SDKs leave ${quoted(pointer)} out before they verify: nothing shows them that it was not changed`
    return findingAt(document, FINDINGS.A2A_SIGNATURE_COVERAGE, pointer, detail)
  })
}

export interface VerifyOptions extends FrameVerifyOptions {
  /** Returns the keys that the caller knows for a `kid`. */
  readonly resolver?: KeyResolver
}

/** Limits the attempts with a key and a payload. Each signature costs as many as keys times rules. */
const MOST_ATTEMPTS = 512
/** The maximum number of invalid signatures that are reported. */
const MOST_TOLD = 16

/** How many members one step names. */
const MOST_NAMED = 10

/** Every step that verifying an A2A card can take, with its title and the section that requires it. */
const STEPS = {
  document: ['The card can be read', 'A2A 1.0 section 4.4'],
  id: ['Identifier and provider', 'A2A 1.0 section 4.4'],
  'canonical-form': ['Canonical form without the signatures', 'A2A 1.0 section 8.4.1, RFC 8785'],
  signature: ['Signature', 'A2A 1.0 section 8.4.3'],
  key: ['Where the key comes from', 'A2A 1.0 section 8.4.3'],
  jku: ['Keys that the signer points at', 'A2A 1.0 section 8.4.3'],
  rules: ['Which rules the signer went by', 'A2A 1.0 section 8.4.1'],
  coverage: ['What the signature covers', 'A2A 1.0 section 8.4.1'],
} as const

type A2aStep = keyof typeof STEPS

type A2aSteps = Steps<A2aStep>

/** How A2A cards are verified. */
export const A2A_VERIFYING: Verifying<A2aCard, A2aStep> = {
  ...A2A_READING,
  steps: STEPS,
  expectOptions({ resolver }: VerifyOptions) {
    if (resolver !== undefined && typeof resolver !== 'function') {
      throw new TypeError(`resolver: expected a function, got ${typeof resolver}`)
    }
  },
  async verify(card, { expect, pinned, subtle, options }: VerifyTask<VerifyOptions>, steps) {
    sayWhatCannotBeExpected(expect, steps)
    const payloads = payloadsOf(card)
    await describePayloads(payloads, subtle, steps)
    const verdicts = await checkAll(card, payloads, { pinned, resolver: options.resolver, subtle }, steps)
    const valid = verdicts.find(({ payload }) => payload !== undefined)
    tell(verdicts, valid, steps)
    if (valid !== undefined) sayWhatIsCovered(valid.payload!, steps)
  },
}

/** An A2A card has no identifier of its own, and anybody can name any provider. */
function sayWhatCannotBeExpected({ id, provider }: Expectation, steps: A2aSteps): void {
  const remark = { rule: CARD_OTHER_ID, pointer: '' }
  if (id !== undefined)
    steps.unknown('id', `an A2A card has no identifier, so nothing shows that it is ${quoted(id)}`, remark)
  if (provider !== undefined) {
    steps.unknown('id', `anybody can name a provider, so nothing shows that the card is of ${quoted(provider)}`, remark)
  }
}

const NAMES: Readonly<Record<PresenceRule, string>> = {
  spec: 'section 8.4.1',
  defaults: 'section 8.4.2 read alone',
  sdk: 'the SDKs',
  written: 'the card as it is written',
}

async function describePayloads(payloads: readonly Payload[], subtle: Subtle, steps: A2aSteps): Promise<void> {
  for (const { rules, bytes } of payloads) {
    const sha256 = await sha256Of(bytes, subtle)
    const whose = rules.map((rule) => NAMES[rule]).join(', ')
    steps.passed('canonical-form', `${bytes.length} bytes, SHA-256 ${sha256}: ${whose}`, {
      bytes: bytes.length,
      sha256,
      rules,
    })
  }
}

async function checkAll(
  card: A2aCard,
  payloads: readonly Payload[],
  keys: A2aKeys,
  steps: A2aSteps,
): Promise<readonly SignatureVerdict[]> {
  const list = valueIn(card.root, 'signatures')
  if (list === undefined || (Array.isArray(list) && list.length === 0)) {
    steps.unknown('signature', 'the card carries no signature', {
      rule: FINDINGS.A2A_SIGNATURE_ABSENT,
      pointer: '/signatures',
      fix: SIGN_IT,
    })
    return []
  }
  if (!Array.isArray(list)) {
    const remark = { rule: FINDINGS.A2A_SIGNATURE_INVALID, pointer: '/signatures', fix: SIGN_AGAIN }
    steps.failed('signature', `expected an array of signatures, found ${shown(list)}`, remark)
    return []
  }
  // A valid signature may follow any number of others: their faults do not fail the card unless all were tried.
  const budget = { attempts: MOST_ATTEMPTS }
  let others: readonly OtherForm[] | undefined
  const signable = { payloads, others: () => (others ??= otherForms(card, payloads)) }
  const verdicts: SignatureVerdict[] = []
  const known = new Map<string, SignatureVerdict>()
  for (const [i, entry] of list.entries()) {
    const text = JSON.stringify(entry)
    const pointer = `/signatures/${i}`
    const verdict = known.get(text) ?? (await checkSignature(entry, pointer, signable, keys, budget))
    known.set(text, verdict)
    verdicts.push({ ...verdict, pointer })
  }
  return verdicts
}

/** Reports the verdicts. With one valid signature, faults of the others are only warnings. */
function tell(verdicts: readonly SignatureVerdict[], valid: SignatureVerdict | undefined, steps: A2aSteps): void {
  const untried = verdicts.filter(({ isUntried }) => isUntried === true)
  const tried = verdicts.filter((verdict) => verdict.isUntried !== true)
  const isOpen = valid !== undefined || untried.length > 0
  const told = tried.filter((verdict, i) => i < MOST_TOLD || verdict === valid)
  for (const verdict of told) {
    const { pointer, detail, outcome, jws, keys, print, fix } = verdict
    if (keys !== undefined) steps.passed('key', keys)
    if (verdict === valid)
      steps.passed('signature', detail, { pointer, kid: jws!.kid, alg: jws!.alg, fingerprint: print })
    else if (isOpen) steps.warning('signature', `${pointer}: ${detail}`)
    else if (outcome === 'unknown')
      steps.unknown('signature', detail, { rule: FINDINGS.A2A_SIGNATURE_ABSENT, pointer, ...(fix && { fix }) })
    else steps.failed('signature', detail, { rule: FINDINGS.A2A_SIGNATURE_INVALID, pointer, fix: SIGN_AGAIN })
    if (jws?.jku === undefined) continue
    const words = `${quoted(jws.jku)} is neither fetched nor believed: whoever signs chooses it`
    steps.warning('jku', words, { rule: FINDINGS.A2A_SIGNATURE_JKU, pointer })
  }
  const more = tried.length - told.length
  const isInvalid = ({ outcome }: SignatureVerdict) => outcome === 'invalid'
  if (more > 0) {
    const detail = `${more} more signatures do not hold, or cannot be judged`
    const remark = { rule: FINDINGS.A2A_SIGNATURE_INVALID, pointer: '/signatures' }
    if (!isOpen && !told.some(isInvalid) && tried.some(isInvalid)) steps.failed('signature', detail, remark)
    else steps.warning('signature', detail)
  }
  if (valid === undefined && untried.length > 0) {
    const detail = `${untried.length} of ${verdicts.length} signatures were not tried: the others took ${MOST_ATTEMPTS} attempts`
    steps.unknown('signature', detail, { rule: FINDINGS.A2A_SIGNATURE_ABSENT, pointer: untried[0]!.pointer })
  }
}

function sayWhatIsCovered({ rules, uncovered }: Payload, steps: A2aSteps): void {
  steps.passed('rules', `those of ${rules.map((rule) => NAMES[rule]).join(', ')}`, { rules })
  if (uncovered.length === 0) {
    steps.passed('coverage', 'all members', { uncovered: [] })
    return
  }
  const named = uncovered.slice(0, MOST_NAMED)
  const more = uncovered.length > named.length ? ` and ${uncovered.length - named.length} more` : ''
  const detail = `not covered: ${named.map(quoted).join(', ')}${more}`
  steps.warning('coverage', detail, { rule: FINDINGS.A2A_SIGNATURE_COVERAGE, pointer: named[0]! }, { uncovered: named })
}
