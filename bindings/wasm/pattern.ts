/**
 * Patterns in the core: checked, compiled into sets, and matched against many subjects at once.
 * @module
 */
import { PATTERN_EMPTY, PATTERN_SEGMENTS, PATTERN_SET, PATTERN_SUBJECTS, PATTERN_WORK } from './faults.ts'
import { type Instance, instance, isWellFormed, Resident } from './instance.ts'

/** The kinds of patterns, in the order of the core's numbers. */
export const KINDS = ['host', 'path', 'env', 'command', 'tag'] as const
export type PatternKind = (typeof KINDS)[number]

/** A finding from the core: negative codes are errors, positive ones warnings; offset and length in bytes. */
export interface RawFinding {
  readonly code: number
  readonly offset: number
  readonly length: number
}

const IGNORE_CASE = 1
const NEWLINE = 0x0a
/**
 * Bytes that never occur in UTF-8. BETWEEN separates texts; NO_TEXT replaces a string that is not well-formed, so that
 * nothing matches it.
 */
const BETWEEN = 0xff
const NO_TEXT = 0xfe

/** The most UTF-16 units in one call: four times as much memory is still far below the core's limit. */
const PORTION = 1 << 24

const encoder = new TextEncoder()

/** The core's findings in a pattern. */
export function findings(kind: PatternKind, pattern: string): RawFinding[] {
  const core = instance()
  const count = core.exports.patternCheck(core.writeText(pattern), KINDS.indexOf(kind))
  const at = core.word(0) >>> 2
  return Array.from({ length: count }, (_, i) => {
    const [code, offset, length] = core.words.subarray(at + 3 * i, at + 3 * i + 3) as unknown as [
      number,
      number,
      number,
    ]
    return { code: code | 0, offset, length }
  })
}

/** Compiles patterns. Undefined when any pattern is refused; `findings` explains why. */
export function compileSet(
  kind: PatternKind,
  patterns: readonly string[],
  ignoreCase: boolean,
): CompiledSet | undefined {
  const core = instance()
  const written = writeApart(core, patterns)
  const flags = ignoreCase ? IGNORE_CASE : 0
  const outcome = core.exports.patternCompile(written, KINDS.indexOf(kind), flags, BETWEEN, patterns.length)
  if (outcome <= PATTERN_EMPTY && outcome >= PATTERN_SEGMENTS) return undefined
  const length = valueOrThrow(core, outcome)
  return new CompiledSet(core.copy(core.word(0), length))
}

/** Compiled patterns of one kind. */
export class CompiledSet {
  readonly #blob: Resident
  readonly #length: number

  constructor(blob: Uint8Array) {
    this.#blob = new Resident(blob)
    this.#length = blob.length
  }

  /** True when any pattern matches the subject, which must be well-formed. */
  test(subject: string): boolean {
    const blob = this.#blob.at()
    const core = instance()
    return valueOrThrow(core, core.exports.patternTest(core.writeText(subject), blob, this.#length)) === 1
  }

  /** The lowest index of a matching pattern for each subject, or -1. */
  firstOf(subjects: readonly string[]): Int32Array<ArrayBuffer> {
    const numbers = new Int32Array(subjects.length)
    for (let from = 0; from < subjects.length; ) {
      const portion = cutPortion(subjects, from)
      const core = this.#match('patternMatchFirst', portion, from)
      numbers.set(new Int32Array(core.bytes.buffer, core.word(0), portion.length), from)
      from += portion.length
    }
    return numbers
  }

  /** The indexes of all matching patterns for each subject. */
  allOf(subjects: readonly string[]): { offsets: Uint32Array<ArrayBuffer>; patterns: Uint32Array<ArrayBuffer> } {
    const offsets = new Uint32Array(subjects.length + 1)
    const parts: Uint32Array<ArrayBuffer>[] = []
    for (let from = 0; from < subjects.length; ) {
      const core = this.#match('patternMatchAll', cutPortion(subjects, from), from)
      const table = core.word(0) >>> 2
      const list = core.word(1) >>> 2
      const answered = core.word(2)
      const before = offsets[from]!
      offsets.set(core.words.subarray(table, table + answered + 1), from)
      if (before > 0) for (let i = from; i <= from + answered; i++) offsets[i]! += before
      parts.push(core.words.slice(list, list + core.words[table + answered]!))
      from += answered
    }
    return { offsets, patterns: concatenate(parts) }
  }

  #match(name: 'patternMatchFirst' | 'patternMatchAll', subjects: readonly string[], from: number): Instance {
    const blob = this.#blob.at()
    const core = instance()
    const call = core.exports[name]
    const joined = subjects.join('\n')
    const written = core.writeText(joined)
    let outcome = PATTERN_SUBJECTS
    if (written === joined.length || isWellFormed(joined)) {
      outcome = call(written, blob, this.#length, NEWLINE, subjects.length)
    }
    if (outcome === PATTERN_SUBJECTS) {
      outcome = call(writeApart(core, subjects), blob, this.#length, BETWEEN, subjects.length)
    }
    valueOrThrow(core, outcome, from)
    return core
  }
}

function concatenate(parts: readonly Uint32Array<ArrayBuffer>[]): Uint32Array<ArrayBuffer> {
  if (parts.length === 1) return parts[0]!
  const whole = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** As many subjects from `from` on as fit into one call, but at least one. */
function cutPortion(subjects: readonly string[], from: number): readonly string[] {
  let units = 0
  let to = from
  do units += subjects[to++]!.length + 1
  while (to < subjects.length && units + subjects[to]!.length < PORTION)
  return from === 0 && to === subjects.length ? subjects : subjects.slice(from, to)
}

/** Writes texts one after another, separated by a byte that none of them can contain. Returns the length. */
function writeApart(core: Instance, texts: readonly string[]): number {
  let most = texts.length
  for (const text of texts) most += 3 * text.length
  const start = core.reserve(most)
  let at = start
  for (const text of texts) {
    if (isWellFormed(text)) at += encoder.encodeInto(text, core.bytes.subarray(at)).written
    else core.bytes[at++] = NO_TEXT
    core.bytes[at++] = BETWEEN
  }
  return Math.max(0, at - start - 1) // separators stand between texts, not after the last one
}

function valueOrThrow(core: Instance, outcome: number, from = 0): number {
  core.renew() // writing the results may have grown the memory
  if (outcome >= 0) return outcome
  if (outcome === PATTERN_SET) throw new RangeError('patterns: expected 4194304 bytes at the most, got more')
  if (outcome === PATTERN_WORK) {
    throw new RangeError(`subject ${from + core.word(1)}: expected 268435456 steps at the most, got more`)
  }
  throw new RangeError('the host gives the core no more memory')
}
