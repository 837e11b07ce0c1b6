import { CARD_SIGNATURE_INTEGER } from '../a2a/findings.ts'
import { inJson, withValues } from '../document/rewrite.ts'
import type { Diagnostic } from '../document/types.ts'
import { parseAs, readAs } from '../frame/as.ts'
import { unsafeIntegers } from '../frame/integers.ts'
import { ruleDiagnostic } from '../frame/rule.ts'
import { signParsed } from '../frame/sign.ts'
import type { SignResult } from '../frame/signed.ts'
import { type SignOptions as FrameOptions, type Signing, type SignTask, unsigned } from '../frame/signing.ts'
import type { Source } from '../frame/source.ts'
import { checkAlgorithm } from '../keys/algorithms.ts'
import { decodeBase64url, encodeBase64url } from '../keys/base64.ts'
import { KeyError } from '../keys/error.ts'
import { checkFit, isSameKey, type Key } from '../keys/key.ts'
import type { Subtle } from '../keys/platform.ts'
import type { KeySource } from '../keys/read.ts'
import { signBytes } from '../keys/sign.ts'
import { verifyBytes } from '../keys/verify.ts'
import { sameBytes } from '../text/bytes.ts'
import { member, textMember } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { readAgentUri } from './agent-uri.ts'
import type { Card } from './card.ts'
import * as FINDINGS from './findings.ts'
import { made } from './made.ts'
import { payloadOf, SIGNATURE } from './payload.ts'
import { agentIdOf, keyOfName } from './peer-id.ts'
import { CARD_READING } from './reading.ts'

export interface SignOptions extends FrameOptions {
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
    findings.push(...(await nameFindings(card, key, subtle)))
    const value = await signBytes({ algorithm: 'Ed25519', privateKey: key, message: payload, subtle })
    return made(withValues(inJson(card.document), [[SIGNATURE, encodeBase64url(value)]]), findings)
  },
}

/**
 * Signs an Agent Card with an Ed25519 key (section 3.2). The signature covers the canonical form of everything except
 * itself.
 *
 * Each seq stands for one content. A card whose signature covers other content is refused: `update` raises its seq.
 *
 * @example
 * const { bytes, diagnostics } = await sign('{"id": "agent://scout", "name": "Scout", "seq": 1}', privateKey)
 *
 * @throws {KeyError} for a key that cannot sign or is not for Ed25519, {TypeError} for wrong arguments.
 */
export async function sign(source: Source, key: KeySource, options: SignOptions = {}): Promise<SignResult> {
  return signParsed(CARD_SIGNING, parseAs(CARD_READING, source, options), key, options)
}

function seqFindings({ document, root, seq }: Card): Diagnostic[] {
  if (seq !== undefined) {
    if (seq.value <= BigInt(Number.MAX_SAFE_INTEGER)) return []
    const detail = `${seq.value} is beyond 2^53 - 1: a signature would hold for other numbers, too`
    return [ruleDiagnostic(document, CARD_SIGNATURE_INTEGER, 'error', '/seq', detail)]
  }
  const found = member(root.value, 'seq')
  if (found === undefined)
    return [ruleDiagnostic(document, FINDINGS.CARD_SIGNATURE_SEQ, 'warning', '', 'expected a seq, found none')]
  const detail = `expected an integer from 0 to 2^64 - 1, found ${shown(found)}`
  return [ruleDiagnostic(document, FINDINGS.CARD_SIGNATURE_SEQ, 'error', '/seq', detail)]
}

/** Warns when verifiers would not find the signing key. */
async function keyFindings({ document, id, did }: Card, key: Key, subtle: Subtle): Promise<Diagnostic[]> {
  const uri = id && readAgentUri(id.value)
  if (uri === undefined || 'detail' in uri) {
    const detail = uri?.detail ?? 'expected an id that is an agent:// URI, found none'
    return [ruleDiagnostic(document, FINDINGS.CARD_SIGNATURE_ID, 'error', '/id', detail)]
  }
  const findings: Diagnostic[] = []
  const own = await keyOfName(uri.authority, subtle)
  if (own !== undefined && !isSameKey(own.key, key)) {
    const detail = `${quoted(uri.authority)} is another key than the one that signs`
    const hint = `sign with the key that the id is, or write "id": "${await agentIdOf(key)}", which is the key that signs`
    findings.push(ruleDiagnostic(document, FINDINGS.CARD_SIGNATURE_KEY, 'error', '/id', detail, { fix: { hint } }))
  }
  const named = did?.value.startsWith('did:key:') ? await keyOfName(did.value, subtle) : undefined
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
  const isEndpoint = endpoints.some((endpoint) => textMember(endpoint, 'uri')?.value === id!.value)
  const alsoThere = isEndpoint ? ', in endpoints, too' : ''
  const hint = `write "id": "${own}", which is the key that signs${alsoThere}; or give the public key to whoever verifies`
  return [ruleDiagnostic(document, FINDINGS.CARD_SIGNATURE_NAME, 'warning', '/id', detail, { fix: { hint } })]
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
    return [ruleDiagnostic(document, FINDINGS.CARD_USED_SEQ, 'error', SIGNATURE, detail)]
  }
  const { subject: before, diagnostics } = readAs(CARD_READING, previous)
  if (before === undefined) return [...diagnostics]
  const used = before.seq?.value
  if (before.id?.value !== card.id?.value) {
    return [
      ruleDiagnostic(
        document,
        FINDINGS.CARD_USED_SEQ,
        'error',
        '/id',
        'the card that was signed before has another id',
      ),
    ]
  }
  if (used === undefined || (seq !== undefined && seq.value > used)) return []
  if (seq?.value === used && sameBytes(payload, payloadOf(before.document))) return []
  const detail = `expected a seq above ${used}, found ${seq === undefined ? 'none' : seq.value}`
  return [ruleDiagnostic(document, FINDINGS.CARD_USED_SEQ, 'error', '/seq', detail)]
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
