import { expect, test } from 'vitest'
import { diff } from '../../bindings/adl/index.ts'
import { mutations } from './sound.ts'
import { catalogue, flawOfVerbs, slowCases } from './sound-verbs.ts'

test('[adl/18.12-1] no document makes a verb fail otherwise than it says, or take long (10,000 in npm run soak)', async () => {
  const documents = catalogue()
  expect(documents.length).toBeGreaterThan(200)
  const next = mutations(documents, 11)
  let before = next()
  for (let i = 0; i < 300; i++) {
    const source = next()
    const flaw = await flawOfVerbs({ source, before })
    if (flaw !== undefined) expect([new TextDecoder().decode(source), flaw]).toEqual(['', undefined])
    before = source
  }
})

test('a category that cannot become text is compared', () => {
  const of = (categories: readonly unknown[]) => ({ data_classification: { sensitivity: 'public', categories } })
  const changes = diff(of(['pii']), of([{ toString: {} }]))
  expect(changes.map(({ kind, pointer }) => [kind, pointer])).toEqual([
    ['widened', '/data_classification/categories'],
    ['narrowed', '/data_classification/categories'],
  ])
})

test('[adl/18.5-1] documents made to be slow keep no verb long (a megabyte each in npm run soak)', async () => {
  for (const [title, given] of slowCases(20_000)) expect([title, await flawOfVerbs(given)]).toEqual([title, undefined])
})
