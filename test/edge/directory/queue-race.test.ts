import { expect, test } from 'vitest'
import { workersOf } from '../../support/workers.ts'
import { operator } from '../tokens.ts'
import { cardOf, createAgent } from './agents.ts'
import { post } from './ordeal.ts'

const workers = workersOf('test/edge/directory/faulty-worker.ts')

test('a card that is allowed just before it is queued is stored, and does not wait', async () => {
  const runtime = await workers.start({ settings: { ADMISSION: 'queue' } })
  const raced = await cardOf(await createAgent(), 1, { name: 'Raced' })
  expect((await post(runtime, '/adp/advertise', raced)).body).toMatchObject({ stored: true })
  const other = await cardOf(await createAgent(), 1)
  expect((await post(runtime, '/adp/advertise', other)).body).toMatchObject({ stored: false, reason: 'waiting' })
  const queue = await fetch(`${runtime.origin}/v1/directory/queue`, { headers: operator(runtime.origin) })
  expect(await queue.json()).toMatchObject({ total: 1 })
})
