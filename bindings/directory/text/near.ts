import { searchSorted } from '../search-sorted.ts'
import type { NearWord } from '../types.ts'
import { isDense } from './words.ts'

/** Near words of a word that shards tell each other about. */
export const MOST_NEAR = 16
/** A word is completed when it has as many letters; one character is enough in writing without spaces. */
const LEAST_PREFIX = 3
const MOST_WRONG = 2
/** `translatoin` has the word `translat` and an unknown ending. */
const LONGEST_ENDING = 5
const LEAST_BEGINNING = 4

export type Near = Omit<NearWord, 'frequency'>

/** Letters that may be wrong in a word: none in a short one, where every other word is near. */
function mostWrong(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : MOST_WRONG
}

/** The ways in which a word may be meant by another one; the first that finds any that cards have counts. */
const WAYS = [completions, misspelt, beginnings]

/**
 * The words of a sorted list that a word may have been meant to be: longer ones that begin with it; if there are none, those
 * with the same first letter in which a letter or two are wrong, missing, too many or swapped; if there are none either,
 * those that it begins with, for endings are off in the index. Best first, in an order that does not depend on which
 * other words there are: so the best of several lists are the best of one.
 *
 * @param had gives those of them that cards have: words that only cards had which are gone do not decide the way either.
 */
export function nearWords<Had extends Near>(
  sorted: readonly string[],
  word: string,
  had: (near: readonly Near[]) => readonly Had[],
): readonly Had[] {
  for (const way of WAYS) {
    const found = had(way(sorted, word).sort((a, b) => byNearness(word, a, b)))
    if (found.length > 0) return found
  }
  return []
}

/** Orders near words of a word: fewer wrong letters, more alike in length, by UTF-16 units. */
export function byNearness(word: string, a: Near, b: Near): number {
  const longer = ({ word: other }: Near) => Math.abs(other.length - word.length)
  return a.distance - b.distance || longer(a) - longer(b) || (a.word < b.word ? -1 : 1)
}

function completions(sorted: readonly string[], word: string): Near[] {
  const found: Near[] = []
  if (word.length < LEAST_PREFIX && !isDense(word)) return found
  for (let i = firstAt(sorted, word); i < sorted.length && sorted[i]!.startsWith(word); i++) {
    if (sorted[i] !== word) found.push({ word: sorted[i]!, distance: 0 })
  }
  return found
}

/**
 * Walks the words with the same first letter as the leaves of a tree: what words have in common at their beginning is compared
 * once, and a beginning that is too far off takes all words with it.
 */
function misspelt(sorted: readonly string[], word: string): Near[] {
  const most = mostWrong(word)
  const found: Near[] = []
  if (most === 0 || isDense(word)) return found
  const initial = word[0]!
  const width = word.length + 1
  const rows = [Uint8Array.from({ length: width }, (_, i) => i)]
  let last = ''
  for (let i = firstAt(sorted, initial); i < sorted.length; ) {
    const other = sorted[i]!
    if (!other.startsWith(initial)) break
    let depth = commonLength(last, other)
    // Rows of the common beginning are there: all of it was compared, or the walk would have skipped this word.
    let alive = true
    while (alive && depth < other.length) {
      depth++
      rows[depth] ??= new Uint8Array(width)
      alive = fillRow(rows, depth, word, other) <= most
    }
    last = other.slice(0, depth)
    if (!alive) {
      i = firstBehind(sorted, last, i)
      continue
    }
    const distance = rows[depth]![width - 1]!
    if (distance > 0 && distance <= most) found.push({ word: other, distance })
    i++
  }
  return found
}

function beginnings(sorted: readonly string[], word: string): Near[] {
  const found: Near[] = []
  if (isDense(word)) return found
  for (let left = 1; left <= LONGEST_ENDING && word.length - left >= LEAST_BEGINNING; left++) {
    const beginning = word.slice(0, -left)
    if (sorted[firstAt(sorted, beginning)] === beginning) found.push({ word: beginning, distance: MOST_WRONG + left })
  }
  return found
}

/** A row of the optimal string alignment: what it takes to make the first `depth` letters of `other` of each beginning of `word`. */
function fillRow(rows: readonly Uint8Array[], depth: number, word: string, other: string): number {
  const row = rows[depth]!
  const above = rows[depth - 1]!
  const letter = other[depth - 1]!
  row[0] = Math.min(depth, 255)
  let least = row[0]!
  for (let i = 1; i <= word.length; i++) {
    let cost = Math.min(above[i]! + 1, row[i - 1]! + 1, above[i - 1]! + Number(word[i - 1] !== letter))
    if (depth > 1 && i > 1 && letter === word[i - 2] && other[depth - 2] === word[i - 1]) {
      cost = Math.min(cost, rows[depth - 2]![i - 2]! + 1)
    }
    row[i] = cost
    if (cost < least) least = cost
  }
  return least
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

/** The place of the first word that is not before this one. */
function firstAt(sorted: readonly string[], word: string): number {
  return searchSorted(sorted, (other) => other < word)
}

/** The place of the first word behind `from` that does not begin so. */
function firstBehind(sorted: readonly string[], beginning: string, from: number): number {
  return searchSorted(sorted, (other) => other < beginning || other.startsWith(beginning), from)
}
