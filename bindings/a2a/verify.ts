import { parseAs } from '../frame/as.ts'
import type { Expectation, KeyResolver } from '../frame/expected.ts'
import type { Proof } from '../frame/proof.ts'
import {
  type VerifyOptions as FrameOptions,
  SIGN_AGAIN,
  SIGN_IT,
  type Verifying,
  type VerifyTask,
} from '../frame/signing.ts'
import type { Source } from '../frame/source.ts'
import { sha256Of, verifyParsed } from '../frame/verify.ts'
import type { Subtle } from '../keys/platform.ts'
import { member } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import type { A2aCard } from './a2a-card.ts'
import * as FINDINGS from './findings.ts'
import { type Payload, payloadsOf } from './payload.ts'
import type { PresenceRule } from './presence.ts'
import { A2A_READING } from './reading.ts'
import { type A2aKeys, checkSignature, type SignatureVerdict } from './signature.ts'
import { type A2aStep, type A2aSteps, STEPS } from './steps.ts'

export interface VerifyOptions extends FrameOptions {
  /** Returns the keys that the caller knows for a `kid`. */
  readonly resolver?: KeyResolver
}

/** Limits the attempts with a key and a payload. Each signature costs as many as keys times rules. */
const MOST_ATTEMPTS = 512
/** The maximum number of invalid signatures that are reported. */
const MOST_TOLD = 16

/** How many members one step names. */
const MOST_NAMED = 10

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

/**
 * Verifies the signatures of an A2A card, step by step (section 8.4.3). One valid signature is enough. Keys come only
 * from the caller: the URL of keys in the header (`jku`) is neither fetched nor trusted.
 *
 * Signers remove different members before they sign. The proof names the rules under which the signature is valid, and
 * the members that it does not cover under them.
 *
 * @example
 * const { verdict, steps } = await verify(bytes, { expect: { keys: [publicKey] } })
 *
 * @throws {KeyError} for a malformed expected key, {TypeError} for wrong arguments.
 */
export async function verify(source: Source, options: VerifyOptions = {}): Promise<Proof> {
  return verifyParsed(A2A_VERIFYING, parseAs(A2A_READING, source, options), options)
}

/** An A2A card has no identifier of its own, and anybody can name any provider. */
function sayWhatCannotBeExpected({ id, provider }: Expectation, steps: A2aSteps): void {
  const remark = { rule: FINDINGS.CARD_OTHER_ID, pointer: '' }
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
  { root }: A2aCard,
  payloads: readonly Payload[],
  keys: A2aKeys,
  steps: A2aSteps,
): Promise<readonly SignatureVerdict[]> {
  const list = member(root.value, 'signatures')
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
  const verdicts: SignatureVerdict[] = []
  const known = new Map<string, SignatureVerdict>()
  for (const [i, entry] of list.entries()) {
    const text = JSON.stringify(entry)
    const pointer = `/signatures/${i}`
    const verdict = known.get(text) ?? (await checkSignature(entry, pointer, payloads, keys, budget))
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
