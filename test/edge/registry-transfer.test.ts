// Our client of registries with our own: the Worker, in the real runtime.
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRegistry, parseReference, publishContainer, pullContainer } from '../../bindings/agentlang/index.ts'
import { containerOf, developerKey, sha256 } from '../agentlang/registries.ts'
import { workersOf } from '../support/workers.ts'
import { registryClient } from './registry-client.ts'
import { tokenOf } from './tokens.ts'

const workers = workersOf()
let origin: string
let worker: number
const { ask } = registryClient(() => ({ origin }))
/** Cuts a connection once, after a number of bytes in that direction. */
let cut: { readonly of: 'request' | 'answer'; readonly after: number } | undefined
/** Stands before the Worker. */
const relay = createServer((client) => {
  const server = connect(worker, '127.0.0.1')
  const passed = { request: 0, answer: 0 }
  for (const [of, from, to] of [
    ['request', client, server],
    ['answer', server, client],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('end', () => to.end())
    from.on('data', (bytes) => {
      passed[of] += bytes.length
      if (cut === undefined || cut.of !== of || passed[of] < cut.after) return to.write(bytes)
      cut = undefined
      client.destroy()
      return server.destroy()
    })
  }
})

beforeAll(async () => {
  await new Promise<void>((done) => relay.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  const runtime = await workers.start({ settings: { PUBLIC_ORIGIN: origin } })
  worker = Number(new URL(runtime.origin).port)
})
afterAll(() => relay.close())

const loginOf = (holder: string) => ({
  login: { user: 'any', password: tokenOf(origin, { scope: 'push', holder }) },
})
const publish = (bytes: Uint8Array, options: openRegistry.Options = loginOf('acme')) =>
  publishContainer(bytes, { open: (repository) => openRegistry({ origin, repository }, options) })
async function pull(name: string, options: openRegistry.Options = {}) {
  const reference = parseReference(`${new URL(origin).host}/acme/${name}`)!
  return pullContainer(reference, openRegistry(reference, options), { keys: [(await developerKey()).publicKey] })
}
/** Lists the requests, and hands back what the Worker answers, perhaps with other bytes. */
function watching(change = (_url: string, bytes: Uint8Array) => bytes) {
  const sent: string[] = []
  const fetch = async (url: string, init: RequestInit) => {
    sent.push(init.method!)
    const { status, headers, ...answer } = await globalThis.fetch(url, init).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      bytes: new Uint8Array(await response.arrayBuffer()),
    }))
    return new Response(status === 204 ? null : Buffer.from(change(url, answer.bytes)), { status, headers })
  }
  return { fetch, sent }
}

describe('a container', () => {
  test('goes to the Worker and comes back by version and by digest [agentlang/publish-1]', async () => {
    const bytes = await containerOf('1.0.0+build.7', { 'context/a.md': 'x'.repeat(3 << 20) })
    const published = await publish(bytes)
    expect(published).toMatchObject({ repository: 'acme/coach', tag: '1.0.0_build.7', isNew: true })
    for (const name of ['coach:1.0.0+build.7', `coach@${published.digest}`]) {
      const { bytes: pulled, opened, fault } = await pull(name)
      expect([fault, opened?.proof.verdict, sha256(pulled!)], name).toEqual([undefined, 'verified', sha256(bytes)])
    }
  })

  test('is published again without an upload; another one of its version is not sent [agentlang/publish-3]', async () => {
    const bytes = await containerOf('1.1.0')
    const first = await publish(bytes)
    const { fetch, sent } = watching()
    expect(await publish(bytes, { ...loginOf('acme'), fetch })).toEqual({ ...first, isNew: false })
    const other = await containerOf('1.1.0', { 'context/a.md': 'other' })
    expect((await publish(other, { ...loginOf('acme'), fetch })).fault?.kind).toBe('exists')
    expect(sent).toEqual(['GET', 'GET'])
    expect(sha256((await pull('coach:1.1.0')).bytes!)).toBe(sha256(bytes))
  })

  test('that was yanked is available by its digest only', async () => {
    const bytes = await containerOf('1.2.0')
    const { digest } = await publish(bytes)
    expect((await ask('DELETE', '/v2/acme/coach/manifests/1.2.0')).status).toBe(202)
    expect((await pull('coach:1.2.0')).fault?.kind).toBe('missing')
    expect(sha256((await pull(`coach@${digest}`)).bytes!)).toBe(sha256(bytes))
    expect((await publish(bytes)).fault).toMatchObject({ kind: 'refused', message: expect.stringContaining('1.2.0') })
  })

  test('needs the token of its developer [agentlang/publish-4]', async () => {
    const bytes = await containerOf('1.3.0')
    const wrong = { login: { user: 'any', password: 'open-sesame' } }
    for (const [options, kind] of [
      [{}, 'login'],
      [wrong, 'login'],
      [loginOf('globex'), 'refused'],
    ] as const) {
      const { fault } = await publish(bytes, options)
      expect([fault?.kind, fault?.message.includes('open-sesame')]).toEqual([kind, false])
    }
    expect((await pull('coach:1.3.0')).fault?.kind).toBe('missing')
    expect(await publish(bytes)).toMatchObject({ isNew: true })
    expect((await pull('coach:1.3.0', wrong)).opened?.proof.verdict, 'pulling needs none').toBe('verified')
  })
})

test.each([
  ['the upload', 'request', '2.0.0'],
  ['the answer', 'answer', '2.0.1'],
] as const)('%s is cut once, and the container arrives whole [agentlang/publish-6]', async (_, of, version) => {
  const bytes = await containerOf(version, { 'context/a.md': 'y'.repeat(400_000) })
  if (of === 'request') cut = { of, after: 200_000 }
  expect((await publish(bytes)).fault).toBeUndefined()
  if (of === 'answer') cut = { of, after: 200_000 }
  const { bytes: pulled, fault } = await pull(`coach:${version}`)
  expect([fault, sha256(pulled!), cut]).toEqual([undefined, sha256(bytes), undefined])
})

test('a blob that is corrupted in transit is refused on both sides', async () => {
  const bytes = await containerOf('3.0.0')
  const corrupt = (content: Uint8Array) => content.map((byte, i) => (i === content.length >> 1 ? byte ^ 1 : byte))
  const bad = async (url: string, init: RequestInit) => {
    const body = init.body as Uint8Array<ArrayBuffer> | undefined
    return fetch(url, body?.length === bytes.length ? { ...init, body: corrupt(body) as typeof body } : init)
  }
  const { fault } = await publish(bytes, { ...loginOf('acme'), fetch: bad })
  expect([fault?.kind, fault?.message]).toEqual([
    'refused',
    expect.stringContaining(sha256(corrupt(bytes)).slice(0, 20)),
  ])
  expect((await publish(bytes)).isNew).toBe(true)
  const { fetch: changing } = watching((url, content) => (url.includes('/blobs/') ? corrupt(content) : content))
  expect(await pull('coach:3.0.0', { fetch: changing })).toEqual({
    fault: expect.objectContaining({ kind: 'invalid' }),
  })
})
