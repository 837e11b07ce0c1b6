// What every implementation of a store has to do, whether it is in memory or the platform's. Each case returns what it
// saw, so that it can also run inside of the Worker.
import type { AgentRecord, LinkMemory } from '../../bindings/agp/memory.ts'
import type { OutboxStore } from '../../bindings/agp/outbox.ts'
import type { CardStore, StoredCard } from '../../bindings/directory/index.ts'
import type { Blobs, Values } from '../../edge/platform/types.ts'

export interface Stores {
  cards(): CardStore
  outbox(): OutboxStore<string> & { readonly nextDue: number | undefined }
  memory(): LinkMemory
  values(): Values
  blobs(): Blobs
}

interface Case {
  readonly run: (stores: Stores) => unknown
  readonly expected: unknown
}

const encoder = new TextEncoder()
const TO = 'agent:bob.example.com'
const NOW = new Date(1e12)
const HOUR_MS = 3_600_000

const cardWith = (id: string, more: Partial<StoredCard> = {}): StoredCard => ({
  id,
  bytes: encoder.encode(id),
  seq: undefined,
  standing: 'none',
  retrievedAt: 0,
  expiresAt: 1000,
  revoked: false,
  equivocations: [],
  ...more,
})
const idsOf = (cards: Iterable<{ readonly id: string }>) => [...cards].map(({ id }) => id)
const failure = { outcome: 'undelivered', at: 1, code: 'AGP-137', detail: '' } as const

function outboxWith(stores: Stores, ids: string) {
  const outbox = stores.outbox()
  for (const id of ids) outbox.add({ id, to: TO, content: `content ${id}`, until: 100 }, 5)
  const ready = (window = 64) => outbox.ready(TO, window).map((one) => one.id)
  return { outbox, ready }
}

export const CASES: Readonly<Record<string, Case>> = {
  'cards: returns a stored card with all of its members': {
    run(stores) {
      const cards = stores.cards()
      cards.put(
        cardWith('a', { seq: 2n ** 60n, signer: 'k', json: '{}', updatedAt: 7, equivocations: [encoder.encode('x')] }),
      )
      const { bytes, seq, equivocations, ...rest } = cards.get('a')!
      return [[...bytes], String(seq), equivocations.map((one) => [...one]), rest, cards.get('b') ?? null]
    },
    expected: [
      [97],
      '1152921504606846976',
      [[120]],
      {
        id: 'a',
        json: '{}',
        standing: 'none',
        signer: 'k',
        retrievedAt: 0,
        updatedAt: 7,
        expiresAt: 1000,
        revoked: false,
      },
      null,
    ],
  },
  'cards: counts cards, writes, deletions and the cards of a signer': {
    run(stores) {
      const cards = stores.cards()
      for (const id of ['a', 'b', 'a', 'c']) cards.put(cardWith(id, { signer: id === 'b' ? 'other' : 'key' }))
      cards.put(cardWith('c', { signer: 'other' }))
      for (const id of ['b', 'b', 'none']) cards.delete(id)
      return [cards.size, cards.revision, cards.removals, cards.signedBy('key'), cards.signedBy('other')]
    },
    expected: [2, 5, 1, 1, 1],
  },
  'cards: lists by id, and since a revision in the order of writes': {
    run(stores) {
      const cards = stores.cards()
      for (const id of ['b', 'a', 'c', 'b']) cards.put(cardWith(id))
      const lists = [cards.list(undefined, 2), cards.list('a', 9), cards.list('c', 9)]
      return [...lists, cards.since(0), cards.since(2), cards.since(4), cards.getAll(['c', 'x'])].map(idsOf)
    },
    expected: [['a', 'b'], ['b', 'c'], [], ['a', 'c', 'b'], ['c', 'b'], [], ['c']],
  },
  'cards: returns what was put or deleted since several cards were read together': {
    run(stores) {
      const cards = stores.cards()
      for (const id of ['a', 'b', 'c']) cards.put(cardWith(id))
      const read = () => {
        const found = cards.getAll(['a', 'b', 'c']).map(({ id, expiresAt }) => `${id} ${expiresAt}`)
        return found.sort()
      }
      const before = [read(), read()]
      cards.put(cardWith('a', { expiresAt: 2000 }))
      cards.delete('b')
      return [...before, read(), read()]
    },
    expected: [
      ['a 1000', 'b 1000', 'c 1000'],
      ['a 1000', 'b 1000', 'c 1000'],
      ['a 2000', 'c 1000'],
      ['a 2000', 'c 1000'],
    ],
  },
  'cards: finds those that expire in a period, except revocations': {
    run(stores) {
      const cards = stores.cards()
      for (const [id, expiresAt] of [
        ['a', 30],
        ['b', 10],
        ['c', 20],
      ] as const)
        cards.put(cardWith(id, { expiresAt }))
      cards.put(cardWith('d', { expiresAt: 15, revoked: true }))
      return [
        idsOf(cards.expiring(10, 30)),
        idsOf(cards.expiring(0, 20)),
        cards.nextExpiry(20),
        cards.nextExpiry(30) ?? null,
      ]
    },
    expected: [['c', 'a'], ['b', 'c'], 30, null],
  },
  'outbox: returns the oldest messages, as many as the window has room for in addition to those in transit': {
    run(stores) {
      const { outbox, ready } = outboxWith(stores, 'cab')
      const before = ready(2)
      outbox.mark(TO, 'c', { sent: 6, tried: 6, expires: null })
      return [before, ready(2), ready(1), outbox.ready(TO, 2)[0]?.content]
    },
    expected: [['c', 'a'], ['a'], [], 'content a'],
  },
  'outbox: returns messages again that were tried by a certain time, with the time at which they were first sent': {
    run(stores) {
      const { outbox, ready } = outboxWith(stores, 'ab')
      for (const [id, tried] of [
        ['a', 6],
        ['b', 8],
      ] as const)
        outbox.mark(TO, id, { sent: 6, tried, expires: null })
      outbox.release(TO, 7)
      return [ready(), outbox.ready(TO, 64)[0]?.sent]
    },
    expected: [['a'], 6],
  },
  'outbox: finds expired messages, with why the last try failed; a mark changes and restores their time': {
    run(stores) {
      const { outbox } = outboxWith(stores, 'a')
      outbox.mark(TO, 'a', { sent: 6, tried: null, expires: 50 })
      const early = [outbox.expired(49).length, outbox.expired(50).length]
      outbox.mark(TO, 'a', { sent: null, tried: null, expires: null })
      outbox.failed(TO, 'not there')
      return [
        early,
        outbox.expired(99).length,
        outbox.expired(100).map(({ to, id, sent, reason }) => [to, id, sent, reason]),
      ]
    },
    expected: [[0, 1], 0, [[TO, 'a', null, 'not there']]],
  },
  'outbox: settles one message or all, and counts failed tries until one is delivered': {
    run(stores) {
      const { outbox, ready } = outboxWith(stores, 'abcd')
      const tries = [outbox.failed(TO, 'x'), outbox.failed(TO, 'x')]
      const settled = [outbox.settle(TO, 'a', failure), outbox.settle(TO, 'a'), outbox.settle(TO, 'none')]
      tries.push(outbox.failed(TO, 'x'))
      settled.push(outbox.settle(TO, 'b'))
      tries.push(outbox.failed(TO, 'x'))
      return [tries, settled, ready(), outbox.settle(TO, undefined, failure), outbox.settle(TO, undefined), ready()]
    },
    expected: [[1, 2, 3, 1], [true, false, false, true], ['c', 'd'], true, false, []],
  },
  'outbox: is due when a message is added, at the planned time, and at the latest when one expires': {
    run(stores) {
      const { outbox } = outboxWith(stores, 'a')
      const due = [outbox.nextDue]
      for (const time of [40, 200]) {
        outbox.plan(TO, time)
        due.push(outbox.nextDue)
      }
      outbox.failed(TO, 'x')
      outbox.plan(TO, 60)
      outbox.add({ id: 'b', to: TO, content: '', until: 100 }, 9)
      due.push(outbox.nextDue)
      outbox.settle(TO, undefined)
      return [...due, outbox.nextDue ?? null]
    },
    expected: [5, 40, 100, 60, null],
  },
  'memory: knows an id of an agent in any case, with its first digest, until its time is over': {
    run(stores) {
      const memory = stores.memory()
      const [agent, later] = ['agent:a.example', new Date(NOW.getTime() + HOUR_MS)]
      const added = [memory.add(agent, 'ID-1', NOW, 'digest'), memory.add(agent, 'ID-2', NOW)]
      const known = [memory.has(agent, 'id-1'), memory.has('agent:b.example', 'id-1'), memory.has(agent, 'id-3')]
      const digests = [memory.digestOf(agent, 'iD-1'), memory.digestOf(agent, 'id-2') ?? null]
      memory.add(agent, 'ID-3', later)
      return [added, known, digests, memory.has(agent, 'id-1'), memory.has(agent, 'id-3')]
    },
    expected: [[true, true], [true, false, false], ['digest', null], false, true],
  },
  'memory: has room for 10,000 ids of an agent, and for another agent then': {
    run(stores) {
      const memory = stores.memory()
      let added = 0
      while (added < 10_001 && memory.add('agent:many.example', `${added}`, NOW)) added++
      return [added, memory.add('agent:few.example', '0', NOW)]
    },
    expected: [10_000, true],
  },
  'memory: returns the record of an agent as it was kept last': {
    run(stores) {
      const memory = stores.memory()
      const records: AgentRecord[] = [memory.record('agent:r.example')]
      for (const record of [{ next: 3 }, { next: 4, bucket: { left: 1.5, at: 9 } }]) {
        memory.keep('agent:r.example', record)
        records.push(memory.record('agent:r.example'))
      }
      return records
    },
    expected: [{}, { next: 3 }, { next: 4, bucket: { left: 1.5, at: 9 } }],
  },
  'values: keeps copies by name': {
    run(stores) {
      const values = stores.values()
      const value = { list: [1] }
      values.put('a', value)
      value.list.push(2)
      const before = values.get<object>('a')
      return [before, values.get('b') ?? null, values.delete('a'), values.delete('a'), values.get('a') ?? null]
    },
    expected: [{ list: [1] }, null, true, false, null],
  },
  'blobs: stores bytes and streams, reads ranges, lists by prefix, refuses another digest, and deletes': {
    async run(stores) {
      const blobs = stores.blobs()
      const [text, other] = [encoder.encode('hello'), '0'.repeat(64)]
      await blobs.put('x/b', text)
      await blobs.put('x/a', new Response(text).body!)
      await blobs.put('y', text)
      const refused = await blobs.put('x/c', text, { sha256: other }).then(
        () => false,
        () => true,
      )
      const range = await blobs.get('x/a', { range: { offset: 1, length: 3 } })
      const listed = await blobs.list({ prefix: 'x/' })
      await blobs.delete(['x/a', 'x/none'])
      return [
        refused,
        new TextDecoder().decode(await range?.bytes()),
        listed.objects.map(({ key, size }) => [key, size]),
        [await blobs.get('x/a'), await blobs.get('x/c')],
      ]
    },
    expected: [
      true,
      'ell',
      [
        ['x/a', 5],
        ['x/b', 5],
      ],
      [null, null],
    ],
  },
}
