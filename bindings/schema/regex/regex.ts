// Both patterns and subjects are untrusted. The host's engine is fast, but it may try every way to match in turn. It is
// used only where an upper bound on its tries is small; otherwise the automaton is used.
import { Halt, type Run } from '../run.ts'
import { Automaton } from './automaton.ts'
import { mayBeEmpty, triesOf } from './cost.ts'
import { parseRegex, type Regex } from './parse.ts'
import { preparingOf } from './preparing.ts'

/** The most tries allowed to the host's engine; long texts allow more. A try takes 1 to 10 ns. */
const MOST_TRIES = 16_384
const TRIES_A_CHARACTER = 128

/** How many tries of the host's engine cost about as much as applying one schema. */
const TRIES_A_STEP = 64

/**
 * The cost of preparing an expression for an engine; a step is about 1 µs.
 * A class with characters beyond the first 65,536 becomes alternatives.
 * Each mention of a Unicode property builds its list of ranges once when the expression is read and once when it is
 * first used: 0.1 ms each, 0.5 ms within a class.
 */
const STEPS_A_CHARACTER = 4
const STEPS_A_CLASS = 32
const STEPS_A_PROPERTY = 1_000
const CLASS = /\\[DSWpP]|\.|\[/g
const PROPERTY = /\\[pP]\{/g

/** The most nodes that the host's engine may visit before it matches anything, at 0.3 µs each. */
const MOST_NODES = 16_384
const NODES_A_STEP = 4

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/

export interface Matcher {
  readonly source: string
  /** True when the pattern matches somewhere in the text. Throws a Halt when the limits do not allow an answer. */
  test(text: string, run: Run): boolean
}

/** A matcher that is prepared at its first test, because many patterns never get a subject. */
export function compileRegex(source: string): Matcher {
  let plan: Plan | undefined
  return {
    source,
    test(text, run) {
      plan ??= new Plan(source)
      return plan.test(text, run)
    },
  }
}

function preparationPrice(source: string): number {
  const count = (expression: RegExp) => source.match(expression)?.length ?? 0
  return source.length * STEPS_A_CHARACTER + count(CLASS) * STEPS_A_CLASS + count(PROPERTY) * STEPS_A_PROPERTY
}

/** Chooses the engine for an expression, and its budget, by the length of the text. */
export class Plan {
  readonly #regex: Regex | undefined
  /** The nodes that the host's engine visits before it matches anything. */
  readonly #nodes: number
  readonly #source: string
  #host: RegExp | undefined
  #mayBeEmpty: boolean | undefined
  /** The tries of the host's engine for texts of up to 2^n characters. */
  readonly #tries: number[] = []
  #automaton: Automaton | undefined | 'unknown' = 'unknown'

  constructor(source: string) {
    this.#source = source
    this.#regex = parseRegex(source)
    this.#nodes = this.#regex === undefined ? 0 : preparingOf(this.#regex)
  }

  /**
   * True when the host's engine may report a wrong match in this text: V8 also tries empty matches between the halves
   * of a surrogate pair, which ECMA-262 (section 22.2.7.2, AdvanceStringIndex) skips.
   */
  #isLostIn(text: string, run: Run): boolean {
    this.#mayBeEmpty ??= this.#regex !== undefined && mayBeEmpty(this.#regex)
    if (!this.#mayBeEmpty) return false
    run.spend(text.length >> 6)
    return PAIR.test(text)
  }

  /** The most tries of the host's engine in a text of this length; undefined when the engine must not be used. */
  hostTries(length: number): number | undefined {
    if (this.#regex === undefined || this.#nodes > MOST_NODES) return undefined
    const power = length < 2 ? 0 : 32 - Math.clz32(length - 1)
    this.#tries[power] ??= triesOf(this.#regex, 2 ** power)
    const tries = this.#tries[power]
    return tries <= Math.max(MOST_TRIES, TRIES_A_CHARACTER * 2 ** power) ? tries : undefined
  }

  #automatonOf(run: Run): Automaton | undefined {
    if (this.#automaton === 'unknown') {
      run.spend(preparationPrice(this.#source))
      this.#automaton = this.#regex && Automaton.of(this.#regex)
    }
    return this.#automaton
  }

  test(text: string, run: Run): boolean {
    const tries = this.hostTries(text.length)
    if (tries === undefined || this.#isLostIn(text, run)) {
      const automaton = this.#automatonOf(run)
      if (automaton === undefined) throw new Halt('steps')
      return automaton.test(text, run)
    }
    run.spend(1 + Math.floor(tries / TRIES_A_STEP))
    if (this.#host === undefined) run.spend(preparationPrice(this.#source) + Math.floor(this.#nodes / NODES_A_STEP))
    try {
      this.#host ??= new RegExp(this.#source, 'u')
      return this.#host.test(text)
    } catch {
      // Engines throw when their memory for backtracking is exhausted.
      throw new Halt('steps')
    }
  }
}
