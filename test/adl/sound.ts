// What every report must guarantee for any document. Used by the tests with odd values and the long run in test/soak.
import { validate } from '../../bindings/adl/index.ts'
import type { ValidationReport } from '../../bindings/frame/source.ts'
import { parsePointer } from '../../bindings/text/members.ts'
import { sampleOf } from '../support/cases.ts'
import { processorTime } from '../support/effort.ts'
import { random } from '../support/random.ts'
import { ODD_VALUES, placesOf, replaced } from './profiles/odd-values.ts'

const NOW = new Date('2026-02-18T00:00:00Z')

type Source = Uint8Array | string

/** A description of the flaw in the report on a document; undefined for a sound report. */
export function flawBy(
  kind: string,
  check: (source: Source) => ValidationReport,
): (source: Source) => string | undefined {
  return (source) => {
    let report: ValidationReport
    const start = processorTime()
    try {
      report = check(source)
    } catch (error) {
      return `threw ${error instanceof Error ? error.stack : String(error)}`
    }
    const took = processorTime() - start
    if (took > SLOWEST_MS) return `took ${took} ms`
    const length = typeof source === 'string' ? new TextEncoder().encode(source).length : source.length
    return flawOf(kind, report, length)
  }
}

/** A description of the flaw in the report on a definition. */
export const flaw = flawBy('adl', (source) => validate(source, { now: NOW, format: 'json' }))

/** No document of a few kilobytes takes a hundredth of this. */
const SLOWEST_MS = 5000

function flawOf(expected: string, { valid, kind, diagnostics }: ValidationReport, length: number): string | undefined {
  if (kind !== expected || diagnostics.length > 1001) return `${kind} ${diagnostics.length}`
  if (valid !== diagnostics.every(({ severity }) => severity !== 'error')) return 'valid and errors do not agree'
  let last = 0
  for (const { code, rule, detail, source, fix } of diagnostics) {
    const { pointer, offset, endOffset, line, column } = source
    const isPlaced = last <= offset && offset <= endOffset && endOffset <= length && line >= 1 && column >= 1
    if (rule !== 'limit/diagnostics' && !isPlaced) return `${rule}: ${JSON.stringify(source)}`
    if (rule !== 'limit/diagnostics') last = offset
    if (parsePointer(pointer) === undefined) return `${rule}: pointer ${pointer}`
    if (detail.length > 600 || /[\p{Cc}\u202e]|undefined|\[object/u.test(detail)) return `${code} ${rule}: ${detail}`
    if (/[\p{Cc}\u202e]|undefined|\[object/u.test(fix?.hint ?? '')) return `${code} ${rule}: ${fix?.hint}`
    for (const edit of fix?.edits ?? [])
      if (!(edit.offset <= edit.endOffset && edit.endOffset <= length)) return `${rule}: edit`
  }
  return undefined
}

/** A document with each of its places replaced by odd values: by each in long runs, else by other ones at each place. */
export function* withOddValues(document: object, skip: ReadonlySet<string>): Generator<string> {
  for (const [i, path] of placesOf(document).entries()) {
    if (path.length > 0 && skip.has(path[0]!)) continue
    for (const odd of sampleOf(ODD_VALUES, i)) yield replaced(document, path, odd)
  }
}

/** Random mutations of random documents: values moved, repeated or removed, and bytes changed. */
export function mutations(documents: readonly object[], seed: number): () => Uint8Array {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const pick = <T>(list: ArrayLike<T>): T => list[below(list.length)]!
  const texts = documents.map((document) => JSON.stringify(document))
  const places = documents.map((document) => placesOf(document))
  const valueAt = (document: object, path: readonly string[]) =>
    path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document)
  return () => {
    const from = below(documents.length)
    let text = texts[from]!
    for (let n = 1 + below(3); n > 0; n--) {
      const document: unknown = JSON.parse(text)
      const path = pick(placesOf(document))
      const other = below(documents.length)
      const value = next() < 0.5 ? pick(ODD_VALUES) : valueAt(documents[other]!, pick(places[other]!))
      text = replaced(document, path, next() < 0.1 ? Array.from({ length: 3 }, () => value) : value)
    }
    const bytes = new TextEncoder().encode(text)
    if (next() < 0.2)
      bytes[below(bytes.length)] =
        next() < 0.5 ? below(256) : pick('{}[]",:019eE\\u-'.split('').map((c) => c.charCodeAt(0)))
    return bytes
  }
}
