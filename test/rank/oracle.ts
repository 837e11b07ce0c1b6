import type { Factors } from '../../bindings/core/index.ts'
import type { Query } from '../../bindings/core/index-search.ts'
import type { CardRecord, Hit, Signals, Statistics } from '../../bindings/wasm/rank.ts'

interface Entry {
  tags: readonly string[]
  words: string[]
  signals: Required<Signals>
}

const WEIGHTS: Factors = { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 }

/** A text as its UTF-8 bytes, one per character: words consist of bytes. */
const bytesOf = (text: string) => String.fromCharCode(...new TextEncoder().encode(text))

/** The words of a text, as decided in docs/design/decisions.md. */
function wordsOf(text: string): string[] {
  const runs = bytesOf(text).match(/[0-9A-Za-z\x80-\xff]+/g) ?? []
  return runs.map((run) => run.replace(/[A-Z]/g, (c) => c.toLowerCase()).slice(0, 255))
}

/** The logarithm by the formula of core/rank/terms.ts, which every engine computes to the same last bit. */
export function ln(x: number): number {
  let m = x
  let e = 0
  while (m >= 2) {
    m /= 2
    e++
  }
  while (m < 1) {
    m *= 2
    e--
  }
  if (m > Math.SQRT2) {
    m /= 2
    e++
  }
  const s = (m - 1) / (m + 1)
  let sum = 0
  for (const k of [23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3]) sum = s * s * (sum + 1 / k)
  return e * Math.LN2 + 2 * s * (1 + sum)
}

/** https://www.ietf.org/archive/id/draft-song-anp-adp-00.html#section-3.6.1 */
function tagMatches(asked: string, tag: string): boolean {
  const path = asked.length > 2 && asked.endsWith('/*') ? asked.slice(0, -2) : asked
  return path !== '' && (tag === path || tag.startsWith(`${path}/`))
}

/** A naive search index: a map, and a loop over all cards for each query. */
export class Oracle {
  readonly #cards = new Map<string, Entry>()

  get size(): number {
    return this.#cards.size
  }

  get ids(): string[] {
    return [...this.#cards.keys()]
  }

  add({ id, tags = [], words = [], text = '' }: CardRecord, signals: Signals = {}): void {
    const before = this.#cards.get(id)?.signals ?? { reputation: 0, availability: 0, rating: 0, excluded: false }
    const all = [...words.map(bytesOf), ...wordsOf(text)]
    this.#cards.set(id, { tags: tags.filter((tag) => tag !== ''), words: all, signals: { ...before, ...signals } })
  }

  remove(id: string): boolean {
    return this.#cards.delete(id)
  }

  setSignals(id: string, signals: Signals): boolean {
    const card = this.#cards.get(id)
    if (card) card.signals = { ...card.signals, ...signals }
    return card !== undefined
  }

  statistics({ words = [], text = '' }: Query): Statistics {
    const asked = [...new Set([...words.map(bytesOf), ...wordsOf(text)])].slice(0, 256)
    const cards = [...this.#cards.values()]
    return {
      documents: cards.length,
      length: cards.reduce((sum, card) => sum + card.words.length, 0),
      frequencies: asked.map((word) => cards.filter((card) => card.words.includes(word)).length),
    }
  }

  query(query: Query): Hit[] {
    const { tags = [], words = [], text = '', limit = 10, minScore = 0 } = query
    const w = { ...WEIGHTS, ...query.weights }
    const { documents, length, frequencies } = query.statistics ?? this.statistics(query)
    const askedTags = [...new Set(tags)]
    const askedWords = [...new Set([...words.map(bytesOf), ...wordsOf(text)])].slice(0, 256)
    const average = documents > 0 && length > 0 ? length / documents : 1
    const idf = frequencies.map((having) => ln(1 + (documents - having + 0.5) / (having + 0.5)))
    const most = idf.reduce((sum, x) => sum + x * 2.2, 0)
    const hits: Hit[] = []
    for (const [id, card] of this.#cards) {
      if (card.signals.excluded) continue
      const matchedTags = askedTags.filter((asked) => card.tags.some((tag) => tagMatches(asked, tag)))
      let sum = 0
      let found = false
      askedWords.forEach((word, i) => {
        const f = card.words.filter((other) => other === word).length
        if (f === 0) return
        found = true
        sum += idf[i]! * ((f * 2.2) / (f + 1.2 * (1 - 0.75 + (0.75 * card.words.length) / average)))
      })
      if (askedTags.length + askedWords.length > 0 && matchedTags.length === 0 && !found) continue
      const { reputation, availability, rating } = card.signals
      const factors = {
        tags: askedTags.length > 0 ? matchedTags.length / askedTags.length : 0,
        text: found ? sum / most : 0,
        reputation,
        availability,
        rating,
      }
      const total =
        w.tags * factors.tags +
        w.text * factors.text +
        w.reputation * reputation +
        w.availability * availability +
        w.rating * rating
      const score = Math.floor(total * 1e6 + 0.5) / 1e6
      if (score >= minScore) hits.push({ id, score, factors, matchedTags })
    }
    return best(hits, limit)
  }
}

/** JavaScript compares strings by UTF-16 code units. */
export function best(hits: readonly Hit[], limit: number): Hit[] {
  const order = (a: Hit, b: Hit) => b.score - a.score || (a.id < b.id ? -1 : 1)
  return [...hits].sort(order).slice(0, limit)
}
