import type { Document } from '../../document/document.ts'
import { MOST_FINDINGS, unsafeIntegers } from '../../document/integers.ts'
import { elements, isObject } from '../../document/members.ts'
import { inJson, withValue } from '../../document/rewrite.ts'
import { ruleDiagnostic } from '../../document/rule.ts'
import type { Signed } from '../../document/signed.ts'
import type { Diagnostic } from '../../document/types.ts'
import { quoted } from '../../document/words.ts'
import { type Algorithm, checkAlgorithm } from '../../keys/algorithms.ts'
import { encodeBase64url } from '../../keys/base64.ts'
import { fingerprint } from '../../keys/fingerprint.ts'
import { importKey } from '../../keys/import.ts'
import { checkFit } from '../../keys/key.ts'
import { type PlatformOptions, subtleOf } from '../../keys/platform.ts'
import type { KeySource } from '../../keys/read.ts'
import { signBytes } from '../../keys/sign.ts'
import type { CardSource } from '../open.ts'
import { unsignedInteger } from '../signature-findings.ts'
import type { A2aCard } from './a2a-card.ts'
import { checkA2aCard } from './check.ts'
import { uncoveredMember } from './findings.ts'
import { readJws } from './jws.ts'
import { openA2aCard } from './open.ts'
import { type Payload, payloadsOf, signingInput } from './payload.ts'
import { PRESENCE_RULES, type PresenceRule } from './presence.ts'

export interface SignA2aOptions extends PlatformOptions {
  /** What diagnostics call the card. */
  readonly file?: string
  /** That of the key when absent; PS256 of RSA. */
  readonly algorithm?: Algorithm
  /** What the header calls the key; its JWK thumbprint (RFC 7638) when absent. */
  readonly kid?: string
  /**
   * By which rules to leave members out: one signature for each different payload. When absent, those of the
   * specification and those of the SDKs, so that everybody can verify one.
   */
  readonly rules?: readonly PresenceRule[]
}

const encoder = new TextEncoder()

/**
 * Signs an Agent Card of A2A (section 8.4): a JWS (RFC 7515) over its canonical form, without a payload of its own, in
 * `signatures`. One that is there stays, but for those by the same `kid`. A card with an error is not signed.
 *
 * @example
 * const { bytes, diagnostics } = await signA2aCard(card, privateKey, { kid: 'key-1' })
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for wrong arguments.
 */
export async function signA2aCard(source: CardSource, key: KeySource, options: SignA2aOptions = {}): Promise<Signed> {
  const subtle = subtleOf(options)
  const privateKey = await importKey(key, { subtle })
  const algorithm = checkAlgorithm(options.algorithm ?? privateKey.algorithms.at(-1))
  checkFit(privateKey, algorithm)
  const kid = options.kid ?? (await fingerprint(privateKey, { subtle }))
  if (typeof kid !== 'string' || kid === '') throw new TypeError('kid: expected a string that is not empty')
  const { card, diagnostics } = openA2aCard(source, options.file)
  if (card === undefined) return { document: undefined, bytes: undefined, diagnostics }
  const rules = rulesFor(card, options.rules)
  const { document } = card
  const errors = checkA2aCard(document, { ruleset: 'spec' }).diagnostics.filter(({ severity }) => severity === 'error')
  const refusals = [...errors, ...unsafeIntegers(document, unsignedInteger)]
  if (refusals.length > 0) return { document: undefined, bytes: undefined, diagnostics: refusals }
  const payloads = payloadsOf(card, rules)
  const alg = algorithm.startsWith('Ed') ? 'EdDSA' : algorithm
  const header = encodeBase64url(encoder.encode(JSON.stringify({ alg, kid, typ: 'JOSE' })))
  const made = await Promise.all(
    payloads.map(async (payload) => {
      const message = signingInput(header, payload)
      const signature = await signBytes({ algorithm, privateKey, message, subtle })
      return { protected: header, signature: encodeBase64url(signature) }
    }),
  )
  const signed = withValue(inJson(document), '/signatures', [...othersIn(card, kid), ...made])
  return { document: signed, bytes: signed.bytes, diagnostics: coverage(document, payloads) }
}

function rulesFor({ version }: A2aCard, wanted: readonly PresenceRule[] | undefined): readonly PresenceRule[] {
  const known = PRESENCE_RULES[version]
  if (wanted === undefined) return [known[0]!, 'sdk']
  const isKnown = Array.isArray(wanted) && wanted.length > 0 && wanted.every((rule) => known.includes(rule))
  if (!isKnown) throw new RangeError(`rules: expected some of ${known.join(', ')} for a card of ${version}`)
  return wanted
}

/** The signatures by other keys: they cover the card without signatures, so one more changes nothing. */
function othersIn({ root }: A2aCard, kid: string): readonly unknown[] {
  return elements(root, 'signatures', isObject).flatMap(({ value }) => {
    const jws = readJws(value)
    return 'kid' in jws && jws.kid === kid ? [] : [value]
  })
}

/** Members that not all of the signatures cover. */
function coverage(document: Document, payloads: readonly Payload[]): Diagnostic[] {
  const pointers = new Set(payloads.flatMap(({ uncovered }) => uncovered))
  return [...pointers].slice(0, MOST_FINDINGS).map((pointer) => {
    const detail = `SDKs leave ${quoted(pointer)} out before they verify: nothing shows them that it was not changed`
    return ruleDiagnostic(document, uncoveredMember, 'warning', pointer, detail)
  })
}
