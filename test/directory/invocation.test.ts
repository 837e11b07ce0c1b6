import { beforeAll, describe, expect, it, test } from 'vitest'
import { createDirectory, createMemoryStore, type Directory, handleInvocation } from '../../bindings/directory/index.ts'
import { EXAMPLE, KEY_ID, signedCard } from '../card/support.ts'
import { openDirectory, put } from './cards.ts'

const decoder = new TextDecoder()
let own: string
let directory: Directory

beforeAll(async () => {
  own = await signedCard({ id: KEY_ID, name: 'the directory' })
  directory = openDirectory({ own })
  await directory.advertise(JSON.stringify(EXAMPLE))
})

async function invoke(method: string, body?: unknown, more: Partial<handleInvocation.Request> = {}) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await handleInvocation(directory, { method, ...(text !== undefined && { body: text }), ...more })
  expect(JSON.parse(decoder.decode(answer.bytes))).toEqual(JSON.parse(JSON.stringify(answer.body)))
  return answer
}

describe('adp.describe', () => {
  it("returns the directory's own signed card for an empty body [card/4.1-1]", async () => {
    for (const body of [undefined, '', '{}']) {
      const answer = await invoke('adp.describe', body)
      expect([answer.status, answer.statusCode, decoder.decode(answer.bytes)]).toEqual(['OK', 0, own])
    }
    const nameless = createDirectory({ store: createMemoryStore() })
    const { body } = await handleInvocation(nameless, { method: 'adp.describe' })
    expect(body).toEqual({ id: 'agent://directory', name: 'directory' })
  })

  it('returns the card of the agent with this id [card/4.1-4]', async () => {
    const answer = await invoke('adp.describe', { id: EXAMPLE.id })
    expect(answer.body).toEqual(EXAMPLE)
    expect(answer.partial).toBeUndefined()
  })

  it('returns the requested fields with id and name, unsigned and marked as partial [card/4.1-2]', async () => {
    const answer = await invoke('adp.describe', { fields: ['skills', 'signature', 'unheard-of', '__proto__'] })
    expect(answer.partial).toBe(true)
    expect(answer.body).toEqual({ id: KEY_ID, name: 'the directory', skills: EXAMPLE.skills })
  })

  it('hides what the policy hides from a caller: UNAUTHORIZED is 5 [card/4.1-3]', async () => {
    const guarded = openDirectory({
      disclosure: [
        { to: ['agent://auditor'], show: 'whole' },
        { to: 'known', show: { fields: ['skills'] } },
        { to: 'anyone', show: 'nothing' },
      ],
    })
    await guarded.advertise(JSON.stringify(EXAMPLE))
    const asked = (source?: string) =>
      handleInvocation(guarded, {
        method: 'adp.describe',
        body: JSON.stringify({ id: EXAMPLE.id }),
        ...(source !== undefined && { source }),
      })
    const refused = await asked()
    expect([refused.status, refused.statusCode]).toEqual(['UNAUTHORIZED', 5])
    expect((await asked('agent://somebody')).body).toEqual({
      id: EXAMPLE.id,
      name: EXAMPLE.name,
      skills: EXAMPLE.skills,
    })
    expect((await asked('agent://auditor')).body).toEqual(EXAMPLE)
    const query = { tags: ['nlp'] }
    expect(guarded.discover(query).results).toEqual([])
    const [part] = guarded.discover(query, { caller: 'agent://somebody' }).results
    expect(part).toMatchObject({ partial: true, matched_tags: ['nlp/translation', 'nlp/text-analysis'] })
    expect(part!.agent_card.tools).toBeUndefined()
  })

  test.each([
    ['an unknown agent', { id: 'agent://nobody' }, 'NOT_FOUND', 'CARD-197 /id'],
    ['an invalid id', { id: 7 }, 'INVALID_REQUEST', 'CARD-195 /id'],
    ['invalid fields', { fields: 'tools' }, 'INVALID_REQUEST', 'CARD-195 /fields'],
    ['an invalid field', { fields: [7] }, 'INVALID_REQUEST', 'CARD-195 /fields'],
    ['no object', [], 'INVALID_REQUEST', 'CARD-195 '],
    ['no JSON', '{', 'INVALID_REQUEST', 'DOC-102 '],
  ])('refuses %s', async (_, body, status, finding) => {
    const answer = await invoke('adp.describe', body)
    expect([answer.status, findings(answer.body)]).toEqual([status, [finding]])
  })
})

describe('adp.advertise', () => {
  it('returns whether the card was stored, and why', async () => {
    const answer = await invoke('adp.advertise', EXAMPLE)
    expect(answer).toMatchObject({ status: 'OK', body: { stored: false, reason: 'equal' } })
  })

  it('answers UNAUTHORIZED, 5, for another agent, INVALID_REQUEST, 6, for an invalid card [card/4.2-1]', async () => {
    const foreign = await invoke('adp.advertise', EXAMPLE, { source: 'agent://other' })
    expect([foreign.status, foreign.statusCode, findings(foreign.body)]).toEqual(['UNAUTHORIZED', 5, ['CARD-192 /id']])
    const invalid = await invoke('adp.advertise', { id: 'agent://a' })
    expect([invalid.status, invalid.statusCode]).toEqual(['INVALID_REQUEST', 6])
    expect((await invoke('adp.advertise')).status).toBe('INVALID_REQUEST')
  })
})

describe('adp.discover', () => {
  it('returns the members of table 9, and explanations on request [card/4.3-5] [card/4.3-3]', async () => {
    const { body } = await invoke('adp.discover', { tags: ['nlp'], query: 'translation' })
    expect(body['results']).toEqual([
      {
        agent_card: EXAMPLE,
        score: expect.any(Number),
        matched_tags: ['nlp/translation', 'nlp/text-analysis'],
        standing: 'none',
        verified: false,
        equivocations: 0,
      },
    ])
    const explained = await invoke('adp.discover', { tags: ['nlp'], explain: true })
    expect(explained.body).toMatchObject({
      results: [{ factors: { tags: 1 }, why: [{ factor: 'tags' }, {}, {}, {}, {}] }],
    })
  })

  it('reports the positions of malformed members', async () => {
    const answer = await invoke('adp.discover', '{\n  "tags": ["nlp"],\n  "limit": 0.5\n}')
    expect(answer.body['diagnostics']).toMatchObject([{ code: 'CARD-190', source: { line: 3, column: 12 } }])
    expect(answer.statusCode).toBe(6)
    expect((await invoke('adp.discover')).status).toBe('INVALID_REQUEST')
    expect((await invoke('adp.discover', '"nlp"')).status).toBe('INVALID_REQUEST')
  })

  it('cuts the response to the size of a message, and reports it [card/7.6-10]', async () => {
    const many = openDirectory()
    for (let i = 0; i < 40; i++) {
      await put(many, { id: `agent://a${i}`, description: 'x'.repeat(3000), skills: ['nlp'] })
    }
    const body = JSON.stringify({ tags: ['nlp'], limit: 40 })
    const answer = await handleInvocation(many, { method: 'adp.discover', body })
    const results = answer.body['results'] as { partial?: boolean; agent_card: object }[]
    expect(answer.bytes.length).toBeLessThanOrEqual(65_535)
    expect([results.length, answer.body['cut']]).toEqual([40, true])
    const parts = results.filter(({ partial }) => partial)
    expect(parts.length).toBeGreaterThan(5)
    expect(Object.keys(parts[0]!.agent_card)).toEqual(['id', 'name'])
    const small = openDirectory({ limits: { answerBytes: 1500 } })
    for (let i = 0; i < 9; i++) await put(small, { id: `agent://a${i}`, skills: ['nlp'] })
    const short = await handleInvocation(small, { method: 'adp.discover', body })
    expect(short.bytes.length).toBeLessThanOrEqual(1500)
    expect((short.body['results'] as unknown[]).length).toBeLessThan(9)
    expect(short.body['cut']).toBe(true)
  })

  it('keeps other results when a card with a huge name or very many tags ranks high [card/7.6-10]', async () => {
    const shared = openDirectory()
    const many = Array.from({ length: 250 }, (_, i) => `nlp/${'x'.repeat(50)}${i}`)
    await put(shared, { id: 'agent://a', name: 'n'.repeat(64_000), skills: ['nlp'] })
    for (let i = 0; i < 5; i++) await put(shared, { id: `agent://b${i}`, skills: many })
    const others = Array.from({ length: 20 }, (_, i) => `agent://c${String(i).padStart(2, '0')}`)
    for (const id of others) await put(shared, { id, skills: ['nlp'] })
    const body = JSON.stringify({ tags: ['nlp'], limit: 100 })
    const answer = await handleInvocation(shared, { method: 'adp.discover', body })
    const found = (answer.body['results'] as { agent_card: { id: string } }[]).map(({ agent_card: { id } }) => id)
    expect(found.slice(-others.length)).toEqual(others)
    expect(answer.bytes.length).toBeLessThanOrEqual(65_535)
    expect(answer.body['cut']).toBe(true)
  })
})

it('BUSY has a reason, even if senders are counted before their cards are parsed', async () => {
  const counting: handleInvocation.Target = {
    limits: directory.limits,
    describe: (id, options) => directory.describe(id, options),
    discover: (query, options) => directory.discover(query, options),
    advertise: async () => ({ status: 'BUSY', stored: false, diagnostics: [] }),
  }
  const { status, body } = await handleInvocation(counting, { method: 'adp.advertise', body: '{}' })
  expect([status, body['diagnostics']]).toMatchObject(['BUSY', [{ code: 'CARD-194', severity: 'error' }]])
})

it('answers INVALID_REQUEST for any other method [card/4.4-1]', async () => {
  const answer = await invoke('adp.search', {})
  expect([answer.status, findings(answer.body)]).toEqual(['INVALID_REQUEST', ['CARD-196 ']])
})

it('creating a directory throws for an invalid own card', () => {
  expect(() => createDirectory({ store: createMemoryStore(), own: '{}' })).toThrow(RangeError)
  expect(() => createDirectory({} as never)).toThrow(TypeError)
})

function findings(body: Readonly<Record<string, unknown>>): string[] {
  const list = body['diagnostics'] as { code: string; source: { pointer: string } }[]
  return list.map(({ code, source }) => `${code} ${source.pointer}`)
}
