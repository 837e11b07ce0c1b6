// The answers of the directory while shards fail, restart, or move cards.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareSite, type Runtime, type Site, startRuntime } from '../../support/runtime.ts'
import { operator } from '../tokens.ts'
import { type Agent, cardOf, createAgent } from './agents.ts'
import { ordeal, post, settle } from './ordeal.ts'

const CARDS = 1200

interface Answer {
  readonly results: { readonly agent_card: { readonly id: string; readonly seq: number }; readonly score: number }[]
  readonly missing?: { readonly asked: number; readonly answered: number }
}
interface State {
  readonly cards: number
  readonly shards: { shard: number; cards: number; unsaved: number; openedFrom: string; startedAt: number }[]
}

let site: Site
let runtime: Runtime
/** Answers and records the requests of the Worker. */
let outside: Server
let asked: string[]
let answerOutside: (address: string, request: IncomingMessage) => { status: number; body: string; location?: string }

beforeAll(async () => {
  asked = []
  outside = createServer((request, response) => {
    const address = decodeURIComponent(request.url!.slice(2))
    asked.push(`${request.method} ${address}`)
    const { status, body, location } = answerOutside(address, request)
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  })
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
  site = await prepareSite('test/edge/directory/faulty-worker.ts')
  // Short for shards that hang on purpose, but long enough for a slow one.
  const settings = { SHARD_PATIENCE_MS: '10000' }
  runtime = await startRuntime(site, { outbound: (outside.address() as AddressInfo).port, settings })
})
afterAll(async () => {
  await runtime.kill()
  outside.close()
  site.remove()
})

const fail = (shard: number, fault: string) =>
  fetch(`${runtime.origin}/faults?shard=${shard}&fault=${fault}`, { method: 'POST' })
const state = async () =>
  (await (await fetch(`${runtime.origin}/v1/directory/state`, { headers: operator(runtime.origin) })).json()) as State
const discover = (body: object) => post<Answer>(runtime, '/adp/discover', JSON.stringify(body))

interface Page {
  readonly items: { readonly metadata: { readonly id: string } }[]
  readonly pageToken?: string
  readonly partial?: unknown
}

/** A page with the cards of all shards. Repeats the request if the page is partial, or if cards are moving. */
async function wholePage(after: string): Promise<Page> {
  for (;;) {
    const response = await fetch(`${runtime.origin}/agents?pageSize=100${after}`)
    const page = (await response.json()) as Page
    if (response.status === 503) continue
    expect([response.status, page]).toEqual([200, page])
    if (page.partial === undefined) return page
  }
}

/** The ids of all cards, from the pages of `GET /agents`. */
async function listAll(): Promise<string[]> {
  const ids: string[] = []
  for (let after = ''; ; ) {
    const page = await wholePage(after)
    ids.push(...page.items.map(({ metadata }) => metadata.id))
    if (page.pageToken === undefined) return ids
    after = `&pageToken=${encodeURIComponent(page.pageToken)}`
  }
}

const ids = Array.from({ length: CARDS }, (_, i) => `agent://crowd/${String(i).padStart(4, '0')}`)

async function importCrowd(): Promise<void> {
  const lines = ids.map((id, i) => {
    const words = `${['red', 'green', 'blue'][i % 3]} ${['paint', 'paper', 'cloth', 'stone', 'glass'][i % 5]}`
    const card = { id, name: `Agent ${i}`, description: `Sells ${words} of ${i % 40} kinds`, seq: 1 }
    return JSON.stringify({ id, card: Buffer.from(JSON.stringify(card)).toString('base64url'), standing: 'token' })
  })
  for (let from = 0; from < CARDS; from += 400) {
    const { body } = await post<{ stored: number }>(
      runtime,
      '/v1/directory/import',
      lines.slice(from, from + 400).join('\n'),
      { ...operator(runtime.origin), 'content-type': 'text/plain' },
    )
    expect(body.stored).toBe(400)
  }
}

const QUERIES = [{ query: 'red glass' }, { query: 'green paper stone', limit: 40 }, { query: 'kinds', min_score: 0 }]

describe('one shard', () => {
  beforeAll(importCrowd)

  test('that restarts loads the saved index and the cards that were stored after it', async () => {
    await fail(0, 'save')
    expect((await state()).shards[0]).toMatchObject({ cards: CARDS, unsaved: 0 })
    const late = { id: 'agent://crowd/late', name: 'Late', description: 'Sells velvet', seq: 1 }
    await post(runtime, '/adp/advertise', JSON.stringify(late), operator(runtime.origin))
    await fail(0, 'evict')
    const found = await discover({ query: 'velvet' })
    expect(found.body.results.map(({ agent_card }) => agent_card.id)).toEqual([late.id])
    expect((await state()).shards[0]).toMatchObject({ cards: CARDS + 1, openedFrom: 'snapshot' })
  })

  test('that is evicted during queries gives no wrong answer', async () => {
    const expected = (await discover(QUERIES[0]!)).body.results
    const queries = Array.from({ length: 60 }, async (_, i) => {
      if (i % 20 === 10) await fail(0, 'evict')
      return discover(QUERIES[0]!)
    })
    const answers = await Promise.all(queries)
    const whole = answers.filter(({ status }) => status === 200)
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true)
    expect(whole.length).toBeGreaterThan(0)
    for (const { body } of whole) expect(body.results).toEqual(expected)
  })
})

describe('more shards', () => {
  let before: Answer['results'][]

  test('are added while the directory answers: every list has every card once', async () => {
    before = []
    for (const query of QUERIES) before.push((await discover(query)).body.results)
    const complete = [...ids, 'agent://crowd/late'].sort()
    // The first two shards are not informed of the boundary after the first steps (there are several).
    await Promise.all([fail(0, 'deaf'), fail(1, 'deaf')])
    await post(runtime, '/v1/directory/shards', '{"shards":4}', {
      ...operator(runtime.origin),
      'content-type': 'application/json',
    })
    setTimeout(() => Promise.all([fail(0, 'none'), fail(1, 'none')]), 2500)
    let settled = false
    const growing = settle(runtime, 4).then(() => {
      settled = true
    })
    do expect(await listAll()).toEqual(complete)
    while (!settled)
    await growing
    expect(await listAll()).toEqual(complete)
    const { shards, cards } = await state()
    expect(cards).toBe(CARDS + 1)
    expect(shards.map((shard) => shard.cards).every((count) => count > CARDS / 8)).toBe(true)
  })

  test('[card/5-6] give the same ids and scores as one shard did', async () => {
    for (const [i, query] of QUERIES.entries()) expect((await discover(query)).body.results).toEqual(before[i])
  })

  test.each(['throw', 'hang'])(
    'with one that fails (%s): the others answer, and the answer reports it',
    async (fault) => {
      const whole = (await discover(QUERIES[1]!)).body
      await fail(1, fault)
      const part = await discover(QUERIES[1]!)
      await fail(1, 'none')
      expect(part.status).toBe(200)
      expect(part.body.missing).toEqual({ asked: 4, answered: 3 })
      expect(part.body.results.length).toBeGreaterThan(0)
      expect(whole.missing).toBeUndefined()
      expect((await discover(QUERIES[1]!)).body).toEqual(whole)
    },
  )

  test('with one that misses a change of rules: the change is not acknowledged, and is complete when sent again', async () => {
    const own = { ...operator(runtime.origin), 'content-type': 'application/json' }
    const block = () =>
      post<{ detail?: string }>(
        runtime,
        '/v1/directory/rules',
        JSON.stringify({ rules: ids.map((id) => ({ id })).slice(0, 40) }),
        own,
      )
    const gone = async () => {
      const answers = await Promise.all(
        ids.slice(0, 40).map((id) => post(runtime, '/adp/describe', JSON.stringify({ id }))),
      )
      return answers.filter(({ status }) => status === 410).length
    }
    await fail(2, 'unruly')
    const unheard = await block()
    expect([unheard.status, unheard.body.detail]).toEqual([503, expect.stringContaining('Send it again')])
    await expect.poll(gone).toBeGreaterThan(0)
    expect(await gone()).toBeLessThan(40)
    await fail(2, 'none')
    expect((await block()).status).toBe(200)
    expect(await gone()).toBe(40)
    const lifted = JSON.stringify({ rules: ids.slice(0, 40).map((id) => ({ id, verdict: 'none' })) })
    expect((await post(runtime, '/v1/directory/rules', lifted, own)).status).toBe(200)
  })

  test('with one that cannot be exported: the backup fails instead of lacking cards', async () => {
    await fail(1, 'unread')
    for (const query of ['', '?limit=500']) {
      const response = await fetch(`${runtime.origin}/v1/directory/export${query}`, {
        headers: operator(runtime.origin),
      })
      expect(response.status).toBe(503)
    }
    await fail(1, 'none')
  })

  test('answer 503 if none of them answers', async () => {
    await Promise.all([0, 1, 2, 3].map((shard) => fail(shard, 'throw')))
    const answer = await discover(QUERIES[0]!)
    await Promise.all([0, 1, 2, 3].map((shard) => fail(shard, 'none')))
    expect(answer.status).toBe(503)
  })
})

describe('cards that expire soon', () => {
  const renew = (own: Agent, uri: string) =>
    cardOf(own, 1, { metadata: { ttl: 299 }, endpoints: [{ protocol: 'http+json', uri }] })

  test('[card/6.3-10] are requested again, only at public addresses, without following redirects', async () => {
    const [reached, moved, inside] = [await createAgent(), await createAgent(), await createAgent()]
    const next = await cardOf(reached, 2)
    answerOutside = (address) =>
      address.includes('reached')
        ? { status: 200, body: next }
        : { status: 302, body: '', location: 'https://169.254.169.254/' }
    const cards = [
      await renew(reached, 'https://reached.example.com/agent'),
      await renew(moved, 'https://moved.example.com/'),
      await renew(inside, 'https://169.254.169.254/latest'),
      await renew(await createAgent(), 'http://plain.example.com/'),
    ]
    for (const card of cards) expect((await post(runtime, '/adp/advertise', card)).status).toBe(200)
    await expect
      .poll(
        async () =>
          (await post<{ seq: number }>(runtime, '/adp/describe', JSON.stringify({ id: reached.id }))).body.seq,
      )
      .toBe(2)
    await expect.poll(() => new Set(asked).size).toBe(2)
    expect([...new Set(asked)].sort()).toEqual([
      'POST https://moved.example.com/adp/describe',
      'POST https://reached.example.com/agent/adp/describe',
    ])
  })
})

describe('the unchanged Worker', () => {
  let plain: Site

  beforeAll(async () => {
    plain = await prepareSite('edge/worker.ts')
  })
  afterAll(() => plain.remove())

  // A short version of: npm run soak -- directory
  test('after two kills during writes, queries and moves, no acknowledged card is lost, duplicate or stale', async () => {
    const plan = {
      kills: 2,
      agents: 12,
      writers: 4,
      readers: 2,
      life: [5, 15],
      growEvery: 1,
      random: Math.random,
    } as const
    const { flaws, acknowledged } = await ordeal(plain, plan)
    expect(flaws).toEqual([])
    expect(acknowledged).toBeGreaterThan(10)
  })

  test('a sender over its limit gets BUSY', async () => {
    const strict = await startRuntime({ ...plain, persist: `${plain.persist}-of-senders` }, { advertises: 3 })
    try {
      const sendFive = async () => {
        const agent = await createAgent()
        const statuses = []
        for (let seq = 1; seq <= 5; seq++) {
          statuses.push((await post(strict, '/adp/advertise', await cardOf(agent, seq))).status)
        }
        return { agent, statuses }
      }
      // Minutes are those of the clock, and these requests must be in one. No two minutes end within them.
      const minute = () => Math.floor(Date.now() / 60_000)
      const begun = minute()
      const first = await sendFive()
      const { agent, statuses } = minute() === begun ? first : await sendFive()
      expect(statuses).toEqual([200, 200, 200, 429, 429])
      // The operator has no limit.
      expect((await post(strict, '/adp/advertise', await cardOf(agent, 6), operator(strict.origin))).status).toBe(200)
    } finally {
      await strict.kill()
    }
  })
})
