// What signing and verifying do first: they read a document once, and find out what it is.
import { LIMITS } from './adl/limits.ts'
import { checkAs } from './check.ts'
import { Document } from './document/document.ts'
import { detectKind } from './document/kind.ts'
import { read } from './document/read.ts'
import type { Kind } from './document/report.ts'

/** Kinds of documents that carry a signature of their own. */
const SIGNED = ['adl', 'card', 'a2a'] as const

type SignedKind = (typeof SIGNED)[number]

/** The document, or the source as it came: of what cannot be read, the verb says why. */
export function open(
  source: Uint8Array | string | Document,
  { file }: { readonly file?: string },
): Uint8Array | string | Document {
  if (source instanceof Document) return source
  return read(source, { ...(file !== undefined && { file }), maxBytes: LIMITS.documentBytes }).document ?? source
}

/** By whose rules a document is signed: those of ADL where it is of no kind that has others. */
export function signedKind(source: Uint8Array | string | Document, as: Kind | undefined): SignedKind {
  checkAs(as)
  if (as !== undefined) {
    const kind = SIGNED.find((candidate) => candidate === as)
    if (kind !== undefined) return kind
    throw new RangeError(`as: expected one of ${SIGNED.join(', ')}, got ${as}`)
  }
  const detected = source instanceof Document ? detectKind(source) : undefined
  return SIGNED.find((candidate) => candidate === detected) ?? 'adl'
}
