import { describe, expect, it, test } from 'vitest'
import { type AdvertiseResult, createDirectory, createMemoryStore, readQuery } from '../../bindings/directory/index.ts'
import { EXAMPLE, KEY, KEY_ID, OTHER_KEY, signedCard } from '../card/support.ts'
import { clock, openDirectory, put } from './cards.ts'

const closed = (options = {}) => createDirectory({ store: createMemoryStore(), ...options })
const own = (members: object = {}) => signedCard({ id: KEY_ID, ...members })
const told = ({ status, stored, reason, diagnostics }: AdvertiseResult) => [
  status,
  stored,
  reason,
  ...diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
]
const UNSIGNED = JSON.stringify(EXAMPLE)

describe('proof that a card comes from its agent [card/7.1-1] [card/4.2-4]', () => {
  it('accepts a signature by the key in the id', async () => {
    const directory = closed()
    const advertised = await directory.advertise(await own())
    expect(advertised).toMatchObject({ status: 'OK', stored: true, reason: 'first', standing: 'signature' })
    expect(directory.discover({ tags: ['nlp'] }).results[0]).toMatchObject({ standing: 'signature', verified: true })
  })

  it('accepts a signature by a key that is pinned for the id', async () => {
    const directory = closed({ keys: (id: string) => (id === EXAMPLE.id ? [KEY] : undefined) })
    expect((await directory.advertise(await signedCard())).standing).toBe('pinned')
    const other = await directory.advertise(await signedCard({}, OTHER_KEY))
    expect(other.status).toBe('UNAUTHORIZED')
  })

  it('accepts a name that the Agent Name System resolves', async () => {
    const directory = closed({ ans: () => [KEY_ID.slice('agent://'.length)] })
    expect((await directory.advertise(await signedCard())).standing).toBe('signature')
  })

  test('refuses a card without any proof, and says what is missing', async () => {
    expect(told(await closed().advertise(UNSIGNED))).toEqual(['UNAUTHORIZED', false, undefined, 'CARD-193', 'CARD-151'])
  })

  it('treats a signature without a known key as missing', async () => {
    expect((await closed().advertise(await signedCard())).status).toBe('UNAUTHORIZED')
  })

  it('accepts a card from the operator, and marks it as unverified from then on', async () => {
    const directory = closed()
    expect((await directory.advertise(UNSIGNED, { operator: true })).standing).toBe('token')
    expect(directory.discover({ tags: ['nlp'] }).results[0]).toMatchObject({ standing: 'token', verified: false })
    expect(directory.describe(EXAMPLE.id)).toMatchObject({ standing: 'token' })
  })

  it('refuses an invalid signature even from a trusted sender', async () => {
    const changed = (await own()).replace('Chinese-English', 'English-Chinese')
    for (const directory of [closed({ trustSource: true }), openDirectory()]) {
      const sender = { operator: true, id: KEY_ID }
      expect(told(await directory.advertise(changed, sender)).slice(0, 2)).toEqual(['UNAUTHORIZED', false])
    }
  })

  it("accepts an authenticated sender's own card if that is allowed [card/4.2-1]", async () => {
    const sender = { id: EXAMPLE.id }
    expect((await closed().advertise(UNSIGNED, sender)).status).toBe('UNAUTHORIZED')
    const directory = closed({ trustSource: true })
    expect(await directory.advertise(UNSIGNED, sender)).toMatchObject({ stored: true, standing: 'source' })
    expect(told(await directory.advertise(await own(), sender))).toEqual(['UNAUTHORIZED', false, undefined, 'CARD-192'])
  })
})

describe('why a card is stored or not [card/4.2-2]', () => {
  test.each([
    ['a newer one', { seq: 6 }, [true, 'newer']],
    ['the same one', {}, [false, 'equal']],
    ['an older one', { seq: 4 }, [false, 'older']],
    ['another of the same seq', { version: '9.0.0' }, [false, 'equivocation']],
    ['one without seq', { seq: undefined }, [false, 'seq-missing']],
  ])('%s', async (_, members, expected) => {
    const directory = closed()
    await directory.advertise(await own({ seq: 5 }))
    const { stored, reason } = await directory.advertise(await own({ seq: 5, ...members }))
    expect([stored, reason]).toEqual(expected)
  })

  it('keeps the first of two signed cards with one seq, and also shows the other [card/7.3-1]', async () => {
    const directory = closed()
    const [first, second] = [await own({ seq: 5 }), await own({ seq: 5, version: '9.0.0' })]
    for (const card of [first, second, second]) await directory.advertise(card)
    const { agent_card: card, equivocations } = directory.describe(KEY_ID)
    expect(card?.version).toBe('1.2.0')
    expect(equivocations?.map((bytes) => new TextDecoder().decode(bytes))).toEqual([second])
    expect(directory.discover({ tags: ['nlp'] }).results[0]?.equivocations).toBe(1)
    await directory.advertise(await own({ seq: 6 }))
    expect(directory.describe(KEY_ID).equivocations).toEqual([])
  })

  test.each([
    [{}, 4],
    [{ equivocations: 1 }, 1],
    [{ equivocations: 0 }, 0],
  ])('limits how many other cards with the same seq are kept: %o', async (limits, most) => {
    const directory = closed({ limits })
    const versions = ['1.0.0', '2.0.0', '3.0.0', '4.0.0', '5.0.0', '6.0.0']
    for (const version of versions) {
      const { reason } = await directory.advertise(await own({ seq: 5, version }))
      expect(reason).toBe(version === '1.0.0' ? 'first' : 'equivocation')
    }
    const { equivocations } = directory.describe(KEY_ID)
    const kept = equivocations?.map((bytes) => JSON.parse(new TextDecoder().decode(bytes)).version)
    expect(kept).toEqual(versions.slice(1, 1 + most))
    expect(directory.limits.equivocations).toBe(most)
  })

  it('compares seq values beyond 2^53 exactly', async () => {
    const directory = openDirectory()
    const card = (seq: string) => `{"id":"agent://a","name":"A","seq":${seq}}`
    await directory.advertise(card('18446744073709551614'))
    expect((await directory.advertise(card('18446744073709551615'))).reason).toBe('newer')
    expect((await directory.advertise(card('18446744073709551614'))).reason).toBe('older')
  })

  it('does not replace a signed card by an unsigned one without the option', async () => {
    const unsigned = JSON.stringify({ ...EXAMPLE, id: KEY_ID, seq: 9 })
    for (const [allowUnsigned, expected] of [
      [false, [false, 'unsigned-over-signed']],
      [true, [true, 'newer']],
    ] as const) {
      const directory = openDirectory({ allowUnsigned })
      await directory.advertise(await own({ seq: 5 }))
      const { stored, reason } = await directory.advertise(unsigned)
      expect([stored, reason]).toEqual(expected)
    }
  })

  it('refuses a card by policy or size without an error [card/4.2-5]', async () => {
    const policy = openDirectory({ policy: ({ name }) => name !== 'spam' })
    const small = openDirectory({ limits: { cardBytes: 100 } })
    const answers = [
      await put(policy, { id: 'agent://a', name: 'spam' }),
      await put(small, { id: 'agent://a', description: 'x'.repeat(100) }),
    ]
    expect(answers.map(({ status, stored, reason }) => [status, stored, reason])).toEqual(
      Array.from(answers, () => ['OK', false, 'policy']),
    )
  })

  it('answers FULL when there is no room for another card, and still accepts changes of stored cards', async () => {
    const full = openDirectory({ limits: { cards: 1 } })
    await put(full, { id: 'agent://first' })
    expect(told(await put(full, { id: 'agent://second' }))).toEqual(['FULL', false, undefined, 'CARD-199'])
    expect((await put(full, { id: 'agent://first', description: 'a change' })).stored).toBe(true)
  })
})

describe('an invalid card [card/4.2-3]', () => {
  test.each([
    ['invalid JSON', '{'],
    ['not an object', '[]'],
    ['no id', '{"name": "A"}'],
    ['an id of another scheme', '{"id": "https://a.example", "name": "A"}'],
    ['more than a message', JSON.stringify({ id: 'agent://a', name: 'A', description: 'x'.repeat(66_000) })],
    ['more than anybody reads', JSON.stringify({ id: 'agent://a', name: 'A', description: 'x'.repeat(1 << 20) })],
    ['nested too deeply', `{"id":"agent://a","name":"A","x":${'['.repeat(40)}${']'.repeat(40)}}`],
  ])('gets INVALID_REQUEST with diagnostics, whoever sends it: %s', async (_, card) => {
    const directory = openDirectory()
    const { status, stored, diagnostics } = await directory.advertise(card, { operator: true })
    expect([status, stored, diagnostics.some(({ severity }) => severity === 'error')]).toEqual([
      'INVALID_REQUEST',
      false,
      true,
    ])
    expect(directory.size).toBe(0)
  })
})

describe('a revocation [card/6.4-10]', () => {
  it('removes an agent from results, and is returned by describe', async () => {
    const directory = closed()
    await directory.advertise(await own({ seq: 5 }))
    const gone = await own({ seq: 6, tools: [], endpoints: [] })
    expect((await directory.advertise(gone)).stored).toBe(true)
    expect([directory.size, directory.discover({ tags: ['nlp'] }).results]).toEqual([0, []])
    expect(directory.describe(KEY_ID)).toMatchObject({ status: 'OK', revoked: true, agent_card: { tools: [] } })
    expect((await directory.advertise(await own({ seq: 6 }))).stored).toBe(false)
    expect((await directory.advertise(await own({ seq: 7 }))).stored).toBe(true)
    expect(directory.size).toBe(1)
  })

  it('does not expire, so later callers also learn of it', async () => {
    const { now, on } = clock()
    const directory = closed({ clock: now })
    await directory.advertise(await own({ seq: 5, tools: [], endpoints: [] }))
    on(1_000_000)
    expect(directory.describe(KEY_ID)).toMatchObject({ status: 'OK', revoked: true })
    expect(await directory.advertise(await own({ seq: 5, tools: [], endpoints: [] }))).toMatchObject({
      reason: 'equal',
    })
    expect((await directory.advertise(await own({ seq: 5 }))).stored).toBe(false)
  })

  it('is different from a minimal card', async () => {
    const directory = openDirectory()
    await put(directory, { id: 'agent://a', skills: ['nlp'] })
    expect(directory.discover({ tags: ['nlp'] }).results).toHaveLength(1)
  })
})

describe('freshness [card/6.3-10]', () => {
  it('does not serve an expired card until it is advertised again', async () => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now })
    const card = { id: 'agent://a', skills: ['nlp'], metadata: { ttl: 60 } }
    await put(directory, card)
    on(59.999)
    expect(directory.size).toBe(1)
    on(0.001)
    expect([directory.size, directory.describe('agent://a').status]).toEqual([0, 'NOT_FOUND'])
    expect(directory.discover({ tags: ['nlp'] }).results).toEqual([])
    expect(await put(directory, card)).toMatchObject({ stored: true, reason: 'renewed' })
    expect(directory.size).toBe(1)
  })

  it('expires a card normally that arrived after the clock was set back', async () => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now })
    await put(directory, { id: 'agent://a', metadata: { ttl: 60 } })
    on(90)
    expect(directory.size).toBe(0)
    on(-60)
    await put(directory, { id: 'agent://b', description: 'gold', metadata: { ttl: 20 } })
    on(40)
    expect([directory.size, directory.statistics(readQuery({ query: 'gold' }).query!).documents]).toEqual([0, 0])
  })

  it('keeps a card for another ttl that is advertised again before it expires', async () => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now })
    const card = { id: 'agent://a', metadata: { ttl: 60 } }
    await put(directory, card)
    on(40)
    expect(await put(directory, card)).toMatchObject({ stored: false, reason: 'equal' })
    on(40)
    expect(directory.size).toBe(1)
  })

  it('does not bring an older card back when the newer one has expired', async () => {
    const { now, on } = clock()
    const directory = closed({ clock: now })
    await directory.advertise(await own({ seq: 6, metadata: { ttl: 60 } }))
    on(61)
    expect((await directory.advertise(await own({ seq: 5 }))).reason).toBe('older')
  })

  it('uses the default for a card without a ttl', async () => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now, defaultTtl: 10 })
    await put(directory, { id: 'agent://a' })
    on(10)
    expect(directory.size).toBe(0)
  })
})

describe('many cards of one sender', () => {
  it('get BUSY beyond the limit per minute, which does not affect other senders or the operator', async () => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now, limits: { advertisesPerMinute: 2 } })
    const send = async (n: number, sender: object) =>
      (await directory.advertise(`{"id":"agent://a${n}","name":"A"}`, sender)).status
    const one = { address: '192.0.2.1' }
    expect([await send(1, one), await send(2, one), await send(3, one)]).toEqual(['OK', 'OK', 'BUSY'])
    expect([await send(4, { address: '192.0.2.2' }), await send(5, { ...one, operator: true })]).toEqual(['OK', 'OK'])
    on(60)
    expect(await send(6, one)).toBe('OK')
  })
})

it('decides about concurrent cards of one agent one after the other', async () => {
  const directory = closed()
  const cards = await Promise.all(Array.from({ length: 20 }, (_, seq) => own({ seq: seq + 1 })))
  await Promise.all(cards.toReversed().map((card) => directory.advertise(card)))
  expect(directory.describe(KEY_ID).agent_card?.seq).toBe(20)
})

it('leaves nothing in the index when the store fails', async () => {
  const store = createMemoryStore()
  const directory = openDirectory({ store })
  await put(directory, { id: 'agent://a', skills: ['nlp'] })
  const { put: write } = store
  store.put = () => {
    throw new Error('disk full')
  }
  await expect(put(directory, { id: 'agent://a', skills: ['vision'] })).rejects.toThrow('disk full')
  await expect(put(directory, { id: 'agent://b', skills: ['vision'] })).rejects.toThrow('disk full')
  store.put = write
  expect(directory.discover({ tags: ['vision'] }).results).toEqual([])
  expect(directory.discover({ tags: ['nlp'] }).results).toHaveLength(1)
})
