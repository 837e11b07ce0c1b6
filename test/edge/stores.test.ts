// The stores in memory and those of the platform do the same.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { linkMemory, REMEMBERED_MS } from '../../bindings/agp/memory.ts'
import { MemoryOutbox } from '../../bindings/agp/sending.ts'
import { createMemoryStore } from '../../bindings/directory/index.ts'
import type { Blobs, Values } from '../../edge/platform/types.ts'
import { ask } from '../support/ask.ts'
import { withWorker } from '../support/runtime.ts'
import { CASES, type Stores } from './stores.ts'

function memoryValues(): Values {
  const values = new Map<string, unknown>()
  return {
    get: <T>(name: string) => structuredClone(values.get(name)) as T | undefined,
    put: (name, value) => void values.set(name, structuredClone(value)),
    delete: (name) => values.delete(name),
  }
}

function memoryBlobs(): Blobs {
  const blobs = new Map<string, Buffer>()
  return {
    async get(key, { range } = { range: { offset: 0, length: Number.POSITIVE_INFINITY } }) {
      const all = blobs.get(key)
      if (all === undefined) return null
      const bytes = new Uint8Array(all.subarray(range.offset, range.offset + range.length))
      return { key, size: all.length, body: new Response(bytes).body!, bytes: async () => bytes }
    },
    async put(key, content, { sha256 } = { sha256: '' }) {
      const bytes = Buffer.from(await new Response(content as BodyInit).arrayBuffer())
      if (sha256 !== '' && createHash('sha256').update(bytes).digest('hex') !== sha256)
        throw new Error('another digest')
      blobs.set(key, bytes)
    },
    async list({ prefix = '' } = {}) {
      const keys = [...blobs.keys()].filter((key) => key.startsWith(prefix)).sort()
      return { objects: keys.map((key) => ({ key, size: blobs.get(key)!.length })) }
    },
    async delete(keys) {
      for (const key of keys) blobs.delete(key)
    },
  }
}

const IN_MEMORY: Stores = {
  cards: createMemoryStore,
  outbox: () => new MemoryOutbox(),
  memory: linkMemory,
  values: memoryValues,
  blobs: memoryBlobs,
}

describe('a store in memory', () => {
  test.each(Object.entries(CASES))('%s', async (_, { run, expected }) => {
    expect(await run(IN_MEMORY)).toEqual(expected)
  })
})

test('a memory full of agents takes another one when the ids of one have expired, and not before', () => {
  const memory = linkMemory()
  const at = (ms: number) => new Date(1e12 + ms)
  for (let i = 0; i < 10_000; i++) memory.add(`agent:${i}.example`, 'a', at(i === 7 ? 0 : 1000), undefined)
  expect(memory.add('agent:new.example', 'a', at(REMEMBERED_MS), undefined)).toBe(false)
  expect(memory.has('agent:7.example', 'a')).toBe(true)
  expect(memory.add('agent:new.example', 'a', at(REMEMBERED_MS + 1), undefined)).toBe(true)
  expect([memory.has('agent:7.example', 'a'), memory.has('agent:8.example', 'a')]).toEqual([false, true])
})

test('the stores of the platform return the same in every case', async () => {
  await withWorker('test/edge/retention-worker.ts', {}, async (runtime) => {
    const seen = JSON.parse((await ask(`${runtime.origin}/stores`)).text)
    expect(seen).toEqual(Object.fromEntries(Object.entries(CASES).map(([title, { expected }]) => [title, expected])))
  })
})
