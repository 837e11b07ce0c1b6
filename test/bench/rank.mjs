// The index of agents against minisearch, which does the text part only: no tags, no signals, no weights.
import { createIndex, loadIndex } from 'blazon/core'
import { random } from './documents.mjs'

export const title = 'Ranking: 100,000 cards, 2 tags and 4 words, top 10'

const CARDS = 100_000
const DELTA = CARDS / 20
const QUERIES = 400
const WORDS = 8000
const TAGS = 300
const WEIGHTS = { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 }
const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo vu'.split(
    ' ',
  )

/** Words as frequent as those of a language (Zipf), tags of which some are usual; and queries without the five most frequent words. */
export function corpus(count = CARDS) {
  const next = random(11)
  const below = (n) => Math.floor(next() * n)
  const times = (count, make) => Array.from({ length: count }, make)
  const known = new Set()
  while (known.size < WORDS) known.add(times(2 + below(3), () => SYLLABLES[below(SYLLABLES.length)]).join(''))
  const words = [...known]
  let total = 0
  const upTo = words.map((_, i) => {
    total += 1 / (i + 2.7)
    return total
  })
  const rank = () => {
    const sought = next() * total
    let low = 0
    for (let high = WORDS - 1; low < high; ) {
      const middle = (low + high) >> 1
      if (upTo[middle] < sought) low = middle + 1
      else high = middle
    }
    return low
  }
  const rare = () => {
    const found = rank()
    return found < 5 ? rare() : words[found]
  }
  const tag = () => `tag-${words[Math.floor(TAGS * next() * next()) * 7]}`
  const cards = times(count, (_, id) => ({
    id,
    description: times(12 + below(30), () => words[rank()]).join(' '),
    skills: [...new Set(times(2 + below(5), tag))],
    signals: { reputation: next(), availability: next(), rating: next() },
  }))
  const queries = times(QUERIES, () => ({ tags: [...new Set(times(2, tag))], text: times(4, rare).join(' ') }))
  return { cards, queries }
}

const idOf = (id) => `agent://a${id}`

/** What a card comes as: its record, and its signals. */
function received({ id, description, skills, signals }) {
  return [{ id: idOf(id), tags: skills, text: description }, signals]
}

function add(index, [record, signals]) {
  const outcome = index.addRecord(record, signals)
  if (!outcome.ok) throw new Error(`fault ${outcome.fault.code}`)
}

function build(cards) {
  const index = createIndex()
  for (const card of cards) add(index, card)
  return index
}

/** The same cards, of which the last twentieth came after the others were merged, in place of older ones. */
function withDelta(cards, records) {
  const older = cards.slice(-DELTA).map((card) => received({ ...card, description: 'an older card' }))
  const loaded = loadIndex(build([...records.slice(0, -DELTA), ...older]).save())
  if (!loaded.ok) throw new Error(`fault ${loaded.fault.code}`)
  for (const card of records.slice(-DELTA)) add(loaded.index, card)
  return loaded.index
}

/** Scores of all cards that have a tag or a word of the query, by the formula of docs/guide/abi/rank.md and nothing else. */
function naiveScorer(cards) {
  const texts = cards.map(({ description }) => description.split(' '))
  const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
  return ({ tags, text }) => {
    const asked = [...new Set(text.split(' '))]
    const frequencies = asked.map((word) => texts.map((words) => words.filter((other) => other === word).length))
    const idf = frequencies.map((list) => {
      const having = list.filter((n) => n > 0).length
      return Math.log(1 + (CARDS - having + 0.5) / (having + 0.5))
    })
    const most = idf.reduce((sum, weight) => sum + weight * 2.2, 0)
    let withText = 0
    const scores = cards.flatMap(({ skills, signals }, card) => {
      const norm = 1.2 * (0.25 + (0.75 * texts[card].length) / average)
      const words = frequencies.reduce((sum, list, i) => sum + (idf[i] * list[card] * 2.2) / (list[card] + norm), 0)
      const matched = tags.filter((tag) => skills.includes(tag)).length
      if (words > 0) withText++
      if (words === 0 && matched === 0) return []
      const factors = { tags: matched / tags.length, text: words / most, ...signals }
      return Object.entries(WEIGHTS).reduce((sum, [name, weight]) => sum + weight * factors[name], 0)
    })
    return { best: scores.sort((a, b) => b - a).slice(0, 10), withText }
  }
}

export async function cases({ peer }) {
  const { default: MiniSearch } = await peer('minisearch')
  const { cards, queries } = corpus()
  const records = cards.map(received)
  const buildPeer = () => {
    const peerIndex = new MiniSearch({ fields: ['description'], storeFields: [] })
    peerIndex.addAll(cards)
    return peerIndex
  }
  const index = build(records)
  const merged = loadIndex(index.save()).index
  const delta = withDelta(cards, records)
  const theirs = buildPeer()
  const score = naiveScorer(cards)

  const check = (asked) => () => {
    for (const query of queries.slice(0, 12)) {
      const { best, withText } = score(query)
      const hits = asked.query(query)
      // Scores are rounded to millionths.
      if (hits.length !== 10 || hits.some((hit, i) => Math.abs(hit.score - best[i]) > 1e-6)) {
        throw new Error(`${query.text}: ${hits.map((hit) => hit.score)}, a plain loop says ${best}`)
      }
      const found = theirs.search(query.text).length
      if (found !== withText) throw new Error(`${query.text}: minisearch finds ${found}, a plain loop ${withText}`)
    }
  }
  // One query a sample, each another one, so that the median is p50; many at a turn, as a busy directory answers them.
  const searching = (name, asked, floor, aim) => {
    let ours = 0
    let peers = 0
    return {
      name,
      floor,
      aim,
      rounds: 9,
      batch: 1,
      block: 25,
      ours: () => asked.query(queries[ours++ % QUERIES]),
      peers: { minisearch: () => theirs.search(queries[peers++ % QUERIES].text).slice(0, 10) },
      check: check(asked),
    }
  }
  // By itself it would make two words of a tag with a hyphen.
  const tokenize = (text) => text.split(/[\s,]+/)
  const extractField = (card, field) => String(card[field])
  /** Both begin with what was read of a card and index the same members; ours keeps the signals as well. */
  const building = (name, fields, wanted) => {
    const given = fields.includes('skills') ? records : cards.map((card) => received({ ...card, skills: [] }))
    const buildTheirs = () => {
      const peerIndex = new MiniSearch({ fields, storeFields: [], extractField, tokenize })
      for (const card of cards) peerIndex.add(card)
      return peerIndex.documentCount
    }
    return {
      name,
      ...wanted,
      rounds: 3,
      batch: 1,
      ours: () => build(given).size,
      peers: { minisearch: buildTheirs },
      check: () => {
        if (build(given).size !== CARDS || buildTheirs() !== CARDS) throw new Error('not all cards were indexed')
      },
    }
  }
  return [
    searching('a query, p50', merged, 330, 600),
    searching('a query, p50, 5 % of the cards in the delta', delta, 250, 500),
    building('build from records, text alone', ['description'], { floor: 5, aim: 8 }),
    building('the same, text and tags', ['description', 'skills'], {}),
  ]
}
