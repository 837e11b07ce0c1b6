// The stores in memory and those of the platform do the same.
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { linkMemory } from '../../bindings/agp/memory.ts'
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

test('the stores of the platform return the same in every case', async () => {
  await withWorker('test/edge/retention-worker.ts', {}, async (runtime) => {
    const seen = JSON.parse((await ask(`${runtime.origin}/stores`)).text)
    expect(seen).toEqual(Object.fromEntries(Object.entries(CASES).map(([title, { expected }]) => [title, expected])))
  })
})
