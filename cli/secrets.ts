// No report shows credentials, in whatever file they are: the excerpt of a key file would be the key.

import { Lines } from '../bindings/document/diagnose.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import { type Span, secretSpans, withoutSecrets } from '../bindings/text/secret-shapes.ts'
import type { Outcome } from './outcome.ts'
import { reword, withoutEdits } from './validate/mask.ts'

const STAR = 0x2a
const BELOW = 0x20
/** Excerpts of larger files are not shown: searching them for credentials would take too long. */
const LARGEST = 64 << 20
/** The first characters of a credential identify it: a finding may quote too little to recognize its shape. */
const BEGINNING = 8
const MOST_SECRETS = 1000

/** Masks credentials in an outcome and in the lines of its files. Documents without findings cost nothing. */
export function hideSecrets(outcome: Outcome, sources: Map<string, Lines>): Outcome {
  const known = new Map<string, readonly string[]>()
  const results = outcome.results.map((result) => {
    const diagnostics = result.diagnostics.map((diagnostic) => {
      const { file = '' } = diagnostic.source
      let secrets = known.get(file)
      if (secrets === undefined) {
        secrets = starSource(file, sources)
        known.set(file, secrets)
      }
      return hide(diagnostic, secrets)
    })
    return { ...result, diagnostics }
  })
  return { ...outcome, results }
}

/** Replaces the credentials of a file by stars; returns their first characters. */
function starSource(file: string, sources: Map<string, Lines>): readonly string[] {
  const lines = sources.get(file)
  if (lines === undefined) return []
  const { bytes } = lines
  if (bytes.length > LARGEST) {
    sources.delete(file)
    return []
  }
  const shown = starredBytes(bytes)
  if (shown === undefined) return []
  sources.set(file, new Lines(shown.bytes))
  return shown.beginnings
}

/** Replaces each byte of a credential by a star. */
export function starredLines(lines: Lines): Lines {
  const shown = starredBytes(lines.bytes)
  return shown === undefined ? lines : new Lines(shown.bytes)
}

/** The starred bytes, and the first characters of the credentials; undefined for a text without credentials. */
function starredBytes(bytes: Uint8Array): { bytes: Uint8Array; beginnings: readonly string[] } | undefined {
  // One character per byte, so that offsets are the same in both.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const spans = spansOf(text)
  if (spans.length === 0) return undefined
  const stars = bytes.slice()
  for (const { start, end } of spans) for (let i = start; i < end; i++) if (stars[i]! >= BELOW) stars[i] = STAR
  const beginnings = spans.slice(0, MOST_SECRETS).map(({ start }) =>
    // A line end follows the label of a key; JSON writes it as an escape.
    text
      .slice(start, start + 3 * BEGINNING)
      .replace(/^(?:\\[rn]|\s)+/, '')
      .slice(0, BEGINNING),
  )
  return { bytes: stars, beginnings: beginnings.filter((beginning) => beginning.length === BEGINNING) }
}

function spansOf(text: string): readonly Span[] {
  if (!text.includes('\0')) return secretSpans(text)
  // UTF-16 or binary: if it holds a credential, all of it is starred.
  return secretSpans(text.replaceAll('\0', '')).length > 0 ? [{ start: 0, end: text.length }] : []
}

function hide(diagnostic: Diagnostic, beginnings: readonly string[]): Diagnostic {
  const clean = (words: string) => withoutSecrets(withoutBeginnings(words, beginnings))
  const edits = diagnostic.fix?.edits ?? []
  const safe = edits.every(({ text }) => clean(text) === text) ? diagnostic : withoutEdits(diagnostic)
  return reword(safe, clean)
}

/** Replaces words that begin like a credential of the file, to the end of the word. */
function withoutBeginnings(words: string, beginnings: readonly string[]): string {
  let shown = words
  for (const beginning of beginnings) {
    for (let at = shown.indexOf(beginning); at >= 0; at = shown.indexOf(beginning, at + beginning.length)) {
      const length = /^[^\s'"`]*/.exec(shown.slice(at))![0].length
      shown = shown.slice(0, at) + '*'.repeat(length) + shown.slice(at + length)
    }
  }
  return shown
}
