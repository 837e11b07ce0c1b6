import type { Document } from '../document/document.ts'
import { inJson, withValues } from '../document/rewrite.ts'
import type { Diagnostic } from '../document/types.ts'
import { parseAs } from '../frame/as.ts'
import { check } from '../frame/check.ts'
import { MOST_FINDINGS, unsafeIntegers } from '../frame/integers.ts'
import { ruleDiagnostic } from '../frame/rule.ts'
import { signParsed } from '../frame/sign.ts'
import type { SignResult } from '../frame/signed.ts'
import { type SignOptions as FrameOptions, type Signing, type SignTask, unsigned } from '../frame/signing.ts'
import type { Source } from '../frame/source.ts'
import { type Algorithm, checkAlgorithm } from '../keys/algorithms.ts'
import { encodeBase64url } from '../keys/base64.ts'
import { fingerprint } from '../keys/fingerprint.ts'
import { checkFit } from '../keys/key.ts'
import type { KeySource } from '../keys/read.ts'
import { signBytes } from '../keys/sign.ts'
import { elements, isObject } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import type { A2aCard } from './a2a-card.ts'
import { A2A_SIGNATURE_COVERAGE, A2A_SIGNATURE_KEY, CARD_SIGNATURE_INTEGER } from './findings.ts'
import { readJws } from './jws.ts'
import { type Payload, payloadsOf, signingInput } from './payload.ts'
import { PRESENCE_RULES, type PresenceRule } from './presence.ts'
import { A2A_READING } from './reading.ts'
import { A2A } from './specification.ts'

export interface SignOptions extends FrameOptions {
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
    const refusals = [...errorsOf(document), ...unsafeIntegers(document, CARD_SIGNATURE_INTEGER)]
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
      diagnostics: [...unnamed(document, options.kid, kid), ...coverage(document, payloads)],
    }
  },
}

/**
 * Signs an A2A Agent Card (section 8.4). Adds JWS signatures (RFC 7515) with detached payload over its canonical form
 * to `signatures`. Existing signatures stay, except those with the same `kid`. A card with an error is not signed.
 *
 * @example
 * const { bytes, diagnostics } = await sign(card, privateKey, { kid: 'key-1' })
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signParsed(A2A_SIGNING, parseAs(A2A_READING, source, options), key, options)
}

function errorsOf(document: Document): Diagnostic[] {
  const { diagnostics } = check(A2A, { document, diagnostics: [] }, A2A.settings({ ruleset: 'spec' }))
  return diagnostics.filter(({ severity }) => severity === 'error')
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
function unnamed(document: Document, wanted: string | undefined, kid: string): Diagnostic[] {
  if (wanted !== undefined) return []
  const detail = `nothing in the card says which key the kid ${quoted(kid)} is: who was not given it cannot verify the card`
  const hint = `give the public key to whoever verifies: blazon verify FILE --key KEY; or sign with the kid that they know it by`
  return [ruleDiagnostic(document, A2A_SIGNATURE_KEY, 'warning', '', detail, { fix: { hint } })]
}

/** Reports members that not all of the signatures cover. */
function coverage(document: Document, payloads: readonly Payload[]): Diagnostic[] {
  const pointers = new Set(payloads.flatMap(({ uncovered }) => uncovered))
  return [...pointers].slice(0, MOST_FINDINGS).map((pointer) => {
    const detail = `SDKs leave ${quoted(pointer)} out before they verify: nothing shows them that it was not changed`
    return ruleDiagnostic(document, A2A_SIGNATURE_COVERAGE, 'warning', pointer, detail)
  })
}
