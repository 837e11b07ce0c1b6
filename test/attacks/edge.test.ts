// The directory over HTTP: flooding it, outranking others with copies, and renewals.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readExpression } from '../../edge/directory/listing.ts'
import { Renewal } from '../../edge/directory/renewal.ts'
import { ownerOf, senderOf } from '../../edge/http/relay.ts'
import { storeOf } from '../directory/stored.ts'
import { type Agent, cardOf, createAgent } from '../edge/directory/agents.ts'
import { operator } from '../edge/tokens.ts'
import { processorTime } from '../support/effort.ts'
import { freePort } from '../support/port.ts'
import type { Runtime } from '../support/runtime.ts'
import { workersOf } from '../support/workers.ts'

const workers = workersOf()
/** The path of the program of workerd, as its package gives it. */
const workerd = createRequire(import.meta.resolve('miniflare'))('workerd').default as string

/** A Worker in workerd alone, without what miniflare puts before it. */
const configOf = (port: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "w.js", esModule = embed "w.js")], compatibilityDate = "2026-04-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);`

/** A separate directory with its own settings. */
const directoryWith = (settings: Record<string, string>) => workers.start({ settings })

async function post({ origin }: Runtime, path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = { 'content-type': 'application/json' }
  const response = await fetch(origin + path, { method: 'POST', body: text, headers: { ...type, ...headers } })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Record<string, never> }
}

describe('an attacker that floods the directory', () => {
  test('hits the byte limit of a shard: 507, and existing cards still work', async () => {
    // The tables alone take about ten pages.
    const runtime = await directoryWith({ SHARD_BYTES: '150000' })
    const agents: Agent[] = []
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const agent = await createAgent()
      const { status } = await post(
        runtime,
        '/adp/advertise',
        await cardOf(agent, 1, { description: 'x'.repeat(20_000) }),
      )
      if (status === 200) agents.push(agent)
      statuses.push(status)
    }
    expect(statuses[0]).toBe(200)
    expect(statuses.at(-1)).toBe(507)
    expect(new Set(statuses)).toEqual(new Set([200, 507]))
    const small = await cardOf(agents[0]!, 2)
    expect(await post(runtime, '/adp/advertise', small)).toMatchObject({ status: 200, body: { stored: true } })
  })

  test('hits the daily limit of an address; renewing existing cards does not count', async () => {
    const runtime = await directoryWith({ SENDER_CARDS: '3', SENDER_BYTES: '100000' })
    const agents = await Promise.all(Array.from({ length: 4 }, createAgent))
    for (const agent of agents.slice(0, 3)) {
      expect((await post(runtime, '/adp/advertise', await cardOf(agent, 1))).status).toBe(200)
    }
    for (let seq = 2; seq < 8; seq++) {
      // The fourth is refused before its card is read, so its reserved room must be given back for the others.
      expect((await post(runtime, '/adp/advertise', await cardOf(agents[3]!, seq))).status).toBe(429)
    }
    const { headers, body } = await post(runtime, '/adp/advertise', await cardOf(agents[3]!, 1))
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(80_000)
    expect(body).toMatchObject({
      status: 'BUSY',
      diagnostics: [{ code: 'CARD-194', detail: expect.stringContaining('day') }],
    })
    // The operator is not limited.
    expect((await post(runtime, '/adp/advertise', await cardOf(agents[3]!, 1), operator(runtime.origin))).status).toBe(
      200,
    )
  })

  test('does not use up the daily limit with requests that bring nothing new', async () => {
    const runtime = await directoryWith({ SENDER_CARDS: '2' })
    const agent = await createAgent()
    const card = await cardOf(agent, 1)
    for (let i = 0; i < 10; i++) expect((await post(runtime, '/adp/advertise', card)).status).toBe(200)
    for (let seq = 2; seq < 6; seq++) {
      expect((await post(runtime, '/adp/advertise', await cardOf(agent, seq))).status).toBe(200)
    }
    for (const broken of ['{', '[]', '{"id":"agent://a","name":"A"}']) {
      expect((await post(runtime, '/adp/advertise', broken)).status).toBeGreaterThanOrEqual(400)
    }
    expect((await post(runtime, '/adp/advertise', await cardOf(await createAgent(), 1))).status).toBe(200)
  })

  test('is limited in bytes by a limit in bytes', async () => {
    const runtime = await directoryWith({ SENDER_BYTES: '50000' })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) {
      const card = await cardOf(await createAgent(), 1, { description: 'x'.repeat(20_000) })
      statuses.push((await post(runtime, '/adp/advertise', card)).status)
    }
    expect(statuses).toEqual([200, 200, 429, 429])
  })

  test('is limited per key with one key for many agents, and to a month with an endless ttl', async () => {
    const runtime = await directoryWith({ SIGNER_CARDS: '2', MAX_TTL: '60' })
    const { id, key } = await createAgent()
    const reasons: unknown[] = []
    for (const path of ['', '/a', '/b']) {
      const card = await cardOf({ id: id + path, key }, 1, { metadata: { ttl: 1e308 } })
      const { body } = await post(runtime, '/adp/advertise', card)
      reasons.push(body['reason'])
      if (path === '') {
        expect(body['diagnostics']).toContainEqual(expect.objectContaining({ code: 'CARD-176' }))
      }
    }
    expect(reasons).toEqual(['first', 'first', 'quota'])
    const exported = await fetch(`${runtime.origin}/v1/directory/export`, { headers: operator(runtime.origin) })
    const [line] = (await exported.text()).split('\n')
    const { retrievedAt, expiresAt } = JSON.parse(line!)
    expect(expiresAt - retrievedAt).toBe(60_000)
    // An import does not exceed the limit either, and reports that: the old directory may have had the card in another
    // shard.
    const card = Buffer.from(await cardOf({ id: `${id}/c`, key }, 1)).toString('base64url')
    const brought = [line, JSON.stringify({ id: `${id}/c`, card, standing: 'signature' })].join('\n')
    const headers = { ...operator(runtime.origin), 'content-type': 'application/x-ndjson' }
    const { body } = await post(runtime, '/v1/directory/import', brought, headers)
    const reason = 'the directory keeps at most 2 cards that one key signed'
    expect(body).toEqual({ lines: 2, stored: 0, unchanged: 1, refused: [{ line: 2, reason }] })
  })
})

test('a filter with very many spaces is refused quickly', () => {
  const before = processorTime()
  expect(() => readExpression(`x${' '.repeat(200_000)}x`)).toThrow(/^Expected FIELD = 'VALUE' as a clause/)
  expect(processorTime() - before).toBeLessThan(5000)
  expect(readExpression("  tags = 'nlp'  \t AND \n  standing = 'token,none' ")).toEqual([
    ['tags', ['nlp']],
    ['standing', ['token', 'none']],
  ])
})

describe('the sender that limits apply to', () => {
  const from = (address: string | undefined, cf: object | undefined = {}) => {
    const headers = new Headers(address === undefined ? {} : { 'cf-connecting-ip': address })
    return senderOf({ headers, cf } as unknown as Request)
  }

  test('is the address that Cloudflare saw, and elsewhere all clients together', () => {
    expect(from('192.0.2.7')).toBe('192.0.2.7')
    const elsewhere = { headers: new Headers({ 'cf-connecting-ip': '192.0.2.7' }) } as unknown as Request
    expect(senderOf(elsewhere)).toBe('unknown')
    expect(from(undefined)).toBe('unknown')
  })

  test('is the address of the socket where workerd runs alone, whatever the client claims', () => {
    expect(from('192.0.2.7', { clientIp: '203.0.113.9:51004' })).toBe('203.0.113.9')
    expect(from(undefined, { clientIp: '[2001:db8:1:2::5]:51004' })).toBe('2001:db8:1:2::/64')
  })

  test('workerd writes that address, and no header of the client changes it', async () => {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'workerd-'))
    const parts = { 'w.js': 'export default { fetch: ({ cf }) => Response.json(cf) }', 'c.capnp': configOf(port) }
    for (const [name, text] of Object.entries(parts)) writeFileSync(join(folder, name), text)
    const running = spawn(workerd, ['serve', join(folder, 'c.capnp')], { stdio: 'ignore' })
    try {
      const headers = { 'cf-connecting-ip': '192.0.2.7', 'mf-cf-blob': '{"clientIp":"192.0.2.8:1"}' }
      const read = () => fetch(`http://127.0.0.1:${port}/`, { headers }).then((response) => response.json())
      await expect
        .poll(() => read().catch(() => undefined))
        .toEqual({
          clientIp: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
        })
    } finally {
      running.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('is the network of one customer for IPv6, in any spelling', () => {
    const network = '2001:db8:1:2::/64'
    for (const text of [
      '2001:db8:1:2::',
      '2001:db8:1:2::1',
      '2001:0DB8:0001:0002:ffff:1:2:3',
      '2001:db8:1:2:3:4:5:6',
    ]) {
      expect(from(text), text).toBe(network)
    }
    expect(from('2001:db8::1')).toBe('2001:db8:0:0::/64')
    expect(from('::1')).toBe('0:0:0:0::/64')
    expect(from('2001:db8:1:3::1')).not.toBe(network)
    // A household has a /56.
    expect(ownerOf(from('2001:db8:1:a7::1'))).toBe('2001:db8:1:0::/56')
    expect(ownerOf(from('2001:db8:1:1207::1'))).toBe('2001:db8:1:1200::/56')
    expect(['192.0.2.7', 'unknown'].map(ownerOf)).toEqual(['192.0.2.7', 'unknown'])
  })
})

describe('thirty cards with the same text and different keys', () => {
  const query = { tags: ['nlp/translation'], query: 'legal contracts', limit: 5 }
  const text = { description: 'Translates legal contracts.', skills: ['nlp/translation'] }

  async function crowded(settings: Record<string, string>): Promise<Runtime> {
    const runtime = await directoryWith(settings)
    for (let i = 0; i < 30; i++) {
      await post(runtime, '/adp/advertise', await cardOf(await createAgent(), 1, { ...text, name: `Copy ${i}` }))
    }
    for (let i = 0; i < 4; i++) {
      const own = { ...text, description: `Legal contracts, number ${i}.` }
      await post(runtime, '/adp/advertise', await cardOf(await createAgent(), 1, own))
    }
    return runtime
  }

  test('are one result, on one shard and on three, unless the operator changes that', async () => {
    const runtime = await crowded({})
    const { body } = await post(runtime, '/adp/discover', query)
    const results = body['results'] as unknown as { same?: { count: number }; score: number }[]
    expect(results).toHaveLength(5)
    expect(results.map(({ same }) => same?.count ?? 0).sort()).toEqual([0, 0, 0, 0, 29])
    expect(body['grouped']).toEqual({ same: 29, left_out: 0 })
    await post(runtime, '/v1/directory/shards', { shards: 3 }, operator(runtime.origin))
    const state = async () =>
      (await (await fetch(`${runtime.origin}/v1/directory/state`, { headers: operator(runtime.origin) })).json()) as {
        growth: { moving: boolean }
      }
    while ((await state()).growth.moving) await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await post(runtime, '/adp/discover', query)).body).toEqual(body)

    const plain = await crowded({ GROUPING: 'off' })
    const ungrouped = (await post(plain, '/adp/discover', query)).body
    expect(ungrouped['grouped']).toBeUndefined()
    expect(
      (ungrouped['results'] as unknown as { agent_card: { name: string } }[]).every(({ agent_card }) =>
        /^Copy/.test(agent_card.name),
      ),
    ).toBe(true)
  })
})

describe('renewal', () => {
  const MINUTE = 60_000
  const expiring = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `agent://a${String(i).padStart(5, '0')}`,
      endpoints: [{ protocol: 'http+json', uri: `https://a${i}.example.com` }],
    }))

  test('reads only the cards that it asks for, however many expire, and gets to all of them', async () => {
    const store = storeOf([])
    for (const card of storeOf(expiring(2_000)).list(undefined, 5_000)) store.put({ ...card, expiresAt: 4 * MINUTE })
    let read = 0
    const counting = Object.assign(Object.create(store), {
      get: (id: string) => {
        read++
        return store.get(id)
      },
      expiring: (after: number, until: number) => store.expiring(after, until),
    })
    const asked: string[] = []
    const renewal = new Renewal(
      counting,
      async () => ({ status: 'OK', stored: true, diagnostics: [] }),
      async (address) => {
        asked.push(String(address))
        throw new Error('nobody there')
      },
    )
    for (let i = 0; i < 10; i++) await renewal.run(i * 1_000)
    expect(asked).toHaveLength(200)
    expect(new Set(asked).size).toBe(200)
    expect(read).toBe(200)
  })
})
