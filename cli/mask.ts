// Masks what logs must not show (ADL 18.9): contacts, authors and prompts of confidential and restricted definitions,
// also of definitions embedded in other documents, both in excerpts and in the details of findings.

import { isMeant, secretValues } from '../bindings/adl/redaction.ts'
import { Lines } from '../bindings/document/diagnose.ts'
import type { Document } from '../bindings/document/parse.ts'
import { STRING } from '../bindings/document/tape.ts'
import type { Diagnostic } from '../bindings/document/types.ts'
import { formatPointer, isObject, valueAt } from '../bindings/text/members.ts'
import { type Span, secretSpans, withoutSecrets } from '../bindings/text/secret-shapes.ts'
import { quoted, shown } from '../bindings/text/words.ts'
import type { Outcome } from './command.ts'
import { parseFile } from './open.ts'

const STAR = 0x2a
const BELOW = 0x20
/** Shorter words are too common to be secrets. */
const SHORTEST = 4
/** With more secrets than this, findings show no values of the document at all. */
const MOST_SECRETS = 1000

interface MaskedText {
  /** The text with stars instead of confidential characters. */
  readonly lines: Lines
  readonly diagnostics: readonly Diagnostic[]
}

/** Masks the text and findings of a document with confidential or restricted definitions; undefined for others. */
export function mask(
  bytes: Uint8Array,
  document: Document,
  diagnostics: readonly Diagnostic[],
): MaskedText | undefined {
  const { value } = document
  const places = confidentialPlaces(value)
  if (places.length === 0) return undefined
  const stars = bytes.slice()
  const secrets: string[] = []
  const { tape } = document
  const hidden = places.flatMap((path) => {
    const place = { pointer: formatPointer(path), entry: tape.find(path) }
    return tape.kind(place.entry) === STRING ? [place] : secretValues(document, {}, [place])
  })
  for (const { pointer, entry } of hidden) {
    // Line ends stay, so that positions do not move.
    for (let at = tape.placeStart(entry); at < tape.placeEnd(entry); at++) if (stars[at]! >= BELOW) stars[at] = STAR
    collect(valueAt(value, pointer), secrets)
  }
  let json: string | undefined
  const isContent = (part: string) => {
    json ??= JSON.stringify(value)
    return json.includes(part)
  }
  return {
    lines: new Lines(stars),
    diagnostics: diagnostics.map((diagnostic) => withoutValues(diagnostic, secrets, isContent)),
  }
}

/** Masks an unreadable text completely if it mentions its sensitivity: its confidential parts cannot be located. */
export function maskUnreadable(bytes: Uint8Array, diagnostics: readonly Diagnostic[]): MaskedText | undefined {
  // Without NUL, so that UTF-16 is searched too.
  const text = new TextDecoder().decode(bytes).replaceAll('\0', '')
  if (!SENSITIVE.test(text)) return undefined
  return {
    lines: new Lines(bytes.map((byte) => (byte < BELOW ? byte : STAR))),
    diagnostics: diagnostics.map((diagnostic) => reword(withoutEdits(diagnostic), withoutQuotations)),
  }
}

/** Keeps the expectation; removes the found value and anything in quotes, which the document may contain. */
function withoutQuotations(words: string): string {
  const found = words.indexOf(', found ')
  return found < 0 ? words.replace(/(['"`]).*\1/s, '[redacted]') : `${words.slice(0, found)}, found something else`
}

/** Removes the edits of a fix, which may quote the document. */
export function withoutEdits({ fix, ...diagnostic }: Diagnostic): Diagnostic {
  return fix === undefined ? diagnostic : { ...diagnostic, fix: { hint: fix.hint } }
}

const SENSITIVE = /sensitivity\b[\s\S]{0,40}?\b(?:confidential|restricted)\b/i

/** True if the document is, or contains, a confidential or restricted definition. */
export function isConfidential({ value }: Document): boolean {
  return confidentialPlaces(value).length > 0
}

type Path = readonly string[]

/** Entries of these members have their own classification, and no secrets. */
const PARTS = /^(?:tools|resources)$/

/**
 * Finds confidential definitions, even with a misspelled classification. Other formats may contain a definition as an
 * object anywhere, or as JSON in a string.
 */
function confidentialPlaces(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return value.startsWith('{') && SENSITIVE.test(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, part]) => confidentialPlaces(part, [...path, name]))
  return declares(value) && !PARTS.test(path.at(-2) ?? '') ? [path, ...inner] : inner
}

const declares = (value: object) =>
  Object.entries(value).some(([name, inner]) => isSensitive(inner) && isMeant(name, 'data_classification'))

const isSensitive = (classification: unknown) =>
  isObject(classification) &&
  Object.entries(classification).some(
    ([name, level]) =>
      typeof level === 'string' && /^(?:confidential|restricted)$/i.test(level) && isMeant(name, 'sensitivity'),
  )

/** Collects every string and number in a value, as it is and as messages show it. */
function collect(value: unknown, into: string[]): void {
  if (typeof value === 'string') {
    if (value.length >= SHORTEST) for (const one of new Set([value, quoted(value).slice(1, -1)])) into.push(one)
  } else if (typeof value === 'number') into.push(shown(value))
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collect(inner, into)
  }
}

const withoutValues = (
  diagnostic: Diagnostic,
  secrets: readonly string[],
  isContent: (part: string) => boolean,
): Diagnostic =>
  reword(diagnostic, (text) => {
    if (secrets.length > MOST_SECRETS) return text.replace(/'[^']*'/g, "'[redacted]'")
    return secrets.reduce((words, secret) => withoutSecret(words, secret, isContent), text)
  })

const QUOTATION = /'[^'"`]*'|"[^'"`]*"|`[^'"`]*`/g
/** Matches text whose quotations contain no quotation marks, with nothing between them that JSON would escape. */
const PLAIN = /^(?:[ !#-&(-[\]-_a-~]*(?<![^ (])(['"`])[^'"`]*\1(?![^ ,.:;)]))*[ !#-&(-[\]-_a-~]*$/

/** Removes a secret. Digits alone are only removed inside quotations; elsewhere they may be our own count or limit. */
function withoutSecret(words: string, secret: string, isContent: (part: string) => boolean): string {
  const hidden = (part: string) => part.replaceAll(secret, '[redacted]')
  if (!/^[\d.,\s]+$/.test(secret)) return hidden(words)
  const between = words.split(QUOTATION).slice(1, -1)
  // A quotation may contain marks and end later than it seems: everything from the first to the last may be content.
  const isPlain = PLAIN.test(words) && !between.some((part) => part.includes(secret) && isContent(part))
  return words.replace(isPlain ? QUOTATION : /['"`].*['"`]/s, hidden)
}

function reword(diagnostic: Diagnostic, change: (words: string) => string): Diagnostic {
  const { detail, fix, related } = diagnostic
  return {
    ...diagnostic,
    detail: change(detail),
    ...(fix !== undefined && { fix: { ...fix, hint: change(fix.hint) } }),
    ...(related !== undefined && {
      related: related.map(({ pointer, message }) => ({ pointer, message: change(message) })),
    }),
  }
}

// No report shows credentials, in whatever file they are: the excerpt of a key file would be the key.

/** Excerpts of larger files are not shown: searching them for credentials would take too long. */
const LARGEST = 64 << 20
/** The first characters of a credential identify it: a finding may quote too little to recognize its shape. */
const BEGINNING = 8

/** Masks credentials in an outcome and in the lines of its files. Documents without findings cost nothing. */
function hideSecrets(outcome: Outcome, sources: Map<string, Lines>): Outcome {
  const known = new Map<string, readonly string[]>()
  const results = outcome.results.map((result) => {
    const diagnostics = result.diagnostics.map((diagnostic) => {
      const { file = '' } = diagnostic.source
      let secrets = known.get(file)
      if (secrets === undefined) {
        secrets = starSource(file, sources)
        known.set(file, secrets)
      }
      return withoutCredentials(diagnostic, secrets)
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

function withoutCredentials(diagnostic: Diagnostic, beginnings: readonly string[]): Diagnostic {
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

// No report of any command shows confidential parts of a document (ADL 18.9).

/** The limit of a document that can carry an agent definition; larger files cannot. */
const LARGEST_DEFINITION = 4 << 20

/** Masks confidential parts in an outcome and in the lines of its files. Documents without findings cost nothing. */
async function hideConfidential(outcome: Outcome, sources: Map<string, Lines>): Promise<Outcome> {
  const found = new Map<string, Diagnostic[]>()
  for (const diagnostic of outcome.results.flatMap(({ diagnostics }) => diagnostics)) {
    const { file } = diagnostic.source
    if (file === undefined || !sources.has(file)) continue
    const list = found.get(file)
    if (list === undefined) found.set(file, [diagnostic])
    else list.push(diagnostic)
  }
  if (found.size === 0) return outcome
  const hidden = new Map<Diagnostic, Diagnostic>()
  for (const [file, diagnostics] of found) {
    const { bytes } = sources.get(file)!
    if (bytes.length > LARGEST_DEFINITION) continue
    const { document } = await parseFile(bytes, { file, bom: 'warn' })
    const masked = document ? mask(bytes, document, diagnostics) : maskUnreadable(bytes, diagnostics)
    if (masked === undefined) continue
    sources.set(file, masked.lines)
    for (const [i, diagnostic] of diagnostics.entries()) hidden.set(diagnostic, masked.diagnostics[i]!)
  }
  const results = outcome.results.map((result) => {
    return { ...result, diagnostics: result.diagnostics.map((diagnostic) => hidden.get(diagnostic) ?? diagnostic) }
  })
  return { ...outcome, results }
}

/** Hides confidential parts and credentials in an outcome and in the lines of its files. */
export async function withoutHidden(outcome: Outcome, sources: Map<string, Lines>): Promise<Outcome> {
  return hideSecrets(outcome.isMasked ? outcome : await hideConfidential(outcome, sources), sources)
}
