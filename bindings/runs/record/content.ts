// The content of lines: any value becomes JSON of bounded size, without what the policy of the recorder takes out.
import { canonicalizeValue } from '../../core/value.ts'
import { parse } from '../../document/parse.ts'
import { formatPointer, isObject, type JsonObject } from '../../text/members.ts'
import { digestOfBytes } from '../digest.ts'
import { type RedactionPolicy, type RemovedContent, redactPart } from '../redaction.ts'
import { writeOpenings } from '../stream/openings.ts'

/** A line has 1 MB, and the longest one holds an input, an output and an error. */
const MOST_VALUE = 300_000
/** A line has 64 levels, the first five of which are those of the step. */
const MOST_DEPTH = 56

/** The mark for a value that does not fit a line. */
const OMITTED = 'adp.omitted'

/** Any value as JSON. A mark with its digest stands for one that is too large, too deep, or not JSON. */
export function fitted(value: unknown): unknown {
  if (value === undefined) return undefined
  const text = textOf(value)
  if (text === undefined) return { [OMITTED]: 'not JSON' }
  const bytes = new TextEncoder().encode(text)
  const { document } = bytes.length > MOST_VALUE ? {} : parse(bytes, { maxDepth: MOST_DEPTH })
  return document === undefined ? { [OMITTED]: digestOfBytes(bytes), bytes: bytes.length } : document.value
}

/** Undefined for functions, cycles, and values whose getters throw. */
function textOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === 'bigint') return String(part)
      return typeof part === 'string' ? part.toWellFormed() : part
    })
  } catch {
    return undefined
  }
}

/** Any value as a text of bounded size. */
export function fittedText(value: unknown): string {
  const text = typeof value === 'string' ? value.toWellFormed() : (textOf(value) ?? 'not JSON')
  return text.length <= MOST_VALUE / 3 ? text : `${OMITTED}:${digestOfBytes(new TextEncoder().encode(text))}`
}

/** A value where a record has an object: another value is wrapped. */
export function asObject(value: unknown): { readonly value: JsonObject | undefined; readonly isWrapped: boolean } {
  const plain = fitted(value)
  const isWrapped = plain !== undefined && !isObject(plain)
  return { value: isWrapped ? { value: plain } : (plain as JsonObject | undefined), isWrapped }
}

/** What a record says of anything that was thrown. */
export function errorOf(error: unknown): JsonObject {
  if (error instanceof Error) return { name: fittedText(error.name), message: fittedText(error.message) }
  return isObject(error) ? asObject(error).value! : { message: fittedText(error) }
}

/** Takes out of each part what the policies name. */
export class Redactor {
  readonly #runId: string
  readonly #policies: readonly RedactionPolicy[]
  readonly #removed = new Map<string, RemovedContent>()

  /** @throws {RangeError} for a pointer to something that every record needs. */
  constructor(runId: string, redact: RedactionPolicy | false, commit: readonly string[] = []) {
    this.#runId = runId
    this.#policies = [
      ...(redact === false ? [] : [redact]),
      ...(commit.length === 0 ? [] : [{ pointers: commit, mode: 'digest', secrets: false } as const]),
    ]
    this.part({}, [])
  }

  /** What was taken out so far. */
  get removed(): readonly RemovedContent[] {
    return [...this.#removed.values()]
  }

  /** Redacts the members of the object at a place; `openings` are the values that were replaced by commitments. */
  part(members: JsonObject, place: readonly string[]) {
    const openings: Uint8Array[] = []
    let document = parse(canonicalizeValue(members)).document!
    for (const policy of this.#policies) {
      const { document: after, removed, salts } = redactPart(document, place, this.#runId, policy)
      if (Object.keys(salts).length > 0) openings.push(writeOpenings(document, salts, formatPointer(place)))
      document = after
      for (const row of removed) this.#count(row)
    }
    return { value: document.value as JsonObject, openings }
  }

  #count(row: RemovedContent): void {
    const key = `${row.mode} ${row.pointer}`
    this.#removed.set(key, { ...row, count: row.count + (this.#removed.get(key)?.count ?? 0) })
  }
}
