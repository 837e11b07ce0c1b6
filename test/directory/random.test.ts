import { describe, expect, it } from 'vitest'
import {
  type AgentSignals,
  createDirectory,
  createMemoryStore,
  type Directory,
  restoreDirectory,
  type SearchQuery,
} from '../../bindings/directory/index.ts'
import { casesOf } from '../support/cases.ts'
import { drawing } from './draw.ts'
import { type PlainCard, plainDiscover } from './reference.ts'
import { storedCard, storeOf } from './stored.ts'

const DIRECTORIES = casesOf(4_000)
const SHARE = casesOf(250)
const LIVES = casesOf(500)

describe('random directories', () => {
  for (let seed = 0; seed < DIRECTORIES; seed += SHARE) {
    it(`give the same ids, scores and tags as a plain implementation; ${SHARE} from ${seed} on [card/5-1] [card/5-3] [card/5-10] [card/4.3-5]`, () => {
      for (let n = seed; n < seed + SHARE; n++) compare(n)
    })
  }

  for (let seed = 0; seed < LIVES; seed += SHARE) {
    it(`do so after cards were changed, removed, revoked, expired, saved and restored; ${SHARE} from ${seed} on`, () => {
      for (let n = seed; n < seed + SHARE; n++) live(n)
    })
  }
})

function compare(seed: number): void {
  const draw = drawing(seed)
  const cards = draw.cards(12)
  const directory = createDirectory({ store: storeOf(cards) })
  const signals = new Map(cards.map(({ id }) => [id, draw.signals()]))
  for (const [id, told] of signals) directory.setSignals(id, told)
  const query = draw.query()
  expect(found(directory, query), `seed ${seed}: ${JSON.stringify(query)}`).toEqual(
    plainDiscover(cards, signals, query),
  )
}

const found = (directory: Directory, query: SearchQuery) =>
  directory
    .discover(query)
    .results.map(({ agent_card: { id }, score, matched_tags: matched }) => ({ id, score, matched }))

const STEPS = ['put', 'put', 'put', 'passing', 'revoke', 'remove', 'tell', 'wait', 'save', 'restore'] as const

/** Applies random events to a directory and to a list of the cards that it should have. */
function live(seed: number): void {
  const draw = drawing(seed)
  const ids = draw.cards(8).map(({ id }) => id)
  if (ids.length === 0) return
  let now = 0
  const signals = new Map<string, AgentSignals>()
  const store = createMemoryStore()
  const source = { signals: (id: string) => signals.get(id), known: () => signals.keys() }
  const options = { store, clock: () => new Date(now), signals: source }
  let directory = createDirectory(options)
  let chunks = directory.save()
  const cards = new Map<string, PlainCard & { until: number }>()
  const happened: string[] = []
  for (let step = 4 + draw.below(20); step > 0; step--) {
    const what = draw.pick(STEPS)
    const id = draw.pick(ids)
    happened.push(`${what} ${id}`)
    if (what === 'put' || what === 'passing') {
      const until = what === 'put' ? Number.POSITIVE_INFINITY : now + 1 + draw.below(3)
      const card = draw.card(id)
      directory.adopt({ ...storedCard(card), expiresAt: until })
      cards.set(id, { ...card, until })
    } else if (what === 'revoke') {
      directory.adopt({ ...storedCard({ id }), revoked: true })
      cards.delete(id)
    } else if (what === 'remove') {
      directory.remove(id)
      cards.delete(id)
    } else if (what === 'tell') {
      signals.set(id, draw.signals())
      directory.setSignals(id, {})
    } else if (what === 'wait') now++
    else if (what === 'save') chunks = directory.save()
    else directory = restoreDirectory(chunks, options).directory
  }
  const there = [...cards.values()].filter(({ until }) => until > now)
  const query = draw.query()
  const told = `seed ${seed}: ${happened.join(', ')}; ${JSON.stringify(query)}`
  expect(directory.size, told).toBe(there.length)
  expect(found(directory, query), told).toEqual(plainDiscover(there, signals, query))
}
