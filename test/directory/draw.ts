import type { AgentSignals, SearchQuery } from '../../bindings/directory/index.ts'
import { random } from '../support/random.ts'
import type { PlainCard } from './reference.ts'
import { MISTYPED, STEMS, STOP } from './vocabulary.ts'

const WORDS = [...Object.keys(STEMS), ...STOP]
const SPELLINGS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.replace('ss', 'ß').replace('cafe', 'Café').replace('uber', 'über').replace('naive', 'naïve'),
]
const CHINESE = ['翻译', '合同翻译', '法律', '译', '天气预报']
const TAGS = [
  'nlp',
  'nlp/translation',
  'NLP/Text Analysis',
  'nlp/text-analysis/sentiment',
  'ML',
  'machine-learning',
  'py',
  'python',
  'vision/ocr',
  'ops',
  'ops/deployment',
  'translate',
  'full stack',
  ' coding/review/ ',
]
const ASKED = [...TAGS, 'nlp/*', 'ops/*', 'vision', 'coding', 'none', '*']
const LEVELS = [0, 0.25, 0.5, 1, 1 / 3]
const GAPS = [' ', ', ', '. ', ' - ', '\n', '/']
// Sorted by UTF-16 units, which differs from the order of code points.
const LETTERS = ['a', 'b', 'B', '%F0%9F%98%80', 'z', '~']

/** Draws random directories and queries. Everything follows from the seed. */
export function drawing(seed: number) {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const chance = (p: number) => next() < p
  const several = <T>(most: number, make: () => T) => Array.from({ length: below(most + 1) }, make)
  const word = () => (chance(0.1) ? pick(CHINESE) : pick(SPELLINGS)(pick(WORDS)))
  const text = (most: number) => several(most, () => word() + pick(GAPS)).join('')

  const card = (id: string): PlainCard => ({
    id,
    ...(chance(0.9) && { description: text(12) }),
    ...(chance(0.8) && { skills: several(4, () => pick(TAGS)) }),
    ...(chance(0.3) && { constraints: { max_concurrent_tasks: 1 + below(3) } }),
  })
  const cards = (most: number) => [...new Set(several(most, () => `agent://${pick(LETTERS)}${below(20)}`))].map(card)
  const signals = (): AgentSignals => ({
    ...(chance(0.6) && { reputation: pick(LEVELS) }),
    ...(chance(0.6) && { rating: pick(LEVELS) }),
    ...(chance(0.6) && { completedTasks: below(10) }),
    ...(chance(0.4) && { activeTasks: below(4) }),
    ...(chance(0.6) && { online: chance(0.5) }),
  })
  const query = (): SearchQuery => {
    const hasTags = chance(0.7)
    const hasText = !hasTags || chance(0.6)
    return {
      ...(hasTags && { tags: [pick(ASKED), ...several(3, () => pick(ASKED))] }),
      ...(hasText && { query: `${chance(0.3) ? pick(Object.keys(MISTYPED)) : word()} ${text(4)}` }),
      ...(chance(0.3) && { limit: 1 + below(30) }),
      ...(chance(0.4) && { min_score: pick([0, 0.05, 0.2, 0.5]) }),
    }
  }
  return { card, cards, signals, query, words: () => text(8), skills: () => [pick(TAGS), pick(TAGS)], below, pick }
}
