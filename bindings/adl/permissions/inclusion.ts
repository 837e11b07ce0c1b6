// Decides whether one pattern matches everything that another matches. A wildcard of the inner one stands for any text, so
// it is taken as a character that no text has, and the outer pattern has to match that; only its own wildcards can.
import type { PatternKind } from '../../core/patterns.ts'
import type { Placed } from '../../text/members.ts'
import { isLine } from './command.ts'
import { spellHostPattern } from './host.ts'
import { foldBroadly } from './pattern-list.ts'
import { spellWindowsPattern } from './windows-path.ts'

/** Any text within a segment, in the pattern that is to be included. A control character, which no pattern has. */
const ANY_TEXT = '\u0001'
/** Any segments. */
const ANY_SEGMENTS = '\u0002'

const SEPARATORS: Readonly<Record<'host' | 'path' | 'env' | 'command', string | undefined>> = {
  host: '.',
  path: '/',
  env: undefined,
  command: undefined,
}

/** Spelt in one way on every system. */
const PLAIN = /^[a-z0-9_./*-]*$/

type Spelling = (pattern: string) => string

const asIs: Spelling = (pattern) => pattern
const folded: Spelling = (pattern) => foldBroadly(pattern).toLowerCase()
const onWindows: Spelling = (pattern) => folded(spellWindowsPattern(pattern))

const SPELLINGS: Readonly<Record<keyof typeof SEPARATORS, readonly Spelling[]>> = {
  host: [(pattern) => spellHostPattern(pattern).toLowerCase()],
  path: [asIs, spellWindowsPattern, folded, onWindows],
  env: [asIs, folded],
  command: [asIs, folded],
}

/** Comparisons for all questions to one `Inclusion`: some tenths of a second. Beyond, the answer is no, the safe one. */
const MOST_STEPS = 20_000_000

/** Answers whether patterns of one kind include each other; `true` is proven, `false` also means that it was not found out. */
export class Inclusion {
  readonly #kind: keyof typeof SEPARATORS
  #steps = 0

  constructor(kind: Exclude<PatternKind, 'tag'>) {
    this.#kind = kind
  }

  /**
   * True when `outer` matches everything that `inner` matches.
   *
   * @example
   * new Inclusion('path').holds('/data/a/*', '/data/**') // true
   */
  holds(inner: string, outer: string): boolean {
    if (outer === '*' || inner === outer) return true
    // As a line of a shell it is granted by itself, and by no wildcard among other characters.
    if (this.#kind === 'command' && !inner.includes('*') && isLine(inner, false)) return false
    if (PLAIN.test(inner) && PLAIN.test(outer)) return this.#holds(inner, outer)
    // The texts that such patterns match depend on the system: the answer has to be yes on each.
    return SPELLINGS[this.#kind].every((spell) => this.#holds(spell(inner), spell(outer)))
  }

  #holds(inner: string, outer: string): boolean {
    this.#steps += inner.length + outer.length
    if (this.#steps > MOST_STEPS) return false
    const separator = SEPARATORS[this.#kind]
    if (separator === undefined) return this.#fills(outer, inner.replaceAll('*', ANY_TEXT))
    if (inner === '*') return this.#kind === 'path' && outer === '**'
    return this.#walk(segmentsOf(outer, separator), segmentsOf(inner, separator).map(asText))
  }

  /** The first of many patterns that includes `inner`. */
  find(inner: string, outers: readonly Placed<string>[]): Placed<string> | undefined {
    for (const outer of outers) {
      if (this.#steps > MOST_STEPS) return undefined
      if (this.holds(inner, outer.value)) return outer
    }
    return undefined
  }

  /** The segments of a pattern over those of a text, with `**`. */
  #walk(pattern: readonly string[], text: readonly string[]): boolean {
    return this.#takes(pattern, '**', text, (segment, of) => this.#fills(segment, of))
  }

  /** The characters of one segment over those of another, with `*`. */
  #fills(pattern: string, text: string): boolean {
    return text !== ANY_SEGMENTS && this.#takes(pattern, '*', text, (character, of) => character === of)
  }

  /** True when a pattern matches a text: a wildcard takes any number of elements, and ends as late as needed. */
  #takes(
    pattern: ArrayLike<string>,
    wildcard: string,
    text: ArrayLike<string>,
    fits: (element: string, of: string) => boolean,
  ): boolean {
    let at = 0
    let resume = -1
    let taken = 0
    let i = 0
    while (at < text.length) {
      if (++this.#steps > MOST_STEPS) return false
      if (pattern[i] === wildcard) {
        resume = ++i
        taken = at
      } else if (i < pattern.length && fits(pattern[i]!, text[at]!)) {
        i++
        at++
      } else if (resume >= 0) {
        i = resume
        at = ++taken
      } else return false
    }
    while (pattern[i] === wildcard) i++
    return i === pattern.length
  }
}

/** At the end `**` stands for one segment or more: the separator before it is there. */
function segmentsOf(pattern: string, separator: string): string[] {
  const segments = pattern.split(separator)
  if (segments.at(-1) === '**') segments.push('*')
  return segments
}

function asText(segment: string): string {
  return segment === '**' ? ANY_SEGMENTS : segment.replaceAll('*', ANY_TEXT)
}
