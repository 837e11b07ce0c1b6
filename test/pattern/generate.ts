import type { PatternKind } from '../../bindings/core/index.ts'
import { random } from '../support/random.ts'

/**
 * Small alphabets, so that subjects often match: wildcards, separators, both cases, characters of every UTF-8 length.
 */
const PIECES: Record<PatternKind, readonly string[]> = {
  host: ['a', 'b', 'ab', 'B', '-', '*', '*', '.', '.', '*.', 'abcdefghij'],
  path: ['a', 'b', 'ab', 'B', '/', '/', '*', '*', '**/', '/**', '/**/', 'é', '😀', '\u{e000}', '\n', '?', 'abcdefghij'],
  env: ['a', 'b', 'ab', 'A', '_', '*', '*', '.', '/', 'abcdefghij'],
  command: ['a', 'b', 'ab', 'B', '-', '*', '*', '/', 'abcdefghij'],
  tag: ['a', 'b', 'ab', 'B', '/', '/', '/*', '*', 'é', ' ', 'abcdefghij'],
}

/** Additional characters for subjects: ones that patterns never contain, and lone surrogates. */
const STRANGE = ['\n', '\0', ' ', 'É', 'K', '\ud83d', '\ude00', '\uffff', '*']

export interface Draw {
  below(limit: number): number
  chance(probability: number): boolean
  pattern(kind: PatternKind): string
  subject(kind: PatternKind, patterns: readonly string[]): string
}

/** Seeded patterns, which may be invalid, and subjects, most of them derived from a pattern. */
export function drawing(seed: number): Draw {
  const next = random(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const chance = (probability: number) => next() < probability
  const pick = (list: readonly string[]) => list[below(list.length)]!
  const some = (list: readonly string[], most: number) =>
    Array.from({ length: below(most + 1) }, () => pick(list)).join('')

  /** A text that the pattern might match: replaces wildcards, and sometimes changes a character. */
  function fill(kind: PatternKind, pattern: string): string {
    const plain = PIECES[kind].filter((piece) => !piece.includes('*'))
    const filled = pattern
      .replace(/\*\*\/?/g, () => (chance(0.4) ? '' : some(plain, 3)))
      .replaceAll('*', () => (chance(0.4) ? '' : some(plain, 2)))
    if (!chance(0.3)) return filled
    const at = below(filled.length + 1)
    return filled.slice(0, at) + (chance(0.3) ? pick(STRANGE) : pick(plain)) + filled.slice(at + below(2))
  }

  return {
    below,
    chance,
    pattern: (kind) => (chance(0.02) ? pick(['*', '**', '***', '']) : some(PIECES[kind], 7)),
    subject(kind, patterns) {
      if (patterns.length > 0 && chance(0.8)) return fill(kind, pick(patterns))
      return some([...PIECES[kind], ...STRANGE], 6)
    },
  }
}
