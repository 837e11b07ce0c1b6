import { searchSorted } from '../search-sorted.ts'
import type { NearWord } from '../types.ts'
import { isDense } from './words.ts'

/** How many similar words of a word shards exchange. */
export const MOST_NEAR = 16
/** A word needs this many letters to be completed. One character is enough in scripts without spaces. */
const LEAST_PREFIX = 3
const MOST_WRONG = 2
/** `translatoin` is the known word `translat` with an unknown ending. */
const LONGEST_ENDING = 5
const LEAST_BEGINNING = 4

export type Near = Omit<NearWord, 'frequency'>

/** How many letters may be wrong in a word. None in short words, because most other short words are similar. */
function mostWrong(word: string): number {
  return word.length < 4 ? 0 : word.length < 8 ? 1 : MOST_WRONG
}

/** The ways in which words can be similar. The first way that finds a word in use decides. */
const WAYS = [completions, misspelt, beginnings]

/**
 * Finds the words of a sorted list that a word may stand for. First come longer words that begin with it. If there are
 * none, words with the same first letter and one or two letters wrong, missing, extra or swapped. If there are none
 * either, words that it begins with, because the index stores stems. The order does not depend on the other words, so
 * the best of several lists are the best of one.
 *
 * @param had returns the candidates that are in use. Words of deleted cards must not decide the way.
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

/** Orders similar words: fewer wrong letters first, then similar length, then UTF-16 units. */
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
 * Searches the words with the same first letter like a tree: a common beginning is compared once, and if it differs too
 * much, all words with it are skipped.
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
    // The rows of the common beginning are filled: otherwise this word would have been skipped.
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

/**
 * Fills a row of the optimal string alignment: the cost of turning each beginning of `word` into the first `depth`
 * letters of `other`.
 */
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

/** The index of the first word that does not sort before this one. */
function firstAt(sorted: readonly string[], word: string): number {
  return searchSorted(sorted, (other) => other < word)
}

/** The index of the first word after `from` without this beginning. */
function firstBehind(sorted: readonly string[], beginning: string, from: number): number {
  return searchSorted(sorted, (other) => other < beginning || other.startsWith(beginning), from)
}
