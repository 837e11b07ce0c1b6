// No report shows credentials, whosever file it is about: an excerpt of a key file would be the key.
import { type Diagnostic, Lines } from '../bindings/document/index.ts'
import { type Span, secretSpans, withoutSecrets } from '../bindings/document/secret-spans.ts'
import type { Outcome } from './context.ts'
import { reword, withoutEdits } from './validate/mask.ts'

const STAR = 0x2a
const BELOW = 0x20
/** Of what is larger no lines are shown: looking through it would take longer than all the rest. */
const LARGEST = 64 << 20
/** What a finding quotes of a credential may be cut before its shape can be told. */
const BEGINNING = 8
const MOST_SECRETS = 1000

/** The outcome as it may be shown; the lines of files are starred in their place. Documents without findings cost nothing. */
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

/** Puts stars for the credentials of a file; gives how they begin. */
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

/** The lines with a star for each byte of a credential. */
export function starredLines(lines: Lines): Lines {
  const shown = starredBytes(lines.bytes)
  return shown === undefined ? lines : new Lines(shown.bytes)
}

/** The bytes with stars, and how the credentials begin; undefined where there is none. */
function starredBytes(bytes: Uint8Array): { bytes: Uint8Array; beginnings: readonly string[] } | undefined {
  // A character a byte, so that what is found has the same place in both.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const spans = spansOf(text)
  if (spans.length === 0) return undefined
  const stars = bytes.slice()
  for (const { start, end } of spans) for (let i = start; i < end; i++) if (stars[i]! >= BELOW) stars[i] = STAR
  const beginnings = spans.slice(0, MOST_SECRETS).map(({ start }) =>
    // Behind the label of a key stands a line end, which JSON writes as an escape.
    text
      .slice(start, start + 3 * BEGINNING)
      .replace(/^(?:\\[rn]|\s)+/, '')
      .slice(0, BEGINNING),
  )
  return { bytes: stars, beginnings: beginnings.filter((beginning) => beginning.length === BEGINNING) }
}

function spansOf(text: string): readonly Span[] {
  if (!text.includes('\0')) return secretSpans(text)
  // UTF-16, or nothing that anybody reads: where something is in it, nothing of it is shown.
  return secretSpans(text.replaceAll('\0', '')).length > 0 ? [{ start: 0, end: text.length }] : []
}

function hide(diagnostic: Diagnostic, beginnings: readonly string[]): Diagnostic {
  const clean = (words: string) => withoutSecrets(withoutBeginnings(words, beginnings))
  const edits = diagnostic.fix?.edits ?? []
  const safe = edits.every(({ text }) => clean(text) === text) ? diagnostic : withoutEdits(diagnostic)
  return reword(safe, clean)
}

/** What begins as a credential of the file does, up to the end of the word. */
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
