// Lookups of agents that callers name: nobody can block the lookup of another's agent, and a key is valid only while it
// is published.
import { describe, expect, test } from 'vitest'
import { linkMemory, type Peer, rememberPeers, signRequest, verifyRequest } from '../../bindings/agp/index.ts'
import type { AskedAgent, FoundPeer } from '../../bindings/agp/peer.ts'
import { pairOf } from './oracle.ts'
import { finder, type Published } from './sockets.ts'

const ALICE = pairOf('agent:alice.example.com')
const SENDER = '192.0.2.1'

interface Finding {
  readonly asked: string[]
  readonly published: Published[]
  readonly ended: string[]
  now: number
  /** How long a discovered agent is fresh, in milliseconds. */
  freshMs: number
  find(uri: string, hints?: Parameters<ReturnType<typeof rememberPeers>>[1]): Promise<string>
}

/** Domains below `slow.example` never answer. */
function finding(published: Published[] = [{ pair: ALICE }]): Finding {
  const one: Finding = { asked: [], ended: [], published, now: 1e12, freshMs: 300_000, find: async () => '' }
  const found = finder(published, one.asked)
  const discover = async (domain: string, { signal }: AskedAgent): Promise<FoundPeer> => {
    const { freshMs } = one
    if (domain.endsWith('.slow.example')) {
      await new Promise((_, fail) =>
        signal.addEventListener('abort', () => {
          one.ended.push(domain)
          fail(signal.reason)
        }),
      )
    }
    return { ...(await found(domain)), freshMs }
  }
  const findPeer = rememberPeers(discover, { clock: () => new Date(one.now) })
  one.find = async (uri, hints) => {
    const peer = await findPeer(uri, hints)
    return 'uri' in peer ? peer.fingerprint : peer.kind.code
  }
  return one
}
const senders = (count: number) => Array.from({ length: count }, (_, i) => `198.51.100.${i}`)

describe('nobody can block others', () => {
  test.each(['example.com', 'co.uk', 'workers.dev', 'github.io'])(
    'a thousand unknown names below %s from one address do not block the lookup of an agent there',
    async (suffix) => {
      const own = pairOf(`agent:own.${suffix}`)
      const { find } = finding([{ pair: own }])
      for (let i = 0; i < 1000; i++) expect(await find(`agent:a${i}.${suffix}`, { sender: SENDER })).toBe('AGP-133')
      expect(await find(own.uri, { sender: '203.0.113.7' })).toBe(own.fingerprint)
    },
  )

  test('the address that sent them can still name its own agent', async () => {
    const { find } = finding()
    for (let i = 0; i < 2500; i++) await find(`agent:a${i}.example.net`, { sender: SENDER })
    expect(await find(ALICE.uri, { sender: SENDER })).toBe(ALICE.fingerprint)
  })

  test('failures never replace a found agent, which is returned at once', async () => {
    const { find, asked } = finding()
    expect(await find(ALICE.uri)).toBe(ALICE.fingerprint)
    for (let i = 0; i < 2500; i++) await find(`agent:a${i}.example.com`, { sender: SENDER })
    for (const sender of senders(16)) void find(`agent:${sender.replaceAll('.', '-')}.slow.example`, { sender })
    expect(await find(ALICE.uri, { sender: SENDER })).toBe(ALICE.fingerprint)
    expect(asked.filter((domain) => domain === 'alice.example.com').length).toBe(1)
  })

  test('a failure is looked up again only after half a minute, for any caller', async () => {
    const one = finding([])
    for (const sender of [SENDER, '203.0.113.7', SENDER]) expect(await one.find(ALICE.uri, { sender })).toBe('AGP-133')
    expect(one.asked.length).toBe(1)
    one.published.push({ pair: ALICE })
    one.now += 30_001
    expect(await one.find(ALICE.uri, { sender: SENDER })).toBe(ALICE.fingerprint)
  })

  test('lookups that never end make room when another caller needs it, for one address and for many', async () => {
    const one = finding()
    const slow = senders(100).map((sender, i) => one.find(`agent:a${i}.slow.example`, { sender }))
    // At most 64 run at once, and young ones keep their places.
    expect(new Set(await Promise.all(slow.slice(64)))).toEqual(new Set(['AGP-135']))
    expect(await one.find(ALICE.uri, { sender: SENDER })).toBe('AGP-135')
    one.now += 3000
    expect(await one.find(ALICE.uri, { sender: SENDER })).toBe(ALICE.fingerprint)
    expect(one.ended).toEqual(['a0.slow.example'])
    const many = finding()
    for (let i = 0; i < 100; i++) void many.find(`agent:a${i}.slow.example`, { sender: SENDER })
    expect(many.ended.length).toBe(92)
    expect(await many.find(ALICE.uri, { sender: '203.0.113.7' })).toBe(ALICE.fingerprint)
    expect(await many.find(ALICE.uri, { sender: SENDER })).toBe(ALICE.fingerprint)
  })

  test('the address with the most lookups makes room first', async () => {
    const one = finding()
    const quiet = senders(61).map((sender, i) => one.find(`agent:q${i}.slow.example`, { sender }))
    for (let i = 0; i < 3; i++) void one.find(`agent:a${i}.slow.example`, { sender: SENDER })
    void one.find('agent:new.slow.example', { sender: '203.0.113.7' })
    expect(one.ended).toEqual(['a0.slow.example'])
    expect(quiet.length).toBe(61)
  })

  test('strangers with 16 addresses, who ask all the time, end no lookup of another caller and take not all places', async () => {
    const one = finding()
    const flood = (round: number) => {
      for (const [i, sender] of senders(16).entries())
        for (let j = 0; j < 10; j++) void one.find(`agent:a${round}-${i}-${j}.slow.example`, { sender })
    }
    flood(0)
    const honest = one.find('agent:honest.slow.example', { sender: SENDER })
    for (let round = 1; round < 5; round++) {
      flood(round)
      expect(await one.find(`agent:none${round}.example.com`, { sender: `203.0.113.${round}` })).toBe('AGP-133')
    }
    expect(one.ended).not.toContain('honest.slow.example')
    expect(await Promise.race([honest, new Promise((done) => setImmediate(done, 'waits'))])).toBe('waits')
  })

  test("a caller that waits for another's lookup gets its own when that one ends", async () => {
    const one = finding()
    const victim = one.find('agent:a.slow.example', { sender: SENDER })
    const joined = one.find('agent:a.slow.example', { sender: '203.0.113.7' })
    for (let i = 0; i < 8; i++) void one.find(`agent:b${i}.slow.example`, { sender: SENDER })
    expect(await victim).toBe('AGP-135')
    expect(await Promise.race([joined, new Promise((done) => setImmediate(done, 'waits'))])).toBe('waits')
  })

  test('lookups for this side are not ended by those for callers', async () => {
    const one = finding()
    for (let i = 0; i < 16; i++) void one.find(`agent:own${i}.slow.example`)
    for (const sender of senders(40)) void one.find(`agent:${sender.replaceAll('.', '-')}.slow.example`, { sender })
    expect(one.ended.filter((domain) => domain.startsWith('own'))).toEqual([])
    expect(await one.find(ALICE.uri, { sender: SENDER })).toBe(ALICE.fingerprint)
    expect(await one.find('agent:one-more.example.com')).toBe('AGP-135')
  })
})

describe('a key is valid only while it is published', () => {
  const OTHER = { ...pairOf('agent:other.example.com'), uri: ALICE.uri }
  const shows = (fingerprint: string) => ({ sender: SENDER, hasKey: (peer: Peer) => peer.fingerprint === fingerprint })

  test('a new key is looked up at once, and the old one is refused from then on', async () => {
    const one = finding()
    expect(await one.find(ALICE.uri, shows(ALICE.fingerprint))).toBe(ALICE.fingerprint)
    one.published[0] = { pair: OTHER }
    expect(await one.find(ALICE.uri, shows(OTHER.fingerprint))).toBe(OTHER.fingerprint)
    expect(await one.find(ALICE.uri, shows(ALICE.fingerprint))).toBe(OTHER.fingerprint)
    expect(one.asked.length).toBe(2)
  })

  test('a request by the new key is accepted at once, one by the old key is not', async () => {
    const published: Published[] = [{ pair: ALICE }]
    const findPeer = rememberPeers(finder(published))
    const [memory, url, body] = [linkMemory(), 'https://bob.example.com/agent/tasks', new Uint8Array()]
    const taken = async ({ pem }: typeof ALICE) => {
      const headers = new Headers({ ...(await signRequest({ method: 'POST', url }, { key: pem, as: ALICE.uri })) })
      const verified = await verifyRequest({ method: 'POST', url, headers }, { body, findPeer, memory })
      return verified.ok || verified.diagnostic.code
    }
    expect(await taken(ALICE)).toBe(true)
    published[0] = { pair: OTHER }
    expect(await taken(OTHER)).toBe(true)
    expect(await taken(ALICE)).toBe('AGP-156')
  })

  test("the agent's own signature counts if a request has several", async () => {
    const findPeer = rememberPeers(finder([{ pair: ALICE }]))
    const [memory, url, body] = [linkMemory(), 'https://bob.example.com/agent/tasks', new Uint8Array()]
    const own = await signRequest({ method: 'POST', url }, { key: ALICE.pem, as: ALICE.uri })
    const now = Math.floor(Date.now() / 1000)
    const other = `other=("@method");created=${now};expires=${now + 60};keyid="proxy"`
    const taken = async (count: number) => {
      const labels = Array.from({ length: count }, (_, i) => `o${i}`)
      const headers = new Headers({
        ...own,
        'signature-input': [...labels.map((label) => other.replace('other', label)), own['signature-input']].join(', '),
        signature: [...labels.map((label) => `${label}=:AAAA:`), own.signature].join(', '),
      })
      const verified = await verifyRequest({ method: 'POST', url, headers }, { body, findPeer, memory })
      return verified.ok || verified.diagnostic.code
    }
    expect(await taken(4)).toBe('AGP-150')
    expect(await taken(3)).toBe(true)
  })

  test('unknown keys from strangers cause one lookup of an agent per half minute', async () => {
    const one = finding()
    await one.find(ALICE.uri)
    for (let i = 0; i < 100; i++)
      expect(await one.find(ALICE.uri, shows(pairOf(`agent:a${i}.example`).fingerprint))).toBe(ALICE.fingerprint)
    expect(one.asked.length).toBe(2)
    one.now += 30_000
    for (let i = 0; i < 100; i++) await one.find(ALICE.uri, shows('unknown'))
    expect(one.asked.length).toBe(3)
  })

  test('a failed lookup that a stranger caused does not remove the known agent', async () => {
    const one = finding()
    await one.find(ALICE.uri)
    one.published.length = 0
    expect(await one.find(ALICE.uri, shows('unknown'))).toBe(ALICE.fingerprint)
    expect(await one.find(ALICE.uri, shows(ALICE.fingerprint))).toBe(ALICE.fingerprint)
  })

  test.each([
    [20_000, 20_000],
    [3_600_000, 300_000],
    [0, 1000],
  ])('with a freshness of %d ms an agent is cached for %d ms', async (freshMs, lasts) => {
    const one = finding()
    one.freshMs = freshMs
    await one.find(ALICE.uri)
    one.now += lasts - 1
    await one.find(ALICE.uri)
    expect(one.asked.length).toBe(1)
    one.now += 1
    await one.find(ALICE.uri)
    expect(one.asked.length).toBe(2)
  })
})
