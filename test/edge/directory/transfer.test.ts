// One deployment imports what another exports: every card, also large ones, and the operator's rules.
import { beforeAll, expect, test } from 'vitest'
import { casesOf } from '../../support/cases.ts'
import type { Runtime } from '../../support/runtime.ts'
import { workersOf } from '../../support/workers.ts'
import { checkContract } from '../contract.ts'
import { operator } from '../tokens.ts'

const CARDS = casesOf(2500)
const LARGE = 60_000
const MEBIBYTE = 1 << 20

const workers = workersOf()
let old: Runtime
let fresh: Runtime
beforeAll(async () => {
  old = await workers.start()
  fresh = await workers.start()
})

async function send({ origin }: Runtime, path: string, lines?: string, type = 'application/x-ndjson') {
  const address = path.startsWith('http') ? path : origin + path
  const method = lines === undefined ? 'GET' : 'POST'
  const headers = { ...operator(origin), 'content-type': type }
  return checkContract(
    method,
    address,
    await fetch(address, { method, headers, ...(lines !== undefined && { body: lines }) }),
  )
}

const idOf = (i: number) => String(i).padStart(4, '0')
const lines = Array.from({ length: CARDS }, (_, i) => {
  const id = `agent://crowd/${idOf(i)}`
  const description = i % 20 === 0 ? 'é'.repeat(LARGE / 2) : `Sells thing ${i}`
  const card = Buffer.from(JSON.stringify({ id, name: `Agent ${i}`, description, seq: 1 })).toString('base64url')
  return JSON.stringify({ id, card, standing: 'token' })
})

/** All pages, by their `Link` headers. */
async function pagesOf(runtime: Runtime): Promise<string[]> {
  const pages: string[] = []
  for (let path: string | undefined = '/v1/directory/export?limit=500'; path !== undefined; ) {
    const response = await send(runtime, path)
    pages.push(await response.text())
    path = /<(.*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return pages
}
const cardsIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; card: string; standing: string })
    .map(({ id, card, standing }) => ({ id, card, standing }))

test(`${CARDS} cards, also large ones, are copied to another directory page by page, unchanged`, async () => {
  for (let from = 0; from < CARDS; ) {
    let to = from
    for (let bytes = 0; to < CARDS && to - from < 500 && bytes + lines[to]!.length < MEBIBYTE; to++)
      bytes += lines[to]!.length + 1
    expect(await (await send(old, '/v1/directory/import', lines.slice(from, to).join('\n'))).json()).toMatchObject({
      stored: to - from,
    })
    from = to
  }
  const pages = await pagesOf(old)
  expect(pages.length).toBeGreaterThan(CARDS / 500)
  for (const page of pages) {
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(MEBIBYTE)
    const { stored, refused } = await (await send(fresh, '/v1/directory/import', page)).json()
    expect([stored, refused]).toEqual([page.trimEnd().split('\n').length, []])
  }
  const sent = lines.map((line) => JSON.parse(line))
  expect(cardsIn(pages.join(''))).toEqual(sent)
  const streamed = await send(fresh, '/v1/directory/export')
  expect(streamed.headers.get('link')).toBeNull()
  expect(cardsIn(await streamed.text())).toEqual(sent)
})

test('a stream can be canceled, and a page starts after an id', async () => {
  const { origin } = old
  const response = await fetch(`${origin}/v1/directory/export`, { headers: operator(origin) })
  await response.body!.cancel()
  const page = await (
    await send(old, `/v1/directory/export?limit=1&after=agent%3A%2F%2Fcrowd%2F${idOf(CARDS - 2)}`)
  ).text()
  expect(cardsIn(page)).toMatchObject([{ id: `agent://crowd/${idOf(CARDS - 1)}` }])
  expect(await (await send(old, `/v1/directory/export?after=agent%3A%2F%2Fcrowd%2F${idOf(CARDS - 1)}`)).text()).toBe('')
})

test('rules can be copied with their times, and work in the new deployment', async () => {
  const rules = [
    { id: 'agent://crowd/0001', verdict: 'block', reason: 'spam', at: '2026-01-02T03:04:05.000Z' },
    { host: 'good.example', verdict: 'allow' },
  ]
  expect((await send(old, '/v1/directory/rules', JSON.stringify({ rules }), 'application/json')).status).toBe(200)
  const told = await (await send(old, '/v1/directory/rules?limit=500')).text()
  expect(JSON.parse(told).rules).toContainEqual(rules[0])
  expect((await send(fresh, '/v1/directory/rules', told, 'application/json')).status).toBe(200)
  expect(await (await send(fresh, '/v1/directory/rules?limit=500')).text()).toBe(told)
  expect((await fetch(`${fresh.origin}/agents/crowd%2F0001/card.json`)).status).toBe(410)
  for (const at of ['2999-01-01T00:00:00Z', 'yesterday', 7]) {
    const wrong = JSON.stringify({ rules: [{ host: 'a.example', at }] })
    const response = await send(old, '/v1/directory/rules', wrong, 'application/json')
    expect([response.status, (await response.json()).detail]).toEqual([
      400,
      expect.stringContaining('rules[0].at: expected a past time'),
    ])
  }
})
