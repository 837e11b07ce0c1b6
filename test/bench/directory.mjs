// The directory against minisearch and Orama, which do the text part only: no tags, no signals, no verified cards.
import { createDirectory, createMemoryStore, restoreDirectory } from 'blazon/directory'
import { agents, ndcg } from '../directory/quality.mjs'
import { corpus } from './rank.mjs'

const CARDS = 10_000
const QUERIES = 400

export const title = `The directory: ${CARDS.toLocaleString('en')} cards, 4 words, top 10 with the cards`

const LACK = 'labelled queries: what nDCG@10 lacks of 1'

/** What the quality came to is told below the table. */
export const notes = []

const encoder = new TextEncoder()

function storeOf(cards) {
  const store = createMemoryStore()
  for (const { id, description, skills } of cards) {
    const uri = String(id).startsWith('agent://') ? id : `agent://a${id}`
    store.put({
      id: uri,
      bytes: encoder.encode(JSON.stringify({ id: uri, name: 'an agent', description, skills })),
      standing: 'none',
      retrievedAt: 0,
      expiresAt: Number.POSITIVE_INFINITY,
      revoked: false,
      equivocations: [],
    })
  }
  return store
}

const textOf = ({ id, description, skills }) => ({ id: String(id), description, skills: skills.join(' ') })
const FIELDS = ['description', 'skills']

function miniSearch(MiniSearch, cards) {
  const index = new MiniSearch({ fields: FIELDS, storeFields: FIELDS })
  index.addAll(cards.map(textOf))
  return index
}

async function orama({ create, insertMultiple }, cards) {
  const index = create({ schema: { id: 'string', description: 'string', skills: 'string' } })
  await insertMultiple(index, cards.map(textOf))
  return index
}

const found = (directory, query, limit = 10) => directory.discover({ query, limit, min_score: 0 }).results

/** nDCG@10 of each engine, the peers as they come and with what they have for typos. */
async function quality(MiniSearch, Orama) {
  const directory = createDirectory({ store: storeOf(agents) })
  const mini = miniSearch(MiniSearch, agents)
  const other = await orama(Orama, agents)
  const ofOrama = (options) => async (term) =>
    (await Orama.search(other, { term, properties: FIELDS, ...options })).hits.map(({ document }) => document.id)
  const ofMini = (options) => (text) => mini.search(text, options).map(({ id }) => id)
  return {
    ours: await ndcg((query) => found(directory, query).map(({ agent_card: { id } }) => id)),
    minisearch: await ndcg(ofMini()),
    'minisearch, prefix and fuzzy 0.2, skills twice': await ndcg(
      ofMini({ prefix: true, fuzzy: 0.2, boost: { skills: 2 } }),
    ),
    orama: await ndcg(ofOrama({})),
    'orama, tolerance 1, skills twice': await ndcg(ofOrama({ tolerance: 1, boost: { skills: 2 } })),
  }
}

export async function cases({ peer }) {
  const { default: MiniSearch } = await peer('minisearch')
  const Orama = await peer('@orama/orama')
  const { cards, queries } = corpus(CARDS)
  const store = storeOf(cards)
  const directory = createDirectory({ store })
  const mini = miniSearch(MiniSearch, cards)
  const other = await orama(Orama, cards)
  const chunks = directory.save()
  const figures = await quality(MiniSearch, Orama)
  const { ours, ...peers } = figures
  notes.push(
    `nDCG@10: ${Object.entries(figures)
      .map(([name, figure]) => `${name} ${figure.toFixed(3)}`)
      .join('; ')}.`,
  )
  const saved = chunks.reduce((sum, { length }) => sum + length, 0)
  notes.push(`The saved index has ${Math.round(saved / CARDS)} bytes a card.`)
  let [asked, askedMini, askedOrama] = [0, 0, 0]
  return [
    {
      name: 'a query, p50',
      floor: { minisearch: 10, orama: 20 },
      aim: { minisearch: 40, orama: 80 },
      rounds: 9,
      batch: 1,
      block: 25,
      ours: () => found(directory, queries[asked++ % QUERIES].text),
      peers: {
        minisearch: () => mini.search(queries[askedMini++ % QUERIES].text).slice(0, 10),
        orama: () => Orama.search(other, { term: queries[askedOrama++ % QUERIES].text, properties: FIELDS, limit: 10 }),
      },
      check: () => {
        const { hits } = Orama.search(other, { term: queries[0].text, properties: FIELDS })
        if (!Array.isArray(hits)) throw new Error('Orama does not answer at once')
        for (const { text } of queries.slice(0, 12)) {
          if (found(directory, text).length !== 10) throw new Error(`${text}: fewer than 10 results`)
        }
      },
    },
    {
      name: 'build from the bytes of the cards',
      floor: 1,
      aim: 2,
      rounds: 3,
      batch: 1,
      ours: () => createDirectory({ store }).size,
      peers: { minisearch: () => miniSearch(MiniSearch, cards).documentCount },
      check: () => {
        if (createDirectory({ store }).size !== CARDS) throw new Error('not all cards were indexed')
      },
    },
    {
      name: 'load of a saved index',
      unit: ' ms',
      atMost: 100,
      aim: 30,
      measure: async () => {
        const start = performance.now()
        const { from } = restoreDirectory(chunks, { store })
        if (from !== 'snapshot') throw new Error('the saved index was not used')
        return performance.now() - start
      },
    },
    {
      name: `${LACK}, by what the best peer lacks`,
      unit: '',
      atMost: 1,
      aim: 0.5,
      measure: async () => (1 - ours) / (1 - Math.max(...Object.values(peers))),
    },
  ]
}
