import { readingOf } from '../bindings/adl/reading.ts'
import { check } from '../bindings/check.ts'
import { sameBytes } from '../bindings/document/bytes.ts'
import type { Diagnostic, Document } from '../bindings/document/index.ts'
import { detectKind } from '../bindings/document/kind.ts'
import type { Parsed } from '../bindings/document/parse.ts'
import { read } from '../bindings/document/read.ts'
import { formatOf } from '../bindings/document/read-format.ts'
import type { Kind } from '../bindings/document/report.ts'

/** What the page knows about a document. */
export interface Examination {
  /** Length of the document, in bytes of UTF-8. */
  readonly bytes: number
  readonly format: 'json' | 'yaml'
  /** Absent when the document cannot be read; then one of the diagnostics is an error. */
  readonly document?: Document
  readonly kind?: Kind
  /** Whether there are rules for its kind, and the diagnostics say which of them it breaks. */
  readonly isChecked: boolean
  readonly isCanonical: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** Kinds that have rules. */
const CHECKED: readonly Kind[] = ['adl', 'adl-discovery', 'card', 'a2a']

/** Reads a document, and checks it when it is of a kind with rules: bytes when it came from a file, text when typed. */
export function examine(source: Uint8Array | string): Examination {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source).length : source.length
  const format = formatOf(source, {})
  const { document, diagnostics } = readFor(source)
  if (document === undefined) return { bytes, format, isChecked: false, isCanonical: false, diagnostics }
  const kind = detectKind(document)
  const isChecked = kind !== undefined && CHECKED.includes(kind)
  const report = isChecked ? check({ document, diagnostics }, { as: kind }) : { diagnostics }
  return {
    bytes,
    format,
    document,
    ...(kind !== undefined && { kind }),
    isChecked,
    isCanonical: format === 'json' && sameBytes(document.bytes, document.canonical),
    diagnostics: report.diagnostics,
  }
}

/** Within the limits of agent definitions when it is one, else within those of canonical forms. */
function readFor(source: Uint8Array | string): Parsed {
  const asAgent = read(source, readingOf({}))
  if (asAgent.diagnostics.length === 0 || isAgent(asAgent)) return asAgent
  const asAnything = read(source)
  return isAgent(asAnything) ? asAgent : asAnything
}

function isAgent({ document }: Parsed): boolean {
  return document !== undefined && detectKind(document) === 'adl'
}
