import { type Diagnostic, type Document, parse } from '../bindings/document/index.ts'

/** What the page knows about a document. */
export interface Examination {
  /** Length of the document, in bytes of UTF-8. */
  readonly bytes: number
  /** Absent when the document cannot be read; then one of the diagnostics is an error. */
  readonly document?: Document
  readonly isCanonical: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a document: bytes when it came from a file, text when it was typed. */
export function examine(source: Uint8Array | string): Examination {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source).length : source.length
  const { document, diagnostics } = parse(source)
  if (document === undefined) return { bytes, isCanonical: false, diagnostics }
  return { bytes, document, isCanonical: areEqual(document.bytes, document.canonical), diagnostics }
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
