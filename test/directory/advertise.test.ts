import { describe, expect, it, test } from 'vitest'
import { type Advertised, createDirectory, createMemoryStore } from '../../bindings/directory/index.ts'
import { EXAMPLE, KEY, KEY_ID, OTHER_KEY, signedCard } from '../card/support.ts'
import { clock, openDirectory, put } from './cards.ts'

const closed = (options = {}) => createDirectory({ store: createMemoryStore(), ...options })
const own = (members: object = {}) => signedCard({ id: KEY_ID, ...members })
const told = ({ status, stored, reason, diagnostics }: Advertised) => [
  status,
  stored,
  reason,
  ...diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code),
]
const UNSIGNED = JSON.stringify(EXAMPLE)

describe('whose card it is [card/7.1-1] [card/4.2-4]', () => {
  it('a signature by the key that the id is', async () => {
    const directory = closed()
    const advertised = await directory.advertise(await own())
    expect(advertised).toMatchObject({ status: 'OK', stored: true, reason: 'first', standing: 'signature' })
    expect(directory.discover({ tags: ['nlp'] }).results[0]).toMatchObject({ standing: 'signature', verified: true })
  })

  it('a signature by a key that is pinned for the id', async () => {
    const directory = closed({ keys: (id: string) => (id === EXAMPLE.id ? [KEY] : undefined) })
    expect((await directory.advertise(await signedCard())).standing).toBe('pinned')
    const other = await directory.advertise(await signedCard({}, OTHER_KEY))
    expect(other.status).toBe('UNAUTHORIZED')
  })

  it('a name that the Agent Name System resolves', async () => {
    const directory = closed({ ans: () => [KEY_ID.slice('agent://'.length)] })
    expect((await directory.advertise(await signedCard())).standing).toBe('signature')
  })

  test('nothing: refused, with what is missing', async () => {
    expect(told(await closed().advertise(UNSIGNED))).toEqual(['UNAUTHORIZED', false, undefined, 'CARD-193', 'CARD-151'])
  })

  it('a signature without a key is as good as none', async () => {
    expect((await closed().advertise(await signedCard())).status).toBe('UNAUTHORIZED')
  })

  it('an operator vouches for a card, which is marked unverified ever after', async () => {
    const directory = closed()
    expect((await directory.advertise(UNSIGNED, { operator: true })).standing).toBe('token')
    expect(directory.discover({ tags: ['nlp'] }).results[0]).toMatchObject({ standing: 'token', verified: false })
    expect(directory.describe(EXAMPLE.id)).toMatchObject({ standing: 'token' })
  })

  it('a wrong signature is refused whoever vouches for the card', async () => {
    const changed = (await own()).replace('Chinese-English', 'English-Chinese')
    for (const directory of [closed({ trustSource: true }), openDirectory()]) {
      const sender = { operator: true, id: KEY_ID }
      expect(told(await directory.advertise(changed, sender)).slice(0, 2)).toEqual(['UNAUTHORIZED', false])
    }
  })

  it('an authenticated sender speaks for its own card, where that is trusted [card/4.2-1]', async () => {
    const sender = { id: EXAMPLE.id }
    expect((await closed().advertise(UNSIGNED, sender)).status).toBe('UNAUTHORIZED')
    const directory = closed({ trustSource: true })
    expect(await directory.advertise(UNSIGNED, sender)).toMatchObject({ stored: true, standing: 'source' })
    expect(told(await directory.advertise(await own(), sender))).toEqual(['UNAUTHORIZED', false, undefined, 'CARD-192'])
  })
})

describe('what is stored, and why it is not [card/4.2-2]', () => {
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

  it('two signed cards of one seq: the first stays, the other is kept and shown [card/7.3-1]', async () => {
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
  ])('so many others of one seq are kept: %o', async (limits, most) => {
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

  it('what a seq beyond 2^53 says counts to the last digit', async () => {
    const directory = openDirectory()
    const card = (seq: string) => `{"id":"agent://a","name":"A","seq":${seq}}`
    await directory.advertise(card('18446744073709551614'))
    expect((await directory.advertise(card('18446744073709551615'))).reason).toBe('newer')
    expect((await directory.advertise(card('18446744073709551614'))).reason).toBe('older')
  })

  it('an unsigned card does not take the place of a signed one without the option', async () => {
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

  it('a policy and a size of the deployment say no without an error [card/4.2-5]', async () => {
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

  it('where there is no room for another card it is FULL; those that are there may change', async () => {
    const full = openDirectory({ limits: { cards: 1 } })
    await put(full, { id: 'agent://first' })
    expect(told(await put(full, { id: 'agent://second' }))).toEqual(['FULL', false, undefined, 'CARD-199'])
    expect((await put(full, { id: 'agent://first', description: 'a change' })).stored).toBe(true)
  })
})

describe('a card that is none [card/4.2-3]', () => {
  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no id', '{"name": "A"}'],
    ['an id of another scheme', '{"id": "https://a.example", "name": "A"}'],
    ['more than a message', JSON.stringify({ id: 'agent://a', name: 'A', description: 'x'.repeat(66_000) })],
    ['more than anybody reads', JSON.stringify({ id: 'agent://a', name: 'A', description: 'x'.repeat(1 << 20) })],
    ['nested too deeply', `{"id":"agent://a","name":"A","x":${'['.repeat(40)}${']'.repeat(40)}}`],
  ])('%s is INVALID_REQUEST with diagnostics, whoever sends it', async (_, card) => {
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

describe('revocation [card/6.4-10]', () => {
  it('takes an agent out of results, and is what describe gives', async () => {
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

  it('does not expire: who asks later learns of it too', async () => {
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

  it('is not what a minimal card is', async () => {
    const directory = openDirectory()
    await put(directory, { id: 'agent://a', skills: ['nlp'] })
    expect(directory.discover({ tags: ['nlp'] }).results).toHaveLength(1)
  })
})

describe('freshness [card/6.3-10]', () => {
  it('a card that has expired is given to nobody, until it comes again', async () => {
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

  it('a card that came after the clock was set back expires like any other', async () => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now })
    await put(directory, { id: 'agent://a', metadata: { ttl: 60 } })
    on(90)
    expect(directory.size).toBe(0)
    on(-60)
    await put(directory, { id: 'agent://b', description: 'gold', metadata: { ttl: 20 } })
    on(40)
    expect([directory.size, directory.statistics({ query: 'gold' }).documents]).toEqual([0, 0])
  })

  it('a card that comes again before it expires stays for another ttl', async () => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now })
    const card = { id: 'agent://a', metadata: { ttl: 60 } }
    await put(directory, card)
    on(40)
    expect(await put(directory, card)).toMatchObject({ stored: false, reason: 'equal' })
    on(40)
    expect(directory.size).toBe(1)
  })

  it('an older card does not come back when the newer one has expired', async () => {
    const { now, on } = clock()
    const directory = closed({ clock: now })
    await directory.advertise(await own({ seq: 6, metadata: { ttl: 60 } }))
    on(61)
    expect((await directory.advertise(await own({ seq: 5 }))).reason).toBe('older')
  })

  it('without a ttl the default holds', async () => {
    const { now, on } = clock()
    const directory = openDirectory({ clock: now, defaultTtl: 10 })
    await put(directory, { id: 'agent://a' })
    on(10)
    expect(directory.size).toBe(0)
  })
})

describe('many cards of one sender', () => {
  it('are BUSY beyond the limit of a minute; others, and the operator, are not held by it', async () => {
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

it('cards of one agent that come at once are decided on one behind the other', async () => {
  const directory = closed()
  const cards = await Promise.all(Array.from({ length: 20 }, (_, seq) => own({ seq: seq + 1 })))
  await Promise.all(cards.toReversed().map((card) => directory.advertise(card)))
  expect(directory.describe(KEY_ID).agent_card?.seq).toBe(20)
})

it('a store that fails leaves nothing behind in the index', async () => {
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
