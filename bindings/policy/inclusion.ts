// Decides whether one pattern matches everything that another matches. A wildcard of the inner pattern stands for any
// text, so it is replaced by a character that no text contains. The outer pattern must match the result, and only its
// own wildcards can match that character.
import type { PatternKind } from '../core/patterns.ts'
import type { PlacedValue } from '../text/members.ts'
import { spellHostPattern } from './host.ts'
import { foldBroadly } from './part.ts'
import { isLine, spellWindowsPattern } from './path.ts'

/** Any text within a segment of the inner pattern. A control character, which no pattern contains. */
const ANY_TEXT = '\u0001'
/** Any segments of the inner pattern. */
const ANY_SEGMENTS = '\u0002'

const SEPARATORS: Readonly<Record<'host' | 'path' | 'env' | 'command', string | undefined>> = {
  host: '.',
  path: '/',
  env: undefined,
  command: undefined,
}

/** Patterns that are spelt the same on every system. */
const PLAIN = /^[a-z0-9_./*-]*$/

type Spelling = (pattern: string) => string

const asIs: Spelling = (pattern) => pattern
const foldCase: Spelling = (pattern) => foldBroadly(pattern).toLowerCase()
const onWindows: Spelling = (pattern) => foldCase(spellWindowsPattern(pattern))

const SPELLINGS: Readonly<Record<keyof typeof SEPARATORS, readonly Spelling[]>> = {
  host: [(pattern) => spellHostPattern(pattern).toLowerCase()],
  path: [asIs, spellWindowsPattern, foldCase, onWindows],
  env: [asIs, foldCase],
  command: [asIs, foldCase],
}

/**
 * Comparisons for all calls to one `Inclusion`: a few tenths of a second. Beyond this limit, the answer is no, which is
 * safe.
 */
const MOST_STEPS = 20_000_000

/** Decides whether patterns of one kind include each other. `true` is proven; `false` may also mean undecided. */
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
    // A shell command line is granted only by itself, never by a wildcard next to other characters.
    if (this.#kind === 'command' && !inner.includes('*') && isLine(inner, false)) return false
    if (PLAIN.test(inner) && PLAIN.test(outer)) return this.#holds(inner, outer)
    // What such patterns match depends on the system, so the answer must be yes for each system.
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
  find(inner: string, outers: readonly PlacedValue<string>[]): PlacedValue<string> | undefined {
    for (const outer of outers) {
      if (this.#steps > MOST_STEPS) return undefined
      if (this.holds(inner, outer.value)) return outer
    }
    return undefined
  }

  /** Matches the segments of a pattern, which may have `**`, with those of a text. */
  #walk(pattern: readonly string[], text: readonly string[]): boolean {
    return this.#takes(pattern, '**', text, (segment, of) => this.#fills(segment, of))
  }

  /** Matches the characters of one segment, which may have `*`, with those of another. */
  #fills(pattern: string, text: string): boolean {
    return text !== ANY_SEGMENTS && this.#takes(pattern, '*', text, (character, of) => character === of)
  }

  /** True when a pattern matches a text: a wildcard takes any number of elements, and extends as far as needed. */
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

/** A final `**` stands for at least one segment, because the separator before it must be present. */
function segmentsOf(pattern: string, separator: string): string[] {
  const segments = pattern.split(separator)
  if (segments.at(-1) === '**') segments.push('*')
  return segments
}

function asText(segment: string): string {
  return segment === '**' ? ANY_SEGMENTS : segment.replaceAll('*', ANY_TEXT)
}
