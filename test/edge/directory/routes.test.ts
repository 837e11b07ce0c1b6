// The directory over HTTP: advertising, finding, describing and listing cards, and who may do it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeAll, verify } from '../../../bindings/card/index.ts'
import { pageToken } from '../../../edge/http/query.ts'
import { DATA, faults, hasData } from '../../convert/samples.ts'
import type { Runtime } from '../../support/runtime.ts'
import { workersOf } from '../../support/workers.ts'
import { checkContract, openapi, seen } from '../contract.ts'
import { GRANTER, operator, tokenOf } from '../tokens.ts'
import { type Agent, cardOf, createAgent } from './agents.ts'

const CARD_TYPE = 'application/adp-agent-card+json'

const workers = workersOf()
let runtime: Runtime
let agent: Agent

beforeAll(async () => {
  // Other files of the same process have called operations too.
  seen.clear()
  runtime = await workers.start()
  agent = await createAgent()
})

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const address = runtime.origin + path
  return checkContract(init.method ?? 'GET', address, await fetch(address, { redirect: 'manual', ...init }))
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return send(path, { method: 'POST', body: text, headers: { 'content-type': 'application/json', ...headers } })
}

const pathOf = (id: string) => `/agents/${encodeURIComponent(id.slice('agent://'.length))}`

describe('POST /adp/describe', () => {
  test('[card/4.1-1] [card/6.2-1] an empty body returns the own card, signed with the key in its id', async () => {
    const response = await send('/adp/describe', { method: 'POST' })
    expect(response.headers.get('content-type')).toBe(CARD_TYPE)
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect((await verify(bytes)).verdict).toBe('verified')
    const again = await send('/adp/describe', { method: 'POST' })
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(bytes)
  })

  test('[card/4.1-1] [card/6.1-1] the own card is also at its id and its address, and has its time of creation', async () => {
    const text = await (await send('/adp/describe', { method: 'POST' })).text()
    const { id, metadata } = JSON.parse(text) as { id: string; metadata: { created_at: string; updated_at: string } }
    expect(await (await post('/adp/describe', { id })).text()).toBe(text)
    expect(metadata.created_at).toBe(metadata.updated_at)
    const part = await post('/adp/describe', { fields: ['skills'] })
    const whole = /<([^>]+)>; rel="canonical"/.exec(part.headers.get('link')!)![1]!
    expect(whole).toBe(`${runtime.origin}${pathOf(id)}/card.json`)
    const published = await send(`${pathOf(id)}/card.json`)
    expect(published.headers.get('blazon-standing')).toBe('signature')
    expect(await published.text()).toBe(text)
    const { linkset } = (await (await send('/.well-known/api-catalog')).json()) as {
      linkset: Record<string, unknown>[]
    }
    expect(linkset[1]!['service-desc']).toContainEqual({ href: whole, type: CARD_TYPE })
  })

  test('[card/4.1-2] a partial card is marked outside of the card, with the address of the whole one', async () => {
    const card = await cardOf(agent, 1)
    expect((await post('/adp/advertise', card)).status).toBe(200)
    const response = await post('/adp/describe', { id: agent.id, fields: ['skills', 'nothing'] })
    expect(await response.json()).toEqual({ id: agent.id, name: expect.any(String), skills: expect.any(Array) })
    expect(response.headers.get('blazon-partial')).toBe('true')
    const whole = /<([^>]+)>; rel="canonical"/.exec(response.headers.get('link')!)![1]!
    expect(await (await fetch(whole)).text()).toBe(card)
  })

  test('[card/7.6-3] parts can be joined and verified: each comes with the signature of the whole', async () => {
    const other = await createAgent()
    const card = await cardOf(other, 1)
    await post('/adp/advertise', card)
    const ask = (id: object) => async (fields: readonly string[]) => {
      const response = await post('/adp/describe', { ...id, fields })
      const signature = response.headers.get('blazon-signature')
      const part = new Uint8Array(await response.arrayBuffer())
      return { card: part, ...(signature !== null && { signature }) }
    }
    const { document, proof } = await describeAll(ask({ id: other.id }))
    expect(proof?.verdict).toBe('verified')
    expect(document?.value).toEqual(JSON.parse(card))
    expect((await describeAll(ask({}))).proof?.verdict).toBe('verified')
  })

  test('[card/4.1-4] an unknown agent is NOT_FOUND', async () => {
    const response = await post('/adp/describe', { id: 'agent://nobody' })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ status: 'NOT_FOUND' })
  })
})

describe('POST /adp/advertise', () => {
  test('[card/4.2-2] stores newer cards, not older or equal ones, and answers with the reason', async () => {
    const own = await createAgent()
    const [first, second] = [await cardOf(own, 1), await cardOf(own, 2)]
    const answers = []
    for (const card of [second, second, first]) answers.push(await (await post('/adp/advertise', card)).json())
    expect(answers).toMatchObject([
      { stored: true, reason: 'first' },
      { stored: false, reason: 'equal' },
      { stored: false, reason: 'older' },
    ])
  })

  test('[card/4.2-4] [card/7.1-1] only the operator can store an unsigned card, which stays marked', async () => {
    const card = {
      id: 'agent://unsigned/one',
      name: 'Unsigned',
      description: 'Paints fences.',
      skills: ['creative/painting'],
    }
    const refused = await post('/adp/advertise', card)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ status: 'UNAUTHORIZED' })
    expect((await post('/adp/advertise', card, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await post('/adp/advertise', card, operator(runtime.origin))).status).toBe(200)
    const found = (await (await post('/adp/discover', { query: 'fences' })).json()) as { results: object[] }
    expect(found.results).toMatchObject([{ standing: 'token', verified: false }])
    expect((await send(`${pathOf(card.id)}/card.json`)).headers.get('blazon-standing')).toBe('token')
  })

  test('[card/4.2-4] an invalid signature is refused, also from the operator', async () => {
    const forged = (await cardOf(await createAgent(), 1)).replace('Helps', 'Harms')
    expect((await post('/adp/advertise', forged)).status).toBe(403)
    expect((await post('/adp/advertise', forged, operator(runtime.origin))).status).toBe(403)
  })

  test.each([
    ['no JSON', '{"id":'],
    ['no object', '[]'],
    ['no id', '{"name":"x"}'],
    ['65,536 octets', JSON.stringify({ id: 'agent://x', name: 'x', description: 'x'.repeat(65_536) })],
    ['a hundred thousand brackets', '['.repeat(100_000)],
  ])('[card/4.2-3] %s is INVALID_REQUEST', async (_, body) => {
    const response = await post('/adp/advertise', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ status: 'INVALID_REQUEST' })
  })

  test('a revoked agent is in no answer except to requests for its id', async () => {
    const own = await createAgent()
    await post('/adp/advertise', await cardOf(own, 1, { description: 'Grows tulips.' }))
    await post('/adp/advertise', await cardOf(own, 2, { description: 'Grows tulips.', tools: [], endpoints: [] }))
    expect(await (await post('/adp/discover', { query: 'tulips' })).json()).toMatchObject({ results: [] })
    expect((await send(`${pathOf(own.id)}/card.json`)).status).toBe(410)
    expect(await (await post('/adp/describe', { id: own.id })).json()).toMatchObject({ tools: [], endpoints: [] })
  })
})

describe('POST /adp/discover', () => {
  test('[card/4.3-5] a result has the card, the score and the tags, and on request the reasons', async () => {
    const own = await createAgent()
    await post('/adp/advertise', await cardOf(own, 1, { description: 'Brews beer.', skills: ['food/brewing'] }))
    const body = { query: 'brew', tags: ['food/*'], explain: true }
    const { results } = (await (await post('/adp/discover', body)).json()) as { results: Record<string, unknown>[] }
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ matched_tags: ['food/brewing'], standing: 'signature', verified: true })
    const why = results[0]!['why'] as { contribution: number }[]
    expect(why.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(results[0]!['score'] as number, 5)
  })

  test.each([{}, { limit: 0, query: 'x' }, { min_score: 2, query: 'x' }, { tags: 'nlp' }])(
    '[card/4.3-4] %j is INVALID_REQUEST',
    async (body) => {
      const response = await post('/adp/discover', body)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ status: 'INVALID_REQUEST', diagnostics: [expect.anything()] })
    },
  )

  test('a limit above the maximum is reduced, and the answer reports it [card/4.3-7]', async () => {
    const response = await post('/adp/discover', { tags: ['nlp'], limit: 1000 })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ diagnostics: [{ code: 'CARD-177', source: { pointer: '/limit' } }] })
  })

  test('a word that no card has any more changes no byte of the answer', async () => {
    const vouch = (card: object) => post('/adp/advertise', { name: 'A', ...card }, operator(runtime.origin))
    const ask = async () => (await post('/adp/discover', { query: 'wmbatcast', min_score: 0, explain: true })).text()
    await vouch({ id: 'agent://tests/wombat', description: 'wombatcast', seq: 1 })
    const before = await ask()
    expect(JSON.parse(before)).toMatchObject({ corrections: [{ word: 'wmbatcast', instead: ['wombatcast'] }] })
    await vouch({ id: 'agent://tests/gone', description: 'wmbatcastle', seq: 1 })
    expect(await ask()).not.toBe(before)
    await vouch({ id: 'agent://tests/gone', tools: [], endpoints: [], seq: 2 })
    expect(await ask()).toBe(before)
  })

  test('a seq above 2^53 is compared, stored and returned exactly [card/3.1-31]', async () => {
    const card = (seq: string) => `{"id":"agent://tests/large","name":"A","description":"quagga","seq":${seq}}`
    const bring = async (seq: string) =>
      (await post('/adp/advertise', card(seq), operator(runtime.origin))).json() as Promise<{ reason: string }>
    expect((await bring('9007199254740993')).reason).toBe('first')
    expect((await bring('9007199254740992')).reason).toBe('older')
    expect((await bring('18446744073709551614')).reason).toBe('newer')
    expect((await bring('18446744073709551615')).reason).toBe('newer')
    const found = await (await post('/adp/discover', { query: 'quagga', min_score: 0 })).text()
    expect(found).toContain(`"agent_card":${card('18446744073709551615')}`)
    expect(await (await post('/adp/describe', { id: 'agent://tests/large' })).text()).toBe(card('18446744073709551615'))
  })

  test('[card/5-9] GET /adp/ranking returns the current formula', async () => {
    const profile = await (await send('/adp/ranking')).json()
    expect(profile).toMatchObject({
      weights: { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 },
      cold_start: { tasks: 5, reputation: 0.1 },
    })
  })
})

describe('the card of an agent over HTTP', () => {
  test('[card/6.2-2] is at card.json and, by Accept, at its address, byte for byte, for caches', async () => {
    const own = await createAgent()
    const card = await cardOf(own, 3)
    await post('/adp/advertise', card)
    const direct = await send(`${pathOf(own.id)}/card.json`)
    const asked = await send(pathOf(own.id), { headers: { accept: CARD_TYPE } })
    for (const response of [direct, asked]) {
      expect(await response.text()).toBe(card)
      expect(response.headers.get('content-type')).toBe(CARD_TYPE)
      expect(response.headers.get('vary')).toBe('accept')
    }
    const etag = direct.headers.get('etag')!
    const known = await send(`${pathOf(own.id)}/card.json`, { headers: { 'if-none-match': etag } })
    expect(known.status).toBe(304)
    const head = await send(`${pathOf(own.id)}/card.json`, { method: 'HEAD' })
    expect([head.headers.get('etag'), await head.text()]).toEqual([etag, ''])
  })

  test.each(['/agents/%/card.json', '/agents/%ff/card.json', '/agents/%00/card.json', '/agents/no%2Fbody/card.json'])(
    '%s is a 404',
    async (path) => {
      expect((await send(path)).status).toBe(404)
    },
  )
})

/** The errors of a document by the schema of AI catalogs. */
function catalogFaults(catalog: unknown): unknown {
  if (!hasData) return []
  const schema = JSON.parse(readFileSync(join(DATA, 'interop/ard-ai-catalog.schema.json'), 'utf8'))
  const isCatalog = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  return isCatalog(catalog) ? [] : isCatalog.errors
}

interface Entry {
  readonly metadata: { readonly id: string }
}

describe('for catalogs', () => {
  test('GET /agents pages through all, each once, by id', async () => {
    const ids: string[] = []
    for (let token: string | undefined = ''; token !== undefined; ) {
      const after = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`
      const page = (await (await send(`/agents?pageSize=2${after}`)).json()) as {
        items: Entry[]
        pageToken?: string
      }
      expect(catalogFaults({ specVersion: '1.0', entries: page.items })).toEqual([])
      ids.push(...page.items.map(({ metadata }) => metadata.id))
      token = page.pageToken
    }
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(ids).toContain(agent.id)
  })

  test.each([
    ['tags=food', ['food/brewing']],
    ['tags=Food / Brewing', ['food/brewing']],
    ["filter=tags = 'food,nothing' AND displayName = 'agent'", ['food/brewing']],
    ["filter=type = 'application/mcp-server-card+json'", []],
    ['standing=token&tags=creative', ['creative/painting']],
    ["filter=updatedAfter > '2020-01-01'", []],
  ])('GET /agents?%s', async (query, tags) => {
    const { items } = (await (await send(`/agents?${encodeURI(query)}`)).json()) as { items: { tags: string[] }[] }
    expect(items.flatMap((item) => item.tags)).toEqual(tags)
  })

  test.each([
    'filter=tags',
    `tags=${'a,'.repeat(32)}`,
    'filter=colour=%27red%27',
    'orderBy=score',
    'orderBy=newest&pageToken=x',
    'pageToken=x',
    'pageToken=',
    'pageToken=agent%3A%2F%2Fa',
    'pageSize=0',
    'pageSize=1e3',
    'page=2',
  ])('GET /agents?%s is refused', async (query) => {
    expect((await send(`/agents?${query}`)).status).toBe(400)
  })

  test('GET /agents?orderBy=newest returns one page of the latest cards', async () => {
    const first = await createAgent()
    const second = await createAgent()
    const newest = async (filter = '') => {
      const response = await send(`/agents?orderBy=newest&pageSize=2${filter}`)
      const { items, pageToken: next } = (await response.json()) as { items: Entry[]; pageToken?: string }
      expect(next).toBeUndefined()
      return items.map(({ metadata }) => metadata.id)
    }
    for (const one of [first, second]) await post('/adp/advertise', await cardOf(one, 1, { skills: ['music/jazz'] }))
    expect(await newest()).toEqual([second.id, first.id])
    await post('/adp/advertise', await cardOf(first, 2, { skills: ['music'] }))
    expect(await newest()).toEqual([first.id, second.id])
    expect(await newest('&tags=music/jazz')).toEqual([second.id])
  })

  test('refuses a damaged page token, or one of another list', async () => {
    const { pageToken: token } = (await (await send('/agents?pageSize=1')).json()) as { pageToken: string }
    const body = { query: { text: 'agent' }, pageSize: 1 }
    const other = await pageToken('search', '1')
    expect((await send(`/agents?pageToken=${encodeURIComponent(token)}`)).status).toBe(200)
    expect((await post('/search', { ...body, pageToken: other })).status).toBe(200)
    const damaged = (whole: string) => [
      ...[...whole].map((letter, i) => `${whole.slice(0, i)}${letter === 'A' ? 'B' : 'A'}${whole.slice(i + 1)}`),
      ...[whole.slice(1), whole.slice(0, -1), `${whole}A`, `${whole}=`, `${whole}==`, `A${whole}`, `${whole} `],
      ...[whole.toLowerCase(), whole.toUpperCase()].filter((other) => other !== whole),
    ]
    for (const wrong of [...damaged(token), other]) {
      const { status } = await send(`/agents?pageToken=${encodeURIComponent(wrong)}`)
      expect([wrong, status]).toEqual([wrong, 400])
    }
    for (const pageToken of [...damaged(other), token]) {
      expect([pageToken, (await post('/search', { ...body, pageToken })).status]).toEqual([pageToken, 400])
    }
  })

  test('a made-up page token gives access to no other place of a list', async () => {
    for (const place of ['agent://', 'agent://a\u0000', '', '\ufeffagent://a'])
      expect((await send(`/agents?pageToken=${await pageToken('agents', place)}`)).status).toBe(400)
    for (const place of ['-1', '1e1', '100', '', 'x'])
      expect(
        (await post('/search', { query: { text: 'x' }, pageToken: await pageToken('search', place) })).status,
      ).toBe(400)
  })

  test('a pageSize above the maximum is reduced, and the answer reports it', async () => {
    const page = async (size: number) =>
      (await (await send(`/agents?pageSize=${size}`)).json()) as { pageSize?: number }
    expect(await page(101)).toMatchObject({ pageSize: 100 })
    expect(await page(100)).not.toHaveProperty('pageSize')
    const body = { query: { text: 'brew' }, pageSize: 5000 }
    expect(await (await post('/search', body)).json()).toMatchObject({ pageSize: 100, results: [{}] })
  })

  test('POST /search answers in the form of ARD', async () => {
    const body = { query: { text: 'brew', filter: { tags: ['food'] } }, pageSize: 5, federation: 'none' }
    const { results } = (await (await post('/search', body)).json()) as { results: Record<string, unknown>[] }
    expect(results).toMatchObject([{ tags: ['food/brewing'], source: `${runtime.origin}/` }])
    expect(Number.isInteger(results[0]!['score'])).toBe(true)
    const other = { query: { text: 'brew', filter: { type: 'application/mcp-server-card+json' } } }
    expect(await (await post('/search', other)).json()).toEqual({ results: [] })
  })

  test.each([
    {},
    { query: {} },
    { query: { text: '' } },
    { query: { text: 'x', filter: { colour: 'red' } } },
    { query: { text: 'x' }, pageSize: 0 },
    { query: { text: 'x' }, pageToken: 'x' },
    { query: { text: 'x' }, more: true },
  ])('POST /search refuses %j with the error code of ARD', async (body) => {
    const response = await post('/search', body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errorCode: 'INVALID_ARGUMENT' })
  })
})

describe('documents of the directory itself', () => {
  const DOCUMENTS = [
    ['/.well-known/agent-card.json', 'application/json'],
    ['/.well-known/ai-catalog.json', 'application/json'],
    ['/.well-known/ard.json', 'application/json'],
    ['/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
    ['/.well-known/did.json', 'application/did+json'],
    ['/.well-known/jwks.json', 'application/jwk-set+json'],
    ['/llms.txt', 'text/markdown; charset=utf-8'],
    ['/adp/ranking', 'application/json'],
  ] as const

  test.each(DOCUMENTS)('%s follows HTTP', async (path, type) => {
    const response = await send(path)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cache-control')).toContain('max-age=300')
    const etag = response.headers.get('etag')!
    expect((await send(path, { headers: { 'if-none-match': `"x", W/${etag}` } })).status).toBe(304)
    const head = await send(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    expect((await send(path, { method: 'OPTIONS' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  test('the A2A card has the requested version', async () => {
    const of = (version: string) => send('/.well-known/agent-card.json', { headers: { 'a2a-version': version } })
    const unsaid = await send('/.well-known/agent-card.json')
    expect(unsaid.headers.get('vary')).toBe('a2a-version')
    const cards = { 'a2a-1.0': await (await of('1.0')).json(), 'a2a-0.3': await unsaid.json() } as const
    if (hasData) for (const to of ['a2a-1.0', 'a2a-0.3'] as const) expect(faults(to, cards[to])).toEqual([])
    expect(cards['a2a-0.3']).toMatchObject({ protocolVersion: expect.stringMatching(/^0\.3/) })
    expect((await of('2.0')).status).toBe(400)
  })

  test('the catalogs match their schema and list the cards', async () => {
    const catalog = await (await send('/.well-known/ard.json')).json()
    expect(catalogFaults(catalog)).toEqual([])
    const response = await send('/.well-known/api-catalog')
    expect(response.headers.get('link')).toContain('rel="api-catalog"')
    expect(JSON.stringify(await response.json())).toContain(`${runtime.origin}${pathOf(agent.id)}/card.json`)
  })

  test('the keys are those that sign the own card', async () => {
    const { keys } = (await (await send('/.well-known/jwks.json')).json()) as { keys: JsonWebKey[] }
    const did = (await (await send('/.well-known/did.json')).json()) as {
      alsoKnownAs: string[]
      verificationMethod: { publicKeyJwk: JsonWebKey }[]
    }
    expect(did.verificationMethod[0]!.publicKeyJwk.x).toBe(keys[0]!.x)
    const own = (await (await send('/adp/describe', { method: 'POST' })).json()) as { id: string }
    expect(did.alsoKnownAs).toEqual([own.id])
  })
})

describe('for the operator', () => {
  test.each([
    ['GET', '/v1/directory/state'],
    ['GET', '/v1/directory/export'],
    ['POST', '/v1/directory/import'],
    ['POST', '/v1/directory/shards'],
    ['POST', '/v1/directory/signals'],
    ['POST', '/v1/tokens'],
    ['DELETE', '/v1/tokens'],
  ])('refuses others: %s %s', async (method, path) => {
    expect((await send(path, method === 'GET' ? {} : { method, body: '{}' })).status).toBe(401)
  })

  const give = async (scope: string, holders: readonly unknown[]) => {
    const { tokens } = (await (await post('/v1/tokens', { scope, holders }, GRANTER)).json()) as {
      tokens: Record<string, string>
    }
    return tokens
  }

  test('[card/7.1-1] a token for an id vouches only for the card of that id', async () => {
    const [own, other] = ['agent://vouched/one', 'agent://vouched/two']
    const tokens = await give('publish-one', [own])
    expect(tokens).toEqual({ [own]: tokenOf(runtime.origin, { scope: 'publish-one', holder: own }) })
    const bound = { authorization: `Bearer ${tokens[own]}` }
    expect((await post('/adp/advertise', { id: other, name: 'Two' }, bound)).status).toBe(403)
    expect((await send('/v1/directory/state', { headers: bound })).status).toBe(403)
    expect((await post('/adp/advertise', { id: own, name: 'One' }, bound)).status).toBe(200)
    expect((await send(`${pathOf(own)}/card.json`)).headers.get('blazon-standing')).toBe('token')
    expect((await post('/v1/tokens', { scope: 'publish-one', holders: [1] }, GRANTER)).status).toBe(400)
  })

  test('a leaked token can be withdrawn without affecting others', async () => {
    const [own, other] = ['agent://vouched/three', 'agent://vouched/four'] as const
    const both = () => give('publish-one', [own, other])
    const put = async (id: string, token: string, seq: number) =>
      (await post('/adp/advertise', { id, name: 'A', seq }, { authorization: `Bearer ${token}` })).status
    const withdraw = (holders: readonly string[], headers: Record<string, string>) =>
      send(`/v1/tokens?${new URLSearchParams(holders.map((holder) => ['holder', holder]))}`, {
        method: 'DELETE',
        headers,
      })
    const first = await both()
    expect([await put(own, first[own]!, 1), await put(other, first[other]!, 1)]).toEqual([200, 200])
    expect(await both()).toEqual(first)
    expect((await withdraw([own], {})).status).toBe(401)
    expect((await withdraw([own], { authorization: `Bearer ${first[own]}` })).status).toBe(403)
    expect([(await withdraw([], GRANTER)).status, (await withdraw(['a b'], GRANTER)).status]).toEqual([400, 400])

    expect(await (await withdraw([own], GRANTER)).json()).toEqual({ withdrawn: [own] })
    expect([await put(own, first[own]!, 2), await put(other, first[other]!, 2)]).toEqual([401, 200])
    const second = await both()
    expect(second[other]).toBe(first[other])
    expect(second[own]).not.toBe(first[own])
    expect(await put(own, second[own]!, 2)).toBe(200)
  })

  test('signals count from the next query on', async () => {
    const score = async () => {
      const found = (await (await post('/adp/discover', { query: 'brew', tags: ['food'] })).json()) as {
        results: { score: number; agent_card: { id: string } }[]
      }
      return found.results[0]!
    }
    const before = await score()
    const { id } = before.agent_card
    expect(
      (await post('/v1/directory/signals', { [id]: { reputation: 0.9, online: true } }, operator(runtime.origin)))
        .status,
    ).toBe(200)
    // 0.2 for each unit of reputation, and 0.15 for an agent that is online (table 11).
    expect((await score()).score).toBeCloseTo(before.score + 0.2 * 0.9 + 0.15, 5)
    expect((await post('/v1/directory/signals', { [id]: { reputation: 2 } }, operator(runtime.origin))).status).toBe(
      400,
    )
    // New signals replace earlier ones, at once and after a restart.
    expect((await post('/v1/directory/signals', { [id]: { rating: 0.5 } }, operator(runtime.origin))).status).toBe(200)
    expect((await score()).score).toBeCloseTo(before.score + 0.1 * 0.5, 5)
  })

  test('[card/7.1-2] exported cards can be imported, and are verified again', async () => {
    const exported = await (await send('/v1/directory/export?limit=500', { headers: operator(runtime.origin) })).text()
    const lines = exported.trim().split('\n')
    const forged = lines.map((line) => {
      const { id, card, standing } = JSON.parse(line)
      const other = Buffer.from(card, 'base64url').toString().replace('Helps', 'Harms')
      return JSON.stringify({ id, card: Buffer.from(other).toString('base64url'), standing })
    })
    const send2 = async (text: string) => (await post('/v1/directory/import', text, operator(runtime.origin))).json()
    expect(await send2(exported)).toMatchObject({ lines: lines.length, stored: 0, refused: [] })
    const { refused, stored } = (await send2(forged.join('\n'))) as { refused: unknown[]; stored: number }
    expect([refused.length > 0, stored]).toEqual([true, 0])
    expect(await send2('nothing\n{"id":"agent://x"}')).toMatchObject({ refused: [{ line: 1 }, { line: 2 }] })
  })

  test('[card/7.1-2] a backup has the proof that an agent signed two different cards with one seq', async () => {
    const liar = await createAgent()
    const [one, other] = [await cardOf(liar, 1), await cardOf(liar, 1, { description: 'Says something else.' })]
    const base64url = (text: string) => Buffer.from(text).toString('base64url')
    const line = (equivocations: unknown) =>
      JSON.stringify({ id: liar.id, card: base64url(one), standing: 'signature', equivocations })
    const bring = async (text: string) => (await post('/v1/directory/import', text, operator(runtime.origin))).json()
    for (const none of [7, [7], Array(5).fill(base64url(other))]) {
      expect(await bring(line(none))).toMatchObject({ stored: 0, refused: [{ line: 1 }] })
    }
    const forged = base64url(other.replace('Says', 'Said'))
    expect(await bring(line([base64url(other), forged]))).toMatchObject({ stored: 1, refused: [] })
    const exported = await (await send('/v1/directory/export?limit=500', { headers: operator(runtime.origin) })).text()
    const back = exported.split('\n').find((text) => text.includes(liar.id))
    expect(JSON.parse(back!)).toMatchObject({ card: base64url(one), equivocations: [base64url(other)] })
  })

  test('the state has the size of the directory, and its latest cards', async () => {
    const state = (await (await send('/v1/directory/state', { headers: operator(runtime.origin) })).json()) as Record<
      string,
      unknown
    >
    expect(state).toMatchObject({ growth: { shards: 1, moving: false }, shards: [{ shard: 0, answers: true }] })
    expect(state['cards']).toBeGreaterThan(3)
    expect(JSON.stringify(state['changes'])).toContain(agent.id)
  })
})

test('every operation of the directory was called successfully here', () => {
  // Except definitions, and agents at their own hosts.
  const isOwn = (path: string) =>
    /^\/(adp|search|agents$|v1\/(directory|tokens)|llms|\.well-known\/(?!adl|agent\.json|agents\/|http-message))/.test(
      path,
    )
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    isOwn(path) ? Object.keys(methods).map((method) => `${method.toUpperCase()} ${path} `) : [],
  )
  const missing = operations.filter((operation) => ![...seen].some((one) => one.startsWith(`${operation}2`)))
  // Growth and the operator's decisions have other tests.
  const decisions = [
    'GET /v1/directory/rules ',
    'POST /v1/directory/rules ',
    'GET /v1/directory/queue ',
    'DELETE /v1/directory/queue ',
  ]
  expect(missing.sort()).toEqual(['POST /v1/directory/shards ', ...decisions].sort())
})

test('the OpenAPI file has the actual limits', () => {
  expect(JSON.stringify(openapi.paths['/adp/advertise'])).toContain('600 cards a minute')
  expect(readFileSync('edge/wrangler.jsonc', 'utf8')).toContain('"limit": 600, "period": 60')
})
