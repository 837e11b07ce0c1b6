/**
 * Finds the word of `known` that was probably meant: one that begins with `word`, otherwise the nearest within two
 * edits (one edit for words of up to four letters). If several begin with it, the first one wins, unless another word
 * is a single edit away.
 */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const begun = known.filter((candidate) => word.length > 1 && candidate.startsWith(word))
  if (begun.length === 1) return begun[0]
  let best: string | undefined
  let least = word.length > 4 ? 3 : 2
  for (const candidate of known) {
    const edits = distance(word, candidate, least)
    // A single edit can turn any letter into any other, so one-letter words have no nearest word.
    if (edits < least && edits < Math.max(word.length, candidate.length)) {
      best = candidate
      least = edits
    }
  }
  return least > 1 ? (begun[0] ?? best) : best
}

/**
 * The edits (insert, remove, replace, swap neighbours) between two words; `limit` when there are at least that many.
 */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  let leastBefore = 0
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let leastOfRow = i
    for (let j = 1; j <= b.length; j++) {
      const replace = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(replace, previous[j]! + 1, row[j - 1]! + 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
      leastOfRow = Math.min(leastOfRow, row[j]!)
    }
    // Each row depends only on the two before it, and most words differ in their first letters, so this returns early.
    if (leastOfRow >= limit && leastBefore >= limit) return limit
    leastBefore = leastOfRow
    before = previous
    previous = row
  }
  return Math.min(previous[b.length]!, limit)
}
