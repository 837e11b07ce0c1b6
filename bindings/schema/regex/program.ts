// Translates an expression into the consecutive states of a nondeterministic automaton.
import type { One, Regex } from './parse.ts'

/** More states than any expression written by hand needs. */
const MOST_STATES = 10_000

/** The actions of a state, and the meaning of its two numbers. */
export const TAKE = 0 // consumes a character of the set `to`
export const ASSERT = 1 // continues where the assertion `to` holds
export const LOOK = 2 // continues where program `to` matches, or, with `or`, where it does not
export const FORK = 3 // continues at `to` and at `or`
export const MATCH = 4

export const ASSERTIONS = ['^', '$', 'b', 'B']

/** The characters that one place of an expression accepts. */
export class CharacterSet {
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

export interface Program {
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
export interface Programs {
  readonly all: readonly Program[]
  readonly sets: readonly CharacterSet[]
  readonly states: number
}

class TooLarge extends Error {}

/** The programs of an expression; undefined when they would be too large, or the expression has a back reference. */
export function compileProgram(regex: Regex): Programs | undefined {
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
