// Patterns come from strangers, and so may their subjects. The host's engine, which is fast and may try every way to
// match one after another, is asked only where a bound on its tries is small; the automaton does the rest.
import { Halt, type Run } from '../run.ts'
import { Automaton } from './automaton.ts'
import { mayBeEmpty, triesOf } from './cost.ts'
import { parseRegex, type Regex } from './parse.ts'

/** As much the host's engine may try for an answer, and more where the text is long. A try takes it 1 to 10 ns. */
const MOST_TRIES = 16_384
const TRIES_A_CHARACTER = 128

/** Tries of the host's engine that cost about as much as the application of a schema. */
const TRIES_A_STEP = 64

/** What making an expression ready costs. A property of Unicode is made a list of ranges each time that it is named: 0.2 ms. */
const STEPS_A_CHARACTER = 8
const STEPS_A_PROPERTY = 200
const PROPERTY = /\\[pP]\{/g

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/

export interface Matcher {
  readonly source: string
  /** Whether it matches somewhere in the text. Halts where that cannot be told within the limits. */
  test(text: string, run: Run): boolean
}

/** A matcher; what it needs is worked out at the first test, for many patterns never meet a subject. */
export function compileRegex(source: string): Matcher {
  let plan: Plan | undefined
  return {
    source,
    test(text, run) {
      if (plan === undefined) {
        run.spend(compilePrice(source))
        plan = new Plan(source)
      }
      return plan.test(text, run)
    },
  }
}

function compilePrice(source: string): number {
  const properties = source.match(PROPERTY)?.length ?? 0
  return source.length * STEPS_A_CHARACTER + properties * STEPS_A_PROPERTY
}

/** Who answers for an expression, and what that may cost, by the length of the text. */
export class Plan {
  readonly #regex: Regex | undefined
  readonly #source: string
  #host: RegExp | undefined
  /** Of the host's engine for texts of up to 2^n characters. */
  readonly #tries: number[] = []
  #automaton: Automaton | undefined | 'unknown' = 'unknown'

  constructor(source: string) {
    this.#source = source
    this.#regex = parseRegex(source)
  }

  /**
   * Whether an engine may find a match where none can begin: V8 looks for empty ones between the halves of a pair, too, which
   * ECMA-262 (section 22.2.7.2, AdvanceStringIndex) passes over.
   */
  #isLostIn(text: string): boolean {
    return this.#regex !== undefined && PAIR.test(text) && mayBeEmpty(this.#regex)
  }

  /** The most that the host's engine tries in a text so long; nothing where it is not asked. */
  hostTries(length: number): number | undefined {
    if (this.#regex === undefined) return undefined
    const power = length < 2 ? 0 : 32 - Math.clz32(length - 1)
    this.#tries[power] ??= triesOf(this.#regex, 2 ** power)
    const tries = this.#tries[power]
    return tries <= Math.max(MOST_TRIES, TRIES_A_CHARACTER * 2 ** power) ? tries : undefined
  }

  /** The automaton; nothing where there is none. */
  get automaton(): Automaton | undefined {
    if (this.#automaton === 'unknown') this.#automaton = this.#regex && Automaton.of(this.#regex)
    return this.#automaton
  }

  test(text: string, run: Run): boolean {
    const tries = this.hostTries(text.length)
    if (tries === undefined || this.#isLostIn(text)) {
      if (this.automaton === undefined) throw new Halt('steps')
      return this.automaton.test(text, run)
    }
    run.spend(Math.floor(tries / TRIES_A_STEP))
    try {
      this.#host ??= new RegExp(this.#source, 'u')
      return this.#host.test(text)
    } catch {
      // Engines end with an error where their own memory for the way back does.
      throw new Halt('steps')
    }
  }
}
