// The ranking of docs/guide/directory.md, plain and slow: every query looks at every card, there are no tables, and only
// types come from the tested code. Words are those of vocabulary.ts, which lists their stems.
import type { AgentSignals, SearchQuery } from '../../bindings/directory/index.ts'
import { ALIASES, MISTYPED, STEMS, STOP } from './vocabulary.ts'

export interface PlainCard {
  readonly id: string
  readonly description?: string
  readonly skills?: readonly string[]
  readonly constraints?: { readonly max_concurrent_tasks?: number }
}

export interface PlainHit {
  readonly id: string
  readonly score: number
  readonly matched: readonly string[]
}

interface Weights {
  readonly tags: number
  readonly text: number
  readonly reputation: number
  readonly availability: number
  readonly rating: number
}

const TABLE_11: Weights = { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 }

export function plainDiscover(
  cards: readonly PlainCard[],
  signals: ReadonlyMap<string, AgentSignals>,
  { tags = [], query = '', limit = 10, min_score = 0.1 }: SearchQuery,
): PlainHit[] {
  const texts = cards.map((card) => [...words(card.description ?? ''), ...labels(card), ...labels(card)])
  const average = texts.reduce((sum, text) => sum + text.length, 0) / cards.length || 1
  const having = (word: string) => texts.filter((text) => text.includes(word)).length
  const idf = (word: string) => Math.log(1 + (cards.length - having(word) + 0.5) / (having(word) + 0.5))
  const asked = unique(
    tags
      .map(oneSpelling)
      .map((tag) => tag.replace(/(?<=.)\/\*$/, ''))
      .filter((tag) => tag !== ''),
  )
  const sought = unique(
    unique(words(query)).flatMap((word) => (having(word) > 0 ? [word] : instead(word, unique(texts.flat()), having))),
  )
  const worth = new Map(sought.map((word) => [word, idf(word)]))
  const weights = asked.length > 0 ? TABLE_11 : shared(TABLE_11)
  const hits = cards.flatMap((card, i) => {
    const { reputation = 0, rating = 0, completedTasks = 0, activeTasks = 0, online } = signals.get(card.id) ?? {}
    const most = card.constraints?.max_concurrent_tasks
    if (most !== undefined && activeTasks >= most) return []
    const served = asked.map((tag) => (card.skills ?? []).filter((skill) => serves(oneSpelling(skill), tag)))
    const matching = served.filter((list) => list.length > 0).length
    const found = sought.filter((word) => texts[i]!.includes(word))
    if (matching === 0 && found.length === 0) return []
    const norm = 1.2 * (0.25 + (0.75 * texts[i]!.length) / average)
    let text = 0
    let best = 0
    for (const word of sought) {
      const f = texts[i]!.filter((other) => other === word).length
      text += worth.get(word)! * ((f * 2.2) / (f + norm))
      best += worth.get(word)! * 2.2
    }
    const score =
      weights.tags * (asked.length === 0 ? 0 : matching / asked.length) +
      weights.text * (best === 0 ? 0 : text / best) +
      weights.reputation * Math.min(1, reputation + (completedTasks < 5 ? 0.1 : 0)) +
      weights.availability * (online === true ? 1 : 0) +
      weights.rating * rating
    return [{ id: card.id, score: Math.round(score * 1e6) / 1e6, matched: firstOfEach(served.flat()) }]
  })
  return hits
    .filter(({ score }) => score >= min_score)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
}

/** Without tags, their weight goes to the others in proportion to their own weights. */
function shared({ tags, text, reputation, availability, rating }: Weights): Weights {
  const rest = text + reputation + availability + rating
  const times = (tags + rest) / rest
  return {
    tags: 0,
    text: text * times,
    reputation: reputation * times,
    availability: availability * times,
    rating: rating * times,
  }
}

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)]

/** A tag that occurs in two spellings is shown in the first one. */
function firstOfEach(skills: readonly string[]): string[] {
  const seen = new Map<string, string>()
  for (const skill of skills) if (!seen.has(oneSpelling(skill))) seen.set(oneSpelling(skill), skill)
  return [...seen.values()]
}

function oneSpelling(tag: string): string {
  const path = tag
    .toLowerCase()
    .split('/')
    .map((part) => part.trim().split(/\s+/).join('-'))
    .filter(Boolean)
  const only = path.length === 1 ? ALIASES[path[0]!] : undefined
  return only ?? path.join('/')
}

const serves = (skill: string, asked: string) => skill === asked || skill.startsWith(`${asked}/`)

const labels = ({ skills = [] }: PlainCard) => skills.flatMap(words)

/** Words of the vocabulary. Chinese text gives pairs of neighbouring characters. */
function words(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
  const runs = plain
    .split(/[^a-z0-9\u4e00-\u9fff]+/)
    .flatMap((run) => run.split(/(?<=[\u4e00-\u9fff])(?![\u4e00-\u9fff])|(?<![\u4e00-\u9fff])(?=[\u4e00-\u9fff])/))
  return runs.flatMap((run) => {
    if (run === '' || STOP.includes(run)) return []
    if (!/[\u4e00-\u9fff]/.test(run)) return [STEMS[run] ?? MISTYPED[run] ?? run]
    return run.length === 1
      ? [run]
      : Array.from(run)
          .slice(1)
          .map((character, i) => run[i]! + character)
  })
}

/** Returns the words that replace an unknown one. */
function instead(word: string, vocabulary: readonly string[], having: (word: string) => number): string[] {
  const chinese = /[\u4e00-\u9fff]/.test(word)
  const near = vocabulary.map((other) => ({ other, off: distance(word, other, chinese) })).filter(({ off }) => off < 99)
  const nearest = Math.min(...near.map(({ off }) => off))
  const apart = (other: string) => Math.abs(other.length - word.length)
  const byNearness = (a: string, b: string) => apart(a) - apart(b) || (a < b ? -1 : 1)
  return near
    .filter(({ off }) => off === nearest)
    .map(({ other }) => other)
    .sort(byNearness)
    .slice(0, 16)
    .sort((a, b) => having(b) - having(a) || byNearness(a, b))
    .slice(0, 4)
}

function distance(word: string, other: string, chinese: boolean): number {
  if (other.startsWith(word) && (chinese || word.length >= 3)) return 0
  if (chinese) return 99
  const wrong = edits(word, other)
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2
  if (wrong <= most && word[0] === other[0]) return wrong
  const left = word.length - other.length
  return word.startsWith(other) && left <= 5 && other.length >= 4 ? 2 + left : 99
}

/** Edit distance with wrong, missing, extra and swapped letters: the textbook table. */
function edits(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, table[i - 2]![j - 2]! + 1)
      table[i]![j] = least
    }
  }
  return table[a.length]![b.length]!
}
