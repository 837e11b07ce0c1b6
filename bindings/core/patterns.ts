/**
 * The patterns of ADL (section 4.4) and the skill tags of Agent Cards (section 3.6): checking, compiling, matching.
 * @module
 */

import { isWellFormed } from '../wasm/instance.ts'
import { type CompiledSet, compileSet, KINDS, type PatternKind } from '../wasm/pattern.ts'
import { checkTexts, describePattern, nameOf, PatternError, type PatternFinding } from './pattern-findings.ts'

export type { PatternKind } from '../wasm/pattern.ts'

export declare namespace compilePatterns {
  interface Options {
    /** Ignores the case of ASCII letters, for example for Windows paths. Hosts always ignore case. */
    readonly ignoreCase?: boolean
  }
}

/**
 * The findings in a pattern, in character order: errors, which make `compilePatterns` refuse it, and warnings.
 *
 * @example
 * checkPattern('host', '**.example.com')
 * // [{ severity: 'error', reason: 'globstar-kind', offset: 0, length: 2, message: 'expected "*", got "**" ...' }]
 *
 * @throws {TypeError} when the pattern is not a string.
 * @throws {RangeError} for an unknown kind.
 */
export function checkPattern(kind: PatternKind, pattern: string): PatternFinding[] {
  checkKind(kind)
  if (typeof pattern !== 'string') throw new TypeError(`pattern: expected a string, got ${nameOf(pattern)}`)
  return describePattern(kind, pattern)
}

/**
 * Compiles patterns of one kind, for matching subjects one by one or many at once.
 *
 * @example
 * const hosts = compilePatterns('host', ['*.example.com', 'example.org'])
 * hosts.test('API.example.com') // true
 * hosts.first('example.org') // 1
 * hosts.allOf(['example.org', 'a.b.example.com']).offsets // Uint32Array [0, 1, 1]
 *
 * @throws {PatternError} when a pattern is refused; its `findings` explain which, where and why.
 * @throws {TypeError} when the patterns are not an array of strings, or an option has the wrong type.
 * @throws {RangeError} for an unknown kind, or more than 4 MiB of patterns.
 */
export function compilePatterns(
  kind: PatternKind,
  patterns: readonly string[],
  options?: compilePatterns.Options,
): PatternSet {
  checkKind(kind)
  checkTexts('patterns', patterns)
  const ignoreCase = options?.ignoreCase ?? false
  if (typeof ignoreCase !== 'boolean') throw new TypeError(`ignoreCase: expected a boolean, got ${nameOf(ignoreCase)}`)
  // Copies the list before the check, so that the caller cannot change it between checking and compiling.
  const list = [...patterns]
  const compiled = compileSet(kind, list, ignoreCase)
  if (compiled === undefined) throw new PatternError(list.flatMap((pattern, i) => errorsOf(kind, pattern, i)))
  return new PatternSet(kind, list, ignoreCase, compiled)
}

function errorsOf(kind: PatternKind, pattern: string, number: number): PatternError.Finding[] {
  const errors = describePattern(kind, pattern).filter((finding) => finding.severity === 'error')
  return errors.map((finding) => ({ ...finding, pattern: number }))
}

function checkKind(kind: unknown): void {
  if (KINDS.includes(kind as PatternKind)) return
  throw new RangeError(
    `kind: expected ${KINDS.slice(0, -1).join(', ')} or ${KINDS.at(-1)}, got ${typeof kind === 'string' ? JSON.stringify(kind) : nameOf(kind)}`,
  )
}

export declare namespace PatternSet {
  /**
   * The matches of many subjects: the patterns that match subject `i` are the elements of `patterns` from `offsets[i]` to
   * `offsets[i + 1]`, excluding the latter.
   */
  interface Matches {
    readonly offsets: Uint32Array<ArrayBuffer>
    readonly patterns: Uint32Array<ArrayBuffer>
  }
}

/** Up to this many patterns, trying them one by one in JavaScript is faster than one call into WebAssembly. */
const FEW = 8

/**
 * From this product of the patterns' and the subject's length on, the core's matcher is used, because its time is
 * bounded.
 */
const HARD = 1 << 20

/**
 * Compiled patterns of one kind, made by `compilePatterns`. Patterns are identified by their index in the compiled
 * list. A subject with a lone surrogate matches no pattern.
 */
export class PatternSet {
  readonly kind: PatternKind
  readonly size: number
  readonly #compiled: CompiledSet
  /** JavaScript tests for a small set of patterns, and the longest subject that they are used for. */
  readonly #tests: readonly Test[]
  readonly #reach: number

  /** @internal */
  constructor(kind: PatternKind, patterns: readonly string[], ignoreCase: boolean, compiled: CompiledSet) {
    this.kind = kind
    this.size = patterns.length
    this.#compiled = compiled
    const few = patterns.length <= FEW
    this.#tests = few ? patterns.map((pattern) => compileTest(kind, pattern, ignoreCase)) : []
    this.#reach = few ? HARD / patterns.reduce((sum, pattern) => sum + pattern.length, 0) : -1
  }

  /**
   * True when any pattern matches.
   *
   * @example
   * compilePatterns('env', ['APP_*']).test('APP_PORT') // true
   *
   * @throws {TypeError} when the subject is not a string.
   */
  test(subject: string): boolean {
    const tests = this.#testsFor(subject)
    if (tests === undefined) return isWellFormed(subject) && this.#compiled.test(subject)
    for (let i = 0; i < tests.length; i++) if (tests[i]!(subject)) return true
    return false
  }

  /**
   * The index of the first pattern that matches, or -1.
   *
   * @example
   * compilePatterns('path', ['/tmp/*', '/data/**']).first('/data/a/b') // 1
   *
   * @throws {TypeError} when the subject is not a string.
   */
  first(subject: string): number {
    const tests = this.#testsFor(subject)
    return tests === undefined ? this.firstOf([subject])[0]! : tests.findIndex((test) => test(subject))
  }

  /**
   * The indexes of all patterns that match, ascending.
   *
   * @example
   * compilePatterns('tag', ['nlp', 'vision', 'nlp/*']).all('nlp/translation') // [0, 2]
   *
   * @throws {TypeError} when the subject is not a string.
   */
  all(subject: string): number[] {
    const tests = this.#testsFor(subject)
    if (tests === undefined) return [...this.allOf([subject]).patterns]
    return tests.flatMap((test, i) => (test(subject) ? [i] : []))
  }

  /**
   * `first` for each subject, in one call.
   *
   * @example
   * compilePatterns('host', ['*.a.example', 'b.example']).firstOf(['b.example', 'c.example']) // Int32Array [1, -1]
   *
   * @throws {TypeError} when the subjects are not an array of strings.
   * @throws {RangeError} when matching a subject would take minutes: hundreds of hostile patterns, and a megabyte of
   * subject.
   */
  firstOf(subjects: readonly string[]): Int32Array<ArrayBuffer> {
    checkTexts('subjects', subjects)
    return this.#compiled.firstOf(subjects)
  }

  /**
   * `all` for each subject, in one call.
   *
   * @example
   * const { offsets, patterns } = compilePatterns('path', ['/a/*', '/a/**']).allOf(['/a', '/a/b'])
   * offsets // Uint32Array [0, 0, 2]
   * patterns // Uint32Array [0, 1]
   *
   * @throws as `firstOf`.
   */
  allOf(subjects: readonly string[]): PatternSet.Matches {
    checkTexts('subjects', subjects)
    return this.#compiled.allOf(subjects)
  }

  /** The JavaScript tests for this subject, or undefined when the core should match it. */
  #testsFor(subject: string): readonly Test[] | undefined {
    if (typeof subject !== 'string') throw new TypeError(`subject: expected a string, got ${nameOf(subject)}`)
    return subject.length <= this.#reach ? this.#tests : undefined
  }
}

// Matches the part of a pattern from its first wildcard to its last against a range of a subject.

/**
 * True when the characters in [from, to) of the subject match. Each end of the range is an end of the subject or
 * adjoins a literal.
 */
type Middle = (subject: string, from: number, to: number) => boolean

/** Env and command patterns have only one segment: no character equals the empty text. */
const NO_SEPARATOR = ''

/**
 * The pattern between two `**` or at an end. Matched forwards, except a last part, which is matched backwards from the
 * end.
 */
interface Part {
  /**
   * Four numbers for each step: its type, the start and the end of its literal in `codes`, and how much of the literal
   * lies in its first segment.
   */
  readonly steps: readonly number[]
  readonly codes: readonly number[]
  readonly forward: 1 | -1
}

/** A literal, possibly with separators. */
const LITERAL = 0
/**
 * `*` and the literal after it. The part of the literal that lies in the gap's segment determines where the gap ends.
 */
const GAP = 1
/** `*` and a literal before another `*` in the same segment: its first occurrence is as good as any. */
const SEARCH = 2

interface Program {
  readonly parts: readonly Part[]
  /** True when the pattern ends with `**`. */
  readonly open: boolean
  readonly separator: number
  readonly fold: boolean
}

/** No place in a subject. Cannot be -1, which is the place before its first character. */
const NOWHERE = -2

/**
 * Compiles the pattern from its first wildcard to its last, including the separator of a `**`; the text is empty for a
 * pattern without wildcards.
 */
function compileMiddle(text: string, separator: string, fold: boolean): Middle {
  const code = separator.charCodeAt(0)
  switch (text) {
    case '':
      return (_, from, to) => from === to
    case '*':
      return (subject, from, to) => segmentEnd(subject, from, to, 1, code) === to
    case '**':
      return () => true
    case '**/':
      return (subject, from, to) => from === to || subject.charCodeAt(to - 1) === code
  }
  const program = compileProgram(text, separator, fold)
  return (subject, from, to) => matches(program, subject, from, to)
}

function compileProgram(text: string, separator: string, fold: boolean): Program {
  const open = text.endsWith('**')
  const texts = (open ? text.slice(0, -2) : text).split('**/')
  const parts = texts.map((part, i) => {
    const forward = i === 0 || i < texts.length - 1 || open ? 1 : -1
    return compilePart(part, separator, fold, forward)
  })
  return { parts, open, separator: separator.charCodeAt(0), fold }
}

function compilePart(text: string, separator: string, fold: boolean, forward: 1 | -1): Part {
  const steps: number[] = []
  const codes: number[] = []
  const literals = (forward === 1 ? text : reverse(text)).split('*')
  literals.forEach((literal, i) => {
    const start = codes.length
    for (const one of toCodes(literal, fold)) codes.push(one)
    const inSegment = separator === NO_SEPARATOR ? -1 : literal.indexOf(separator)
    const last = i === literals.length - 1
    const step = i === 0 ? LITERAL : inSegment >= 0 || last ? GAP : SEARCH
    steps.push(step, start, codes.length, inSegment >= 0 ? inSegment : literal.length)
  })
  return { steps, codes, forward }
}

/** Reverses the UTF-16 units, because matching compares units. */
function reverse(text: string): string {
  return text.split('').reverse().join('')
}

/** The UTF-16 units of a text. */
function toCodes(text: string, fold: boolean): number[] {
  return Array.from({ length: text.length }, (_, i) => (fold ? lower(text.charCodeAt(i)) : text.charCodeAt(i)))
}

/** Lower-cases ASCII only: `toLowerCase` would turn the Kelvin sign into a k. */
function lower(unit: number): number {
  return (unit - 0x41) >>> 0 < 26 ? unit | 0x20 : unit
}

/** Matches the first part at the start, the last part at the end, and each part in between as early as possible. */
function matches(program: Program, subject: string, from: number, to: number): boolean {
  const { parts, open, separator } = program
  let start = matchPart(program, parts[0]!, subject, from, to)
  if (start === NOWHERE) return false
  if (parts.length === 1) return open || start === to
  let end = to
  if (!open) {
    const before = matchPart(program, parts[parts.length - 1]!, subject, end - 1, start - 1)
    if (before === NOWHERE || (before >= start && subject.charCodeAt(before) !== separator)) return false
    end = before + 1
  }
  const between = open ? parts.length : parts.length - 1
  for (let i = 1; i < between; i++) {
    let behind = matchPart(program, parts[i]!, subject, start, end)
    while (behind === NOWHERE) {
      start = segmentEnd(subject, start, end, 1, separator) + 1
      if (start >= end) return false
      behind = matchPart(program, parts[i]!, subject, start, end)
    }
    start = behind
  }
  return true
}

/** The end of a part that begins at `at`, not beyond `stop`; NOWHERE when it does not match. */
function matchPart(program: Program, part: Part, subject: string, at: number, stop: number): number {
  const { separator, fold } = program
  const { steps, codes, forward } = part
  for (let step = 0; step < steps.length; step += 4) {
    const from = steps[step + 1]!
    const to = steps[step + 2]!
    if (steps[step] === GAP) {
      let end = at
      while (end !== stop && subject.charCodeAt(end) !== separator) end += forward
      end -= steps[step + 3]! * forward
      if ((end - at) * forward < 0) return NOWHERE
      at = end
    } else if (steps[step] === SEARCH) {
      at = search(program, part, from, to, subject, at, stop)
    }
    if ((stop - at) * forward < to - from) return NOWHERE
    for (let i = from; i < to; i++, at += forward) {
      const unit = subject.charCodeAt(at)
      if (unit !== codes[i] && !(fold && lower(unit) === codes[i])) return NOWHERE
    }
  }
  return at
}

/**
 * The first place from `at` on where the part's codes in [from, to) match, or the last place in the segment where they
 * could.
 */
function search(
  { separator, fold }: Program,
  { codes, forward }: Part,
  from: number,
  to: number,
  subject: string,
  at: number,
  stop: number,
): number {
  const most = segmentEnd(subject, at, stop, forward, separator) - (to - from) * forward
  for (; (most - at) * forward > 0; at += forward) {
    let i = from
    while (i < to && codeAt(subject, at + (i - from) * forward, fold) === codes[i]) i++
    if (i === to) break
  }
  return at
}

function codeAt(subject: string, at: number, fold: boolean): number {
  const unit = subject.charCodeAt(at)
  return fold ? lower(unit) : unit
}

/** The first separator from `at` on, or `stop`. */
function segmentEnd(subject: string, at: number, stop: number, forward: 1 | -1, separator: number): number {
  while (at !== stop && subject.charCodeAt(at) !== separator) at += forward
  return at
}

// The JavaScript version of the core's matcher, for one pattern at a time: matching a host or path takes less time than
// a call into WebAssembly. The tests in test/pattern run both on the same cases.

const SEPARATORS = { host: '.', path: '/', env: NO_SEPARATOR, command: NO_SEPARATOR, tag: '/' } as const

/** True when the subject matches. */
type Test = (subject: string) => boolean

/**
 * Compiles a pattern that the core accepts.
 *
 * @example
 * compileTest('path', '/data/**', false)('/data/a/b') // true
 */
export function compileTest(kind: PatternKind, pattern: string, ignoreCase: boolean): Test {
  const fold = ignoreCase || kind === 'host'
  if (pattern === '*') return isWellFormed
  if (kind === 'tag') return compileTag(pattern.endsWith('/*') ? pattern.slice(0, -2) : pattern, fold)
  if (!pattern.includes('*') && !fold) return (subject) => subject === pattern
  return compileEnds(pattern, SEPARATORS[kind], fold)
}

/** A tag matches itself and everything below it (Agent Card 3.6.1, parent match). */
function compileTag(tag: string, fold: boolean): Test {
  const itself = compileEnds(tag, SEPARATORS.tag, fold)
  const below = compileEnds(`${tag}/**`, SEPARATORS.tag, fold)
  return (subject) => itself(subject) || below(subject)
}

/**
 * The text before the first and after the last wildcard decides most subjects; the middle is matched only after that.
 */
function compileEnds(pattern: string, separator: string, fold: boolean): Test {
  const first = pattern.includes('*') ? pattern.indexOf('*') : pattern.length
  let last = Math.max(first, pattern.lastIndexOf('*') + 1)
  if (pattern.slice(0, last).endsWith('**') && last < pattern.length) last++ // the separator belongs to `**`
  const prefix = toCodes(pattern.slice(0, first), fold)
  const suffix = toCodes(pattern.slice(last), fold)
  const middle = compileMiddle(pattern.slice(first, last), separator, fold)
  return (subject) => {
    const from = prefix.length
    const to = subject.length - suffix.length
    if (from > to) return false
    for (let i = suffix.length - 1; i >= 0; i--) {
      const unit = subject.charCodeAt(to + i)
      if (unit !== suffix[i] && !(fold && lower(unit) === suffix[i])) return false
    }
    for (let i = 0; i < from; i++) {
      const unit = subject.charCodeAt(i)
      if (unit !== prefix[i] && !(fold && lower(unit) === prefix[i])) return false
    }
    return middle(subject, from, to) && isWellFormed(subject)
  }
}
