/**
 * A compiled set of patterns.
 * @module
 */
import type { CompiledSet, PatternKind } from '../wasm/pattern.ts'
import { isWellFormed } from '../wasm/utf8.ts'
import { checkTexts, nameOf } from './pattern-arguments.ts'
import { compileTest, type Test } from './pattern-test.ts'

/**
 * The matches of many subjects: the patterns that match subject `i` are the elements of `patterns` from `offsets[i]` to
 * `offsets[i + 1]`, excluding the latter.
 */
export interface Matches {
  readonly offsets: Uint32Array<ArrayBuffer>
  readonly patterns: Uint32Array<ArrayBuffer>
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
  allOf(subjects: readonly string[]): Matches {
    checkTexts('subjects', subjects)
    return this.#compiled.allOf(subjects)
  }

  /** The JavaScript tests for this subject, or undefined when the core should match it. */
  #testsFor(subject: string): readonly Test[] | undefined {
    if (typeof subject !== 'string') throw new TypeError(`subject: expected a string, got ${nameOf(subject)}`)
    return subject.length <= this.#reach ? this.#tests : undefined
  }
}
