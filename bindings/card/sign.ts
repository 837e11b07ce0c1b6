import { sameBytes } from '../document/bytes.ts'
import type { Document } from '../document/document.ts'
import { unsafeIntegers } from '../document/integers.ts'
import { member } from '../document/members.ts'
import { inJson, withValue } from '../document/rewrite.ts'
import { ruleDiagnostic } from '../document/rule.ts'
import type { Signed } from '../document/signed.ts'
import type { Diagnostic } from '../document/types.ts'
import { quoted, shown } from '../document/words.ts'
import { checkAlgorithm } from '../keys/algorithms.ts'
import { decodeBase64url, encodeBase64url } from '../keys/base64.ts'
import { KeyError } from '../keys/error.ts'
import { importKey } from '../keys/import.ts'
import { checkFit, isSameKey, type Key } from '../keys/key.ts'
import { type PlatformOptions, type Subtle, subtleOf } from '../keys/platform.ts'
import type { KeySource } from '../keys/read.ts'
import { signBytes } from '../keys/sign.ts'
import { verifyBytes } from '../keys/verify.ts'
import { readAgentUri } from './agent-uri.ts'
import type { Card } from './card.ts'
import { usedSeq } from './lifecycle-findings.ts'
import { made } from './made.ts'
import { type CardSource, openCard } from './open.ts'
import { payloadOf, SIGNATURE } from './payload.ts'
import { keyOfName } from './peer-id.ts'
import { otherCardKey, unordered, unsignableId, unsignedInteger } from './signature-findings.ts'

export interface SignCardOptions extends PlatformOptions {
  /** What diagnostics call the card. */
  readonly file?: string
  /** The card that was signed before: other content under its seq, or a lower one, is refused. */
  readonly previous?: CardSource
}

/**
 * Signs an Agent Card with an Ed25519 key (section 3.2): the canonical form of everything but the signature itself.
 *
 * A seq stands for one content. A card that holds a signature of other content is refused: `updateCard` raises its seq.
 *
 * @example
 * const { bytes, diagnostics } = await signCard('{"id": "agent://scout", "name": "Scout", "seq": 1}', privateKey)
 *
 * @throws {KeyError} for a key that cannot sign or is none for Ed25519, {TypeError} for wrong arguments.
 */
export async function signCard(source: CardSource, key: KeySource, options: SignCardOptions = {}): Promise<Signed> {
  const subtle = subtleOf(options)
  const privateKey = await importKey(key, { subtle })
  checkFit(privateKey, checkAlgorithm('Ed25519'))
  const { card, diagnostics } = openCard(source, options.file)
  if (card === undefined) return { document: undefined, bytes: undefined, diagnostics }
  const findings = [
    // In a string, as others are advised to be, seq would be none.
    ...unsafeIntegers(card.document, unsignedInteger).filter(({ source }) => source.pointer !== '/seq'),
    ...seqFindings(card),
    ...(await keyFindings(card, privateKey, subtle)),
    ...(await contentFindings(card, privateKey, options.previous, subtle)),
  ]
  if (findings.some(({ severity }) => severity === 'error')) {
    return { document: undefined, bytes: undefined, diagnostics: findings }
  }
  const json = inJson(card.document)
  const value = await signBytes({ algorithm: 'Ed25519', privateKey, message: payloadOf(json), subtle })
  return made(withValue(json, SIGNATURE, encodeBase64url(value)), findings)
}

function seqFindings({ document, root, seq }: Card): Diagnostic[] {
  if (seq !== undefined) {
    if (seq.value <= BigInt(Number.MAX_SAFE_INTEGER)) return []
    const detail = `${seq.value} is beyond 2^53 - 1: a signature would hold for other numbers, too`
    return [ruleDiagnostic(document, unsignedInteger, 'error', '/seq', detail)]
  }
  const found = member(root.value, 'seq')
  if (found === undefined) return [ruleDiagnostic(document, unordered, 'warning', '', 'expected a seq, found none')]
  const detail = `expected an integer from 0 to 2^64 - 1, found ${shown(found)}`
  return [ruleDiagnostic(document, unordered, 'error', '/seq', detail)]
}

/** Whether those who verify will find the key that signs. */
async function keyFindings({ document, id, did }: Card, key: Key, subtle: Subtle): Promise<Diagnostic[]> {
  const uri = id && readAgentUri(id.value)
  if (uri === undefined || 'detail' in uri) {
    const detail = uri?.detail ?? 'expected an id that is an agent:// URI, found none'
    return [ruleDiagnostic(document, unsignableId, 'error', '/id', detail)]
  }
  const findings: Diagnostic[] = []
  const own = await keyOfName(uri.authority, subtle)
  if (own !== undefined && !isSameKey(own.key, key)) {
    const detail = `${quoted(uri.authority)} is another key than the one that signs`
    findings.push(ruleDiagnostic(document, otherCardKey, 'error', '/id', detail))
  }
  const named = did?.value.startsWith('did:key:') ? await keyOfName(did.value, subtle) : undefined
  if (named !== undefined && !isSameKey(named.key, key)) {
    const detail = `${quoted(did!.value)} is another key than the one that signs`
    findings.push(ruleDiagnostic(document, otherCardKey, 'warning', '/did', detail))
  }
  return findings
}

/** A seq stands for one content (section 3.1): told by the card that was signed before, or by the signature that is there. */
async function contentFindings(
  card: Card,
  key: Key,
  previous: CardSource | undefined,
  subtle: Subtle,
): Promise<Diagnostic[]> {
  const { document, seq, signature } = card
  if (previous === undefined) {
    if (signature === undefined || (await holds(signature.value, document, key, subtle))) return []
    const detail = 'the signature that is there is of other content, or by another key: raise seq, or take it out'
    return [ruleDiagnostic(document, usedSeq, 'error', SIGNATURE, detail)]
  }
  const before = openCard(previous)
  if (before.card === undefined) return [...before.diagnostics]
  const used = before.card.seq?.value
  if (before.card.id?.value !== card.id?.value) {
    return [ruleDiagnostic(document, usedSeq, 'error', '/id', 'the card that was signed before has another id')]
  }
  if (used === undefined || (seq !== undefined && seq.value > used)) return []
  if (seq?.value === used && sameBytes(payloadOf(document), payloadOf(before.card.document))) return []
  const detail = `expected a seq above ${used}, found ${seq === undefined ? 'none' : seq.value}`
  return [ruleDiagnostic(document, usedSeq, 'error', '/seq', detail)]
}

async function holds(text: string, document: Document, publicKey: Key, subtle: Subtle): Promise<boolean> {
  try {
    const signature = decodeBase64url(text)
    return await verifyBytes({ algorithm: 'Ed25519', publicKey, message: payloadOf(document), signature, subtle })
  } catch (error) {
    if (error instanceof KeyError) return false
    throw error
  }
}
