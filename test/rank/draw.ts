import type { Query } from '../../bindings/core/index-search.ts'
import type { CardRecord, Signals } from '../../bindings/wasm/rank.ts'
import { random } from '../support/random.ts'

// Few words, tags and signal values, so that equal scores are common and ids decide the order.
const WORDS = ['translate', 'Legal', 'contracts', 'to', 'the', 'x1', 'über', 'ÜBER', '翻訳', 'a', '0', 'Zz']
const SEGMENTS = ['nlp', 'vision', 'ocr', 'text-analysis', 'é', '']
const LEVELS = [0, 0.25, 0.5, 1, 1 / 3]
const GAPS = [' ', ', ', '. ', '/', '—', '\n\n', '"', '-']
// In UTF-16 order, which differs from the order of bytes and of code points.
const LETTERS = ['a', 'b', 'B', 'é', '中', '😀', '𐀀', '\ue000', '\uffee']

/** Draws cards and queries, determined by the seed. */
export function drawing(seed: number) {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const chance = (p: number) => next() < p
  const several = <T>(most: number, make: () => T) => Array.from({ length: below(most + 1) }, make)
  const tag = () => [pick(SEGMENTS), ...several(2, () => pick(SEGMENTS))].join('/')
  const word = () => (chance(0.8) ? pick(WORDS) : `w${below(40)}`)
  const text = (most: number) => several(most, () => word() + pick(GAPS)).join('')

  const id = (most: number) => `agent://${LETTERS[below(LETTERS.length)]}${below(most)}`
  /** `most`: the maximum number of words. */
  const record = (cards: number, most: number): CardRecord => ({
    id: id(cards),
    tags: several(4, tag),
    ...(chance(0.3) && { words: several(3, () => pick(WORDS)) }),
    text: text(most),
  })
  const signals = (): Signals => ({
    ...(chance(0.6) && { reputation: pick(LEVELS) }),
    ...(chance(0.6) && { availability: pick(LEVELS) }),
    ...(chance(0.6) && { rating: pick(LEVELS) }),
    ...(chance(0.2) && { excluded: chance(0.3) }),
  })
  const asked = () => (chance(0.3) ? `${tag()}/*` : tag())
  const query = (): Query => ({
    ...(chance(0.8) && { tags: several(4, asked) }),
    ...(chance(0.2) && { words: several(3, () => pick(WORDS)) }),
    ...(chance(0.8) && { text: text(6) }),
    limit: pick([0, 1, 2, 3, 10, 10, 10, 50, 1000]),
    ...(chance(0.4) && { minScore: pick([-1, 0.1, 0.25, 0.3, 0.5, 0.9]) }),
    ...(chance(0.4) && { weights: { tags: pick([0, 1, 0.3]), text: pick([0, 1, 7]), rating: pick([0, 0.1, 1000]) } }),
    ...(chance(0.05) && { weights: { tags: 0, text: 0, reputation: 0, availability: 0, rating: 0 } }),
  })
  return { below, pick, chance, several, tag, text, id, record, signals, query }
}
