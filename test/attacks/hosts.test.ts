// Requests for a host that is not served get nothing, and leave no trace.
import { beforeAll, describe, expect, test } from 'vitest'
import { ask as askAt } from '../support/ask.ts'
import type { Runtime } from '../support/runtime.ts'
import { workersOf } from '../support/workers.ts'

const workers = workersOf()
let runtime: Runtime

beforeAll(() => restart())

async function restart(settings: Record<string, string> = {}): Promise<void> {
  await runtime?.kill()
  runtime = await workers.start({ settings }, 'kept')
}

const ask = async (path: string, name: string, method = 'GET', body?: string) => {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await askAt(runtime.origin + path, {
    host: name,
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  return { ...answer, headers: JSON.stringify(answer.headers) }
}

const host = () => new URL(runtime.origin).host
const ownCard = async () => JSON.parse((await ask('/adp/describe', host(), 'POST', '{}')).text)

const FOREIGN = ['evil.example', '127.0.0.1', 'localhost', 'EVIL.example:8787', '127.0.0.1.evil.example', '[::1]:8787']
const ROUTES = [
  ['GET', '/healthz'],
  ['GET', '/.well-known/agent-card.json'],
  ['GET', '/.well-known/did.json'],
  ['GET', '/.well-known/jwks.json'],
  ['GET', '/.well-known/ai-catalog.json'],
  ['GET', '/.well-known/api-catalog'],
  ['GET', '/.well-known/adl-agents'],
  ['GET', '/llms.txt'],
  ['GET', '/agents'],
  ['GET', '/nowhere'],
  ['OPTIONS', '/healthz'],
  ['POST', '/adp/describe'],
] as const

describe('a foreign Host', () => {
  test('is refused on every route, and no answer repeats it', async () => {
    for (const name of FOREIGN) {
      for (const [method, path] of ROUTES) {
        const { status, text, headers } = await ask(path, name, method, method === 'POST' ? '{}' : undefined)
        expect(status, `${method} ${path} at ${name}`).toBe(421)
        expect(JSON.parse(text).type).toBe(`${runtime.origin}/#misdirected`)
        expect(text + headers).not.toMatch(/evil/i)
      }
    }
  })

  test('in the path is part of the path', async () => {
    for (const path of ['//evil.example/agents', '/\\\\evil.example/agents', '/@evil.example']) {
      const { status, text } = await ask(path, host())
      expect(status).toBe(404)
      expect(JSON.parse(text).type).toBe(`${runtime.origin}/#not-found`)
    }
  })

  test('never gets into the signed card of the directory, even with many concurrent first requests', async () => {
    for (let i = 0; i < 20; i++) await ask('/adp/describe', `evil-${i}.example`, 'POST', '{}')
    const card = await ownCard()
    expect(card.endpoints).toEqual([{ protocol: 'http+json', uri: runtime.origin, auth: 'none' }])
    expect(card.seq).toBe(1)
    for (let i = 0; i < 20; i++) await ask('/adp/describe', `evil-${i}.example`, 'POST', '{}')
    expect(await ownCard()).toEqual(card)
    const did = JSON.parse((await ask('/.well-known/did.json', host())).text)
    expect(did.id).toBe(`did:web:${host().replace(':', '%3A')}`)
  })
})

test('a card with another host is corrected by the setting: it is signed again, with a higher seq', async () => {
  const before = await ownCard()
  await restart({ PUBLIC_ORIGIN: 'https://a.example.com, https://b.example.com' })
  await restart()
  const after = await ownCard()
  expect(after.id).toBe(before.id)
  expect(after.endpoints).toEqual([{ protocol: 'http+json', uri: runtime.origin, auth: 'none' }])
  expect(after.seq).toBeGreaterThan(before.seq)
})

test('a proxy may terminate TLS: answers still have the public address', async () => {
  const PUBLIC_ORIGIN = `https://agents.example.com https://other.example.com:8443`
  await restart({ PUBLIC_ORIGIN })
  for (const [name, origin] of [
    ['agents.example.com', 'https://agents.example.com'],
    ['OTHER.example.com:8443', 'https://other.example.com:8443'],
  ] as const) {
    expect((await ask('/llms.txt', name)).text).toContain(`[Agents](${origin}/agents)`)
    expect(JSON.parse((await ask('//evil.example/', name)).text).type).toBe(`${origin}/#not-found`)
  }
  expect((await ask('/llms.txt', 'other.example.com')).status).toBe(421)
  const { endpoints } = JSON.parse((await ask('/adp/describe', 'agents.example.com', 'POST', '{}')).text)
  expect(endpoints.map(({ uri }: { uri: string }) => uri)).toEqual(PUBLIC_ORIGIN.split(' '))
})

test('without a setting, or with an invalid one, no request is answered', async () => {
  for (const PUBLIC_ORIGIN of ['', 'agents.example.com', 'http://agents.example.com', 'https://a.example.com/path']) {
    await restart({ PUBLIC_ORIGIN })
    const { status, text } = await ask('/.well-known/did.json', host())
    expect(status).toBe(503)
    expect(JSON.parse(text)).toMatchObject({ type: '/#unavailable', detail: expect.stringContaining('PUBLIC_ORIGIN') })
  }
})
