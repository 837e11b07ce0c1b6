import { formatOf } from '../bindings/document/format.ts'
import type { Document } from '../bindings/document/index.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import type { Conformance } from '../bindings/frame/source.ts'
import { type Kind, rowOf } from '../bindings/kinds.ts'
import { sameBytes } from '../bindings/text/bytes.ts'
import { checkOpened, open } from '../bindings/verbs.ts'

/** What the page knows about a document. */
export interface Examination {
  /** Length of the document, in bytes of UTF-8. */
  readonly bytes: number
  readonly format: 'json' | 'yaml'
  /** Absent if the document is unreadable; then one of the diagnostics is an error. */
  readonly document?: Document
  /** The paths of files of its container that are encrypted. */
  readonly encrypted?: readonly string[]
  readonly kind?: Kind
  /** True if there are rules for its kind; the diagnostics list those that it breaks. */
  readonly isChecked: boolean
  readonly isCanonical: boolean
  readonly diagnostics: readonly Diagnostic[]
  /** The level that the document shows, for kinds that have levels. */
  readonly conformance?: Conformance
}

/** Reads a document, and checks it if there are rules for its kind: bytes from a file, text when typed. */
export function examine(source: Uint8Array | string): Examination {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source).length : source.length
  const format = formatOf(source, {})
  const opened = open(source)
  const { document, kind } = opened
  const isChecked = document !== undefined && kind !== undefined && rowOf(kind).isChecked
  const checked = isChecked || document === undefined ? checkOpened(opened, {}) : undefined
  const { diagnostics } = checked ?? opened
  if (document === undefined) return { bytes, format, isChecked, isCanonical: false, diagnostics }
  return {
    bytes,
    format,
    document,
    ...(kind !== undefined && { kind }),
    isChecked,
    isCanonical: format === 'json' && sameBytes(document.bytes, document.canonical),
    diagnostics,
    ...(checked?.conformance !== undefined && { conformance: checked.conformance }),
  }
}
