import { describe, expect, it } from 'vitest'
import { createDirectory } from '../../bindings/directory/index.ts'
import { drawing } from './draw.ts'
import { plainDiscover } from './reference.ts'
import { storeOf } from './stored.ts'

const DIRECTORIES = 10_000
const SHARE = 500

describe('random directories', () => {
  for (let seed = 0; seed < DIRECTORIES; seed += SHARE) {
    it(`answer as a plain implementation does: ids, scores, tags; ${SHARE} from ${seed} on [card/5-1] [card/5-3] [card/5-10] [card/4.3-5]`, () => {
      for (let n = seed; n < seed + SHARE; n++) compare(n)
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
  const { results } = directory.discover(query)
  const got = results.map(({ agent_card: { id }, score, matched_tags: matched }) => ({ id, score, matched }))
  expect(got, `seed ${seed}: ${JSON.stringify(query)}`).toEqual(plainDiscover(cards, signals, query))
}
