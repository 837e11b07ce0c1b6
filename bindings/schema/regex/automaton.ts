// A nondeterministic automaton, run in all its states at once (Thompson, Pike): time is length times states, whatever
// the expression. It tells whether something matches, which is all that JSON Schema asks.
import type { One, Regex } from './parse.ts'

/** More states than any expression needs that somebody wrote by hand. */
const MOST_STATES = 10_000

type Step =
  | { readonly op: 'one'; readonly set: CharacterSet }
  | { readonly op: 'assert'; readonly what: string }
  /** Goes on at one place or at another. */
  | { readonly op: 'fork'; to: number; or: number }
  | { readonly op: 'match' }

/** The characters that one place of an expression takes. */
class CharacterSet {
  readonly #code: number
  readonly #test: RegExp | undefined
  /** Of ASCII: 0 not asked yet, 1 no, 2 yes. */
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

class TooLarge extends Error {}

export class Automaton {
  readonly #steps: Step[] = []
  /** For each step the last position at which it was entered. */
  readonly #entered: Int32Array
  readonly #pending: Int32Array

  private constructor(regex: Regex) {
    this.#compile(regex)
    this.#push({ op: 'match' })
    this.#entered = new Int32Array(this.#steps.length)
    // A step is put there once by each that leads to it, of which there are two a fork.
    this.#pending = new Int32Array(2 * this.#steps.length + 2)
  }

  /** The automaton of an expression; undefined when it would be too large, or looks around, or back at what matched. */
  static of(regex: Regex): Automaton | undefined {
    try {
      return new Automaton(regex)
    } catch (error) {
      if (error instanceof TooLarge) return undefined
      throw error
    }
  }

  get size(): number {
    return this.#steps.length
  }

  #push(step: Step): number {
    if (this.#steps.length >= MOST_STATES) throw new TooLarge()
    return this.#steps.push(step) - 1
  }

  #fork(to: number, or: number): { to: number; or: number } {
    const fork: Step = { op: 'fork', to, or }
    this.#push(fork)
    return fork
  }

  #compile(regex: Regex): void {
    switch (regex.kind) {
      case 'one':
        this.#push({ op: 'one', set: new CharacterSet(regex) })
        return
      case 'assert':
        this.#push({ op: 'assert', what: regex.what })
        return
      case 'sequence':
        for (const part of regex.parts) this.#compile(part)
        return
      case 'choice':
        this.#compileChoice(regex.parts)
        return
      case 'repeat':
        this.#compileRepeat(regex.body, regex.least, regex.most)
        return
      default:
        throw new TooLarge()
    }
  }

  #compileChoice(parts: readonly Regex[]): void {
    const ends: { to: number; or: number }[] = []
    for (const [i, part] of parts.entries()) {
      const isLast = i === parts.length - 1
      const fork = isLast ? undefined : this.#fork(this.#steps.length + 1, 0)
      this.#compile(part)
      if (!isLast) ends.push(this.#fork(0, 0))
      if (fork !== undefined) fork.or = this.#steps.length
    }
    for (const end of ends) end.to = end.or = this.#steps.length
  }

  #compileRepeat(body: Regex, least: number, most: number): void {
    for (let i = 0; i < least; i++) {
      const before = this.#steps.length
      this.#compile(body)
      // Nothing, as often as you like.
      if (this.#steps.length === before) return
    }
    if (most === Number.POSITIVE_INFINITY) {
      const start = this.#steps.length
      const fork = this.#fork(start + 1, 0)
      this.#compile(body)
      this.#fork(start, start)
      fork.or = this.#steps.length
      return
    }
    const forks: { to: number; or: number }[] = []
    for (let i = least; i < most; i++) {
      forks.push(this.#fork(this.#steps.length + 1, 0))
      this.#compile(body)
    }
    for (const fork of forks) fork.or = this.#steps.length
  }

  /** Whether it matches somewhere in a text. */
  test(text: string): boolean {
    this.#entered.fill(-1)
    let now: number[] = []
    for (let at = 0; ; ) {
      // A match may begin anywhere.
      if (this.#enter(0, text, at, now)) return true
      if (at >= text.length) return false
      const code = text.codePointAt(at)!
      at += code > 0xffff ? 2 : 1
      const next: number[] = []
      for (const state of now) {
        const step = this.#steps[state]!
        if (step.op === 'one' && step.set.has(code) && this.#enter(state + 1, text, at, next)) return true
      }
      now = next
    }
  }

  /** Enters a step and those that follow without a character; notes the ones that wait for one. Tells whether it matches. */
  #enter(first: number, text: string, at: number, waiting: number[]): boolean {
    const pending = this.#pending
    let count = 0
    pending[count++] = first
    while (count > 0) {
      const state = pending[--count]!
      if (this.#entered[state] === at) continue
      this.#entered[state] = at
      const step = this.#steps[state]!
      if (step.op === 'one') waiting.push(state)
      else if (step.op === 'match') return true
      else if (step.op === 'fork') {
        pending[count++] = step.or
        pending[count++] = step.to
      } else if (holds(step.what, text, at)) pending[count++] = state + 1
    }
    return false
  }
}

function holds(what: string, text: string, at: number): boolean {
  if (what === '^') return at === 0
  if (what === '$') return at === text.length
  return (isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at))) === (what === 'b')
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}
