// A nondeterministic automaton that follows all its states at once (Thompson, Pike). It takes time proportional to
// length times states, for any expression. It reports only whether there is a match, which is all that JSON Schema
// needs. A lookahead or lookbehind is a separate automaton that runs through the whole text first and marks where it
// matches.
import type { Run } from '../run.ts'
import type { Regex } from './parse.ts'
import {
  ASSERT,
  ASSERTIONS,
  type CharacterSet,
  compileProgram,
  FORK,
  LOOK,
  MATCH,
  type Program,
  type Programs,
  TAKE,
} from './program.ts'

/** How many entered states cost as much as applying one schema, and how many are entered between two payments. */
const STATES_A_STEP = 4
const PAID_AT_ONCE = 8_192

/** Accounts for work against the run's budget. */
type Payer = Pick<Run, 'spend'>

/** For each place of a text, 1 when a match ends there; for programs that run backwards, when one begins there. */
type Marks = Uint8Array

export class Automaton {
  readonly #programs: Programs
  readonly #sweeps: readonly Sweep[]

  private constructor(programs: Programs) {
    this.#programs = programs
    this.#sweeps = programs.all.map((program) => new Sweep(program, programs.sets))
  }

  /** The automaton of an expression; undefined when it would be too large, or the expression has a back reference. */
  static of(regex: Regex): Automaton | undefined {
    const programs = compileProgram(regex)
    return programs && new Automaton(programs)
  }

  get size(): number {
    return this.#programs.states
  }

  /** True when the expression matches somewhere in the text. */
  test(text: string, payer: Payer): boolean {
    const seen: Marks[] = []
    for (const sweep of this.#sweeps.slice(0, -1)) {
      const marks = new Uint8Array(text.length + 1)
      sweep.run(text, seen, payer, marks)
      seen.push(marks)
    }
    return this.#sweeps.at(-1)!.run(text, seen, payer)
  }
}

/** One pass through a text. */
class Sweep {
  readonly #program: Program
  readonly #sets: readonly CharacterSet[]
  /** For each state, the last place at which it was entered. */
  readonly #entered: Int32Array
  readonly #pending: Int32Array
  /** The states that wait for the current character, and those that wait for the next one. */
  #now: Int32Array
  #next: Int32Array
  #waiting = 0
  #visits = 0

  constructor(program: Program, sets: readonly CharacterSet[]) {
    const size = program.op.length
    this.#program = program
    this.#sets = sets
    this.#entered = new Int32Array(size)
    // Each predecessor adds a state once, and a fork has two successors.
    this.#pending = new Int32Array(2 * size + 2)
    this.#now = new Int32Array(size)
    this.#next = new Int32Array(size)
  }

  /** Runs through a text and marks every match; without marks, stops at the first one and returns true. */
  run(text: string, seen: readonly Marks[], payer: Payer, marks?: Marks): boolean {
    const { backwards, to } = this.#program
    this.#entered.fill(-1)
    this.#waiting = 0
    this.#visits = this.#entered.length
    let found = false
    for (let at = backwards ? text.length : 0; ; ) {
      // A match may begin anywhere.
      if (this.#enter(0, text, at, seen)) found = true
      if (found && marks === undefined) break
      if (found) marks![at] = 1
      found = false
      if (at === (backwards ? 0 : text.length)) break
      const code = backwards ? codeBefore(text, at) : text.codePointAt(at)!
      at += (code > 0xffff ? 2 : 1) * (backwards ? -1 : 1)
      const now = this.#next
      const count = this.#waiting
      this.#next = this.#now
      this.#now = now
      this.#waiting = 0
      for (let i = 0; i < count; i++) {
        const state = now[i]!
        if (this.#sets[to[state]!]!.has(code) && this.#enter(state + 1, text, at, seen)) found = true
      }
      this.#visits += count + 1
      if (this.#visits >= PAID_AT_ONCE) this.#pay(payer)
    }
    this.#pay(payer)
    return found
  }

  #pay(payer: Payer): void {
    payer.spend(Math.ceil(this.#visits / STATES_A_STEP))
    this.#visits = 0
  }

  /**
   * Enters a state and every state reachable without a character, and records those that wait for one. True on a match.
   */
  #enter(first: number, text: string, at: number, seen: readonly Marks[]): boolean {
    const { op, to, or } = this.#program
    const pending = this.#pending
    const entered = this.#entered
    let matches = false
    let count = 0
    pending[count++] = first
    while (count > 0) {
      const state = pending[--count]!
      if (entered[state] === at) continue
      entered[state] = at
      this.#visits++
      switch (op[state]) {
        case TAKE:
          this.#next[this.#waiting++] = state
          break
        case FORK:
          pending[count++] = or[state]!
          pending[count++] = to[state]!
          break
        case ASSERT:
          if (holds(to[state]!, text, at)) pending[count++] = state + 1
          break
        case LOOK:
          if (seen[to[state]!]![at] !== or[state]) pending[count++] = state + 1
          break
        case MATCH:
          matches = true
      }
    }
    return matches
  }
}

/** The character that ends at a place. */
function codeBefore(text: string, at: number): number {
  const code = at > 1 ? text.codePointAt(at - 2)! : 0
  return code > 0xffff ? code : text.charCodeAt(at - 1)
}

/** True when the assertion with this number holds. */
function holds(assertion: number, text: string, at: number): boolean {
  const what = ASSERTIONS[assertion]
  if (what === '^') return at === 0
  if (what === '$') return at === text.length
  return (isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at))) === (what === 'b')
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}
