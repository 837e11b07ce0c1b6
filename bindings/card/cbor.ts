import { readAs } from '../frame/as.ts'
import { unsigned } from '../frame/signing.ts'
import { rowOf } from '../kinds.ts'
import { CARD_READING } from './reading.ts'
// Cards in CBOR (Agent Card section 1.5): the JSON data model in fewer bytes. Signatures still cover the canonical JSON
// (JCS).

import { diagnose } from '../document/diagnose.ts'
import { Lines } from '../document/lines.ts'
import type { Diagnostic } from '../document/types.ts'
import type { SignResult } from '../frame/signed.ts'
import type { Source } from '../frame/source.ts'
import { CborFault, readCbor } from './cbor-read.ts'
import { writeCbor } from './cbor-write.ts'
import { CARD_CBOR } from './findings.ts'

/** A card in CBOR, or the reason that it could not be encoded. */
export interface CborCard {
  readonly bytes: Uint8Array<ArrayBuffer> | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Encodes a card as deterministic CBOR (RFC 8949 section 4.2): cards with the same canonical JSON have the same CBOR.
 * Integers of 64 bits keep every digit. Other numbers become the double that JSON parsers read.
 *
 * @example
 * toCbor('{"id": "agent://a", "name": "A", "seq": 1}').bytes // a3 62 6964 69 6167656e743a2f2f61 ...
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function toCbor(source: Source): CborCard {
  const { subject: card, diagnostics } = readAs(CARD_READING, source)
  if (card === undefined) return { bytes: undefined, diagnostics }
  return { bytes: writeCbor(card.document), diagnostics }
}

/**
 * Decodes a card from CBOR to JSON; a signed card still verifies. Accepts only deterministic CBOR of JSON values.
 * Refused are names that are not text, duplicate names, tags, byte strings, indefinite lengths and NaN.
 *
 * @example
 * const { document } = fromCbor(bytes)
 * await verify(document, { resolver })
 *
 * @throws {TypeError} when the argument is not a Uint8Array.
 */
export function fromCbor(bytes: Uint8Array): SignResult {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`bytes: expected a Uint8Array, got ${typeof bytes}`)
  const refuse = (offset: number, detail: string): SignResult => {
    const place = { pointer: '', offset, endOffset: Math.min(offset + 1, bytes.length), detail }
    return { document: undefined, bytes: undefined, diagnostics: [diagnose(new Lines(bytes), CARD_CBOR, place)] }
  }
  const most = rowOf('card').bounds.bytes
  if (bytes.length > most) return refuse(0, `expected at most ${most} bytes, found ${bytes.length}`)
  try {
    const { subject, diagnostics } = readAs(CARD_READING, readCbor(bytes))
    if (subject === undefined) return unsigned(diagnostics)
    const { document } = subject
    return { document, bytes: document.bytes, diagnostics }
  } catch (error) {
    if (error instanceof CborFault) return refuse(error.offset, error.message)
    throw error
  }
}
