// Translates an expression into the consecutive states of a nondeterministic automaton.

import type { Run } from '../run.ts'
import type { One, Regex } from './parse.ts'

/** More states than any expression written by hand needs. */
const MOST_STATES = 10_000

/** The actions of a state, and the meaning of its two numbers. */
const TAKE = 0 // consumes a character of the set `to`
const ASSERT = 1 // continues where the assertion `to` holds
const LOOK = 2 // continues where program `to` matches, or, with `or`, where it does not
const FORK = 3 // continues at `to` and at `or`
const MATCH = 4

const ASSERTIONS = ['^', '$', 'b', 'B']

/** The characters that one place of an expression accepts. */
class CharacterSet {
  readonly #code: number
  readonly #test: RegExp | undefined
  /** Cached answers for ASCII characters: 0 unknown, 1 no, 2 yes. */
  readonly #known = new Uint8Array(128)

  constructor({ code, source }: One) {
    this.#code = code
    this.#test = code < 0 ? new RegExp(`^${source}$`, 'u') : undefined
  }

  has(code: number): boolean {
    if (this.#test === undefined) return code === this.#code
    if (code > 127) return this.#test.test(String.fromCodePoint(code))
    const known = this.#known[code]!
    if (known > 0) return known === 2
    const answer = this.#test.test(String.fromCharCode(code))
    this.#known[code] = answer ? 2 : 1
    return answer
  }
}

interface Program {
  readonly op: Uint8Array
  readonly to: Int32Array
  readonly or: Int32Array
  /** True when it reads the text from its end, so that it finds where matches begin. */
  readonly backwards: boolean
}

/**
 * All programs of one expression, with their shared parts. Each program comes after those it refers to; the
 * expression's own is the last.
 */
interface Programs {
  readonly all: readonly Program[]
  readonly sets: readonly CharacterSet[]
  readonly states: number
}

class TooLarge extends Error {}

/** The programs of an expression; undefined when they would be too large, or the expression has a back reference. */
function compileProgram(regex: Regex): Programs | undefined {
  const shared = new Shared()
  try {
    shared.add(regex, false)
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
  return shared
}

class Shared implements Programs {
  readonly all: Program[] = []
  readonly sets: CharacterSet[] = []
  states = 0
  /** The number of each class, so that a repeated class is prepared only once. */
  readonly #setOf = new Map<string, number>()

  /** Compiles an expression; returns the number of its program. */
  add(regex: Regex, backwards: boolean): number {
    return this.all.push(new Compiler(this, backwards).compile(regex)) - 1
  }

  set(one: One): number {
    const known = this.#setOf.get(one.source)
    if (known !== undefined) return known
    this.#setOf.set(one.source, this.sets.length)
    return this.sets.push(new CharacterSet(one)) - 1
  }
}

class Compiler {
  readonly #shared: Shared
  readonly #backwards: boolean
  readonly #op: number[] = []
  readonly #to: number[] = []
  readonly #or: number[] = []

  constructor(shared: Shared, backwards: boolean) {
    this.#shared = shared
    this.#backwards = backwards
  }

  compile(regex: Regex): Program {
    this.#add(regex)
    this.#push(MATCH)
    return {
      op: Uint8Array.from(this.#op),
      to: Int32Array.from(this.#to),
      or: Int32Array.from(this.#or),
      backwards: this.#backwards,
    }
  }

  #push(op: number, to = 0, or = 0): number {
    if (++this.#shared.states > MOST_STATES) throw new TooLarge()
    this.#to.push(to)
    this.#or.push(or)
    return this.#op.push(op) - 1
  }

  get #end(): number {
    return this.#op.length
  }

  #add(regex: Regex): void {
    switch (regex.kind) {
      case 'one':
        this.#push(TAKE, this.#shared.set(regex))
        return
      case 'assert':
        this.#push(ASSERT, ASSERTIONS.indexOf(regex.what))
        return
      case 'look':
        // A lookahead asks whether a match begins here; a program that reads from the end finds that.
        this.#push(LOOK, this.#shared.add(regex.body, !regex.behind), regex.negated ? 1 : 0)
        return
      case 'sequence':
        for (const part of this.#backwards ? [...regex.parts].reverse() : regex.parts) this.#add(part)
        return
      case 'choice':
        this.#choice(regex.parts)
        return
      case 'repeat':
        this.#repeat(regex.body, regex.least, regex.most)
        return
      case 'back':
        throw new TooLarge()
    }
  }

  #choice(parts: readonly Regex[]): void {
    const ends: number[] = []
    for (const [i, part] of parts.entries()) {
      const isLast = i === parts.length - 1
      const fork = isLast ? -1 : this.#push(FORK, this.#end + 1)
      this.#add(part)
      if (isLast) break
      ends.push(this.#push(FORK))
      this.#or[fork] = this.#end
    }
    for (const end of ends) this.#to[end] = this.#or[end] = this.#end
  }

  #repeat(body: Regex, least: number, most: number): void {
    const isEndless = most === Number.POSITIVE_INFINITY
    for (let i = 0; i < (isEndless ? least - 1 : least); i++) {
      const before = this.#end
      this.#add(body)
      // A repetition of nothing needs no states.
      if (this.#end === before) return
    }
    if (isEndless && least > 0) {
      const start = this.#end
      this.#add(body)
      this.#push(FORK, start, this.#end + 1)
      return
    }
    const forks: number[] = []
    for (let i = least; i < (isEndless ? 1 : most); i++) {
      const fork = this.#push(FORK, this.#end + 1)
      forks.push(fork)
      this.#add(body)
      if (isEndless) this.#push(FORK, fork, fork)
    }
    for (const fork of forks) this.#or[fork] = this.#end
  }
}

// A nondeterministic automaton that follows all its states at once (Thompson, Pike). It takes time proportional to
// length times states, for any expression. It reports only whether there is a match, which is all that JSON Schema
// needs. A lookahead or lookbehind is a separate automaton that runs through the whole text first and marks where it
// matches.

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
