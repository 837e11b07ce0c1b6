// Cards that expire while they are moving: a renewed card must not count as stored before it is.
import { createMemoryStore, type StoredCard } from 'blazon/directory'
import { expect, test } from 'vitest'
import { MOVED } from '../../../edge/contracts/directory.ts'
import { Renewal } from '../../../edge/directory/renewal.ts'

const MINUTE = 60_000
const encoder = new TextEncoder()

test('[card/6.3-10] a card that is moving is requested again a minute later, and not before', async () => {
  const store = createMemoryStore()
  const id = 'agent://scout'
  const endpoints = [{ protocol: 'http+json', uri: 'https://scout.example.com' }]
  const bytes = encoder.encode(JSON.stringify({ id, name: 'Scout', endpoints }))
  const stored: StoredCard = {
    id,
    bytes,
    seq: 1n,
    standing: 'signature',
    retrievedAt: 0,
    expiresAt: 4 * MINUTE,
    revoked: false,
    equivocations: [],
  }
  store.put(stored)
  let asked = 0
  let moving = true
  const renewal = new Renewal(
    store,
    async (_, card, operator) => {
      expect(operator).toBe(false)
      if (moving) return MOVED
      store.put({ ...stored, bytes: card, expiresAt: 60 * MINUTE })
      return { status: 'OK', stored: true, diagnostics: [] }
    },
    async () => {
      asked++
      return Response.json({ id, name: 'Scout', endpoints, seq: 2 })
    },
  )
  await renewal.run(0)
  expect(asked).toBe(1)
  await renewal.run(MINUTE - 1)
  expect(asked).toBe(1)
  moving = false
  await renewal.run(MINUTE + 1)
  expect(asked).toBe(2)
  await renewal.run(2 * MINUTE)
  expect(asked).toBe(2)
})
