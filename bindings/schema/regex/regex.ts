// Both patterns and subjects are untrusted. The host's engine is fast but may try every way to match, one after
// another, so it is used only where a bound on its tries is small; the automaton does the rest.
import { Halt, type Run } from '../run.ts'
import { Automaton } from './automaton.ts'
import { mayBeEmpty, triesOf } from './cost.ts'
import { parseRegex, type Regex } from './parse.ts'
import { preparingOf } from './preparing.ts'

/** The most tries of the host's engine for an answer; long texts allow more. A try takes it 1 to 10 ns. */
const MOST_TRIES = 16_384
const TRIES_A_CHARACTER = 128

/** The tries of the host's engine that cost about as much as the application of a schema. */
const TRIES_A_STEP = 64

/**
 * The cost of preparing an expression for an engine, about 1 µs a step. A class that has characters beyond the first
 * 65,536 becomes alternatives. Each time a Unicode property is named, its list of ranges is made once when the
 * expression is read and once when it is first used: 0.1 ms each, 0.5 ms within a class.
 */
const STEPS_A_CHARACTER = 4
const STEPS_A_CLASS = 32
const STEPS_A_PROPERTY = 1_000
const CLASS = /\\[DSWpP]|\.|\[/g
const PROPERTY = /\\[pP]\{/g

/** The most nodes that the host's engine may look at before it matches anything, 0.3 µs each. */
const MOST_NODES = 16_384
const NODES_A_STEP = 4

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/

export interface Matcher {
  readonly source: string
  /** True when it matches somewhere in the text. Halts where that cannot be told within the limits. */
  test(text: string, run: Run): boolean
}

/** A matcher, prepared at the first test because many patterns never meet a subject. */
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
  /** The nodes that the host's engine looks at before it matches anything. */
  readonly #nodes: number
  readonly #source: string
  #host: RegExp | undefined
  /** The tries of the host's engine for texts of up to 2^n characters. */
  readonly #tries: number[] = []
  #automaton: Automaton | undefined | 'unknown' = 'unknown'

  constructor(source: string) {
    this.#source = source
    this.#regex = parseRegex(source)
    this.#nodes = this.#regex === undefined ? 0 : preparingOf(this.#regex)
  }

  /**
   * True when an engine may find a match where none can begin: V8 also tries empty ones between the halves of a
   * surrogate pair, which ECMA-262 (section 22.2.7.2, AdvanceStringIndex) skips.
   */
  #isLostIn(text: string): boolean {
    return this.#regex !== undefined && PAIR.test(text) && mayBeEmpty(this.#regex)
  }

  /** The most tries of the host's engine in a text of this length; undefined where it is not used. */
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
    if (tries === undefined || this.#isLostIn(text)) {
      const automaton = this.#automatonOf(run)
      if (automaton === undefined) throw new Halt('steps')
      return automaton.test(text, run)
    }
    run.spend(Math.floor(tries / TRIES_A_STEP))
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
