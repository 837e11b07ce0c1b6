// The Worker as an OCI registry of agents, in the real runtime.
import { beforeAll, describe, expect, test } from 'vitest'
import { sealContainer } from '../../bindings/agentlang/container/seal.ts'
import { generateKey } from '../../bindings/keys/index.ts'
import type { Runtime } from '../support/runtime.ts'
import { workersOf } from '../support/workers.ts'
import { bytesOf, containerOf, digestOf, EMPTY, MANIFEST_TYPE, manifestOf, registryClient } from './registry-client.ts'
import { tokenOf } from './tokens.ts'

const workers = workersOf()
let runtime: Runtime
const { ask, put, push, publish, begin } = registryClient(() => runtime)

beforeAll(async () => {
  runtime = await workers.start()
})

const anonymous = { holder: null }

describe('a version', () => {
  test('is pushed, and anyone pulls it by tag and digest, to the byte', async () => {
    const container = await containerOf('1.0.0')
    const manifest = manifestOf(container, { annotations: { a: 'ä' } })
    expect((await push('acme/coach', bytesOf('{}'))).status).toBe(201)
    expect((await push('acme/coach', container)).headers.get('location')).toBe(
      `/v2/acme/coach/blobs/${digestOf(container)}`,
    )
    const { status, headers } = await put('/v2/acme/coach/manifests/1.0.0', manifest)
    const digest = digestOf(manifest)
    expect([status, headers.get('docker-content-digest')]).toEqual([201, digest])
    expect(headers.get('location')).toBe(`/v2/acme/coach/manifests/${digest}`)
    for (const reference of ['1.0.0', digest]) {
      const read = await ask('GET', `/v2/acme/coach/manifests/${reference}`, anonymous)
      expect([read.status, read.headers.get('content-type')]).toEqual([200, MANIFEST_TYPE])
      expect(read.headers.get('docker-content-digest')).toBe(digest)
      expect(Buffer.from(read.bytes)).toEqual(Buffer.from(manifest))
      const head = await ask('HEAD', `/v2/acme/coach/manifests/${reference}`, anonymous)
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(manifest.length)])
    }
    const blob = await ask('GET', `/v2/acme/coach/blobs/${digestOf(container)}`, anonymous)
    expect(Buffer.from(blob.bytes)).toEqual(Buffer.from(container))
    expect(blob.headers.get('content-type')).toBe('application/octet-stream')
    expect(blob.headers.get('x-content-type-options')).toBe('nosniff')
    expect(blob.headers.get('content-length')).toBe(String(container.length))
    const head = await ask('HEAD', `/v2/acme/coach/blobs/${digestOf(container)}`, anonymous)
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(container.length)])
  })

  test('never changes: the same bytes again are 201, others 409', async () => {
    const container = await containerOf('1.1.0')
    expect((await publish('acme/coach', '1.1.0', container)).status).toBe(201)
    expect((await publish('acme/coach', '1.1.0', container)).status).toBe(201)
    const other = await containerOf('1.1.0', { context: 'other' })
    expect(await publish('acme/coach', '1.1.0', other)).toMatchObject({ status: 409, code: 'DENIED' })
    const annotated = manifestOf(container, { annotations: { a: 'b' } })
    expect(await put('/v2/acme/coach/manifests/1.1.0', annotated)).toMatchObject({ status: 409, code: 'DENIED' })
    const { bytes } = await ask('GET', '/v2/acme/coach/manifests/1.1.0')
    expect(digestOf(bytes)).toBe(digestOf(manifestOf(container)))
  })

  test('is published only by its own tag, in the repository of its developer and name', async () => {
    const container = await containerOf('1.2.0+build.7')
    for (const [repository, tag] of [
      ['acme/coach', '1.2.0'],
      ['acme/coach', 'latest'],
      ['acme/other', '1.2.0_build.7'],
      ['acme/coach', digestOf(container)],
    ] as const)
      expect(await publish(repository, tag, container), `${repository}:${tag}`).toMatchObject({
        status: 400,
        code: 'MANIFEST_INVALID',
      })
    const foreign = await containerOf('1.0.0', { developer: 'Globex' })
    expect(await publish('acme/coach', '1.0.0', foreign)).toMatchObject({ status: 400, code: 'MANIFEST_INVALID' })
    expect((await publish('globex/coach', '1.0.0', foreign, { holder: 'globex' })).status, 'lower case').toBe(201)
    expect((await publish('acme/coach', '1.2.0_build.7', container)).status).toBe(201)
  })

  test('is refused when agent.yaml is of another developer, name or version than its manifest', async () => {
    const key = (await generateKey('Ed25519')).privateKey
    const seal = { name: 'coach', version: '8.0.0', developer: 'acme', key }
    for (const agent of [
      'name: coach\nversion: 8.0.0\ndeveloper: globex\n',
      'name: other\nversion: 8.0.0\ndeveloper: acme\n',
      'name: coach\nversion: 8.0.1\ndeveloper: acme\n',
    ]) {
      const container = await sealContainer({ ...seal, files: new Map([['agent.yaml', bytesOf(agent)]]) })
      expect(await publish('acme/coach', '8.0.0', container)).toMatchObject({ status: 400, code: 'MANIFEST_INVALID' })
    }
  })

  test('is published by its digest, with the tag of its version', async () => {
    const container = await containerOf('1.7.0')
    const digest = digestOf(manifestOf(container))
    expect((await publish('acme/coach', digest, container)).headers.get('docker-content-digest')).toBe(digest)
    for (const reference of ['1.7.0', digest])
      expect((await ask('HEAD', `/v2/acme/coach/manifests/${reference}`)).status).toBe(200)
    const other = await containerOf('1.7.0', { context: 'other' })
    expect(await publish('acme/coach', digestOf(manifestOf(other)), other)).toMatchObject({ status: 409 })
  })

  test('does not count before its container verifies', async () => {
    const container = await containerOf('1.3.0')
    await push('acme/coach', bytesOf('{}'))
    for (const at of [0, container.length >> 1, container.length - 1]) {
      const corrupted = container.slice()
      corrupted[at]! ^= 1
      await push('acme/coach', corrupted)
      const refused = await put('/v2/acme/coach/manifests/1.3.0', manifestOf(corrupted))
      expect(refused, `byte ${at}`).toMatchObject({ status: 400, code: 'MANIFEST_INVALID' })
    }
    expect((await ask('GET', '/v2/acme/coach/manifests/1.3.0')).status).toBe(404)
  })

  test('needs its blobs, in this repository and of the named size', async () => {
    const container = await containerOf('1.4.0')
    const place = '/v2/acme/coach/manifests/1.4.0'
    const unknown = { status: 404, code: 'MANIFEST_BLOB_UNKNOWN' }
    expect(await put(place, manifestOf(container))).toMatchObject(unknown)
    await push('acme/elsewhere', container)
    expect(await put(place, manifestOf(container)), 'the blob of another repository').toMatchObject(unknown)
    await push('acme/coach', container)
    const size = { layers: [{ digest: digestOf(container), size: 1 }] }
    expect(await put(place, manifestOf(container, size))).toMatchObject(unknown)
    const alone = await containerOf('1.0.0', { name: 'alone' })
    await push('acme/alone', alone)
    expect(await put('/v2/acme/alone/manifests/1.0.0', manifestOf(alone)), 'without its config').toMatchObject(unknown)
  })

  test.each([
    ['another artifact', { artifactType: 'application/vnd.oci.image.config.v1+json' }],
    ['no artifact', { artifactType: undefined }],
    ['an index', { mediaType: 'application/vnd.oci.image.index.v1+json' }],
    ['another schema', { schemaVersion: 1 }],
    ['a config of its own', { config: { ...EMPTY, digest: `sha256:${'0'.repeat(64)}` } }],
    ['a config of another size', { config: { ...EMPTY, size: 3 } }],
    ['no layer', { layers: [] }],
    ['layers that are not a list', { layers: { 0: { digest: EMPTY.digest, size: 2 } } }],
    ['two layers', { layers: [EMPTY, EMPTY] }],
  ])('is not %s', async (_, change) => {
    const { status } = await put('/v2/acme/coach/manifests/1.0.0', manifestOf(bytesOf('{}'), change))
    expect(status).toBe(400)
  })

  test('that is yanked is available by its digest, and its tag is not used again', async () => {
    const container = await containerOf('1.5.0')
    const digest = digestOf(manifestOf(container))
    await publish('acme/coach', '1.5.0', container)
    const place = '/v2/acme/coach/manifests/1.5.0'
    expect(await ask('DELETE', `/v2/acme/coach/manifests/${digest}`)).toMatchObject({ status: 404 })
    expect((await ask('DELETE', place)).status).toBe(202)
    const gone = await ask('GET', place)
    expect(gone).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
    expect(JSON.stringify(gone.value)).toContain('This version was yanked')
    expect(await ask('DELETE', place)).toMatchObject({ status: 404, code: 'MANIFEST_UNKNOWN' })
    expect((await ask('GET', `/v2/acme/coach/manifests/${digest}`)).status).toBe(200)
    expect((await ask('GET', `/v2/acme/coach/blobs/${digestOf(container)}`)).status).toBe(200)
    expect((await ask('GET', '/v2/acme/coach/tags/list')).value.tags).not.toContain('1.5.0')
    expect(await put(place, manifestOf(container)), 'the same bytes').toMatchObject({ status: 409, code: 'DENIED' })
    const other = await containerOf('1.5.0', { context: 'other' })
    expect(await publish('acme/coach', '1.5.0', other)).toMatchObject({ status: 409, code: 'DENIED' })
  })
})

describe('a range of a blob', () => {
  const blob = bytesOf('0123456789')
  const get = (range: string, more = {}) =>
    ask('GET', `/v2/acme/coach/blobs/${digestOf(blob)}`, { ...anonymous, headers: { range, ...more } })
  beforeAll(() => push('acme/coach', blob))

  // RFC 9110 sections 14.1.2 and 14.4.
  test.each([
    ['bytes=0-0', '0', '0-0'],
    ['bytes=2-5', '2345', '2-5'],
    ['Bytes=7-', '789', '7-9'],
    ['bytes=-3', '789', '7-9'],
    ['bytes=-99', '0123456789', '0-9'],
    ['bytes=8-99', '89', '8-9'],
  ])('%s is %s', async (range, text, found) => {
    const { status, headers, bytes } = await get(range)
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${found}/10`])
    expect([new TextDecoder().decode(bytes), headers.get('content-length')]).toEqual([text, String(text.length)])
    expect((await get(range, { 'if-range': '"other"' })).status, 'of another blob').toBe(200)
    expect((await get(range, { 'if-range': `"${digestOf(blob)}"` })).status).toBe(206)
  })
  test.each(['bytes=10-', 'bytes=-0', 'bytes=99-100'])('%s does not exist', async (range) => {
    const { status, headers } = await get(range)
    expect([status, headers.get('content-range')]).toEqual([416, 'bytes */10'])
  })
  test.each(['bytes=5-2', 'bytes=-', 'bytes=0-1,3-4', 'bytes=x', 'lines=0-1', `bytes=${'9'.repeat(30)}-`])(
    '%s is not one range, so the whole blob is the answer',
    async (range) => {
      const { status, bytes } = await get(range)
      expect([status, bytes.length]).toEqual([200, 10])
    },
  )
})

describe('tags', () => {
  test('are listed in order, in pages that lead to the next', async () => {
    const versions = ['1.0.0', '1.0.1', '1.10.0', '1.2.0', '2.0.0-a_b'.replace('_', '+')]
    for (const version of versions.toReversed()) {
      const container = await containerOf(version, { name: 'paged' })
      expect((await publish('acme/paged', version.replace('+', '_'), container)).status).toBe(201)
    }
    const tags = versions.map((version) => version.replace('+', '_'))
    expect((await ask('GET', '/v2/acme/paged/tags/list', anonymous)).value).toEqual({ name: 'acme/paged', tags })
    const seen: string[] = []
    for (let next: string | undefined = '/v2/acme/paged/tags/list?n=2'; next !== undefined; ) {
      const { value, headers } = await ask('GET', next, anonymous)
      seen.push(...value.tags)
      next = /^<(\/v2\/[^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(seen).toEqual(tags)
    expect((await ask('GET', '/v2/acme/paged/tags/list?n=0')).value.tags).toEqual([])
    expect((await ask('GET', '/v2/acme/paged/tags/list?n=x')).status).toBe(400)
    for (const repository of ['acme/unknown', 'stranger/coach'])
      expect(await ask('GET', `/v2/${repository}/tags/list`)).toMatchObject({ status: 404, code: 'NAME_UNKNOWN' })
  })
})

describe('an upload', () => {
  const patch = (place: string, body: Uint8Array, range?: string) =>
    ask('PATCH', place, {
      body,
      headers: { 'content-type': 'application/octet-stream', ...(range !== undefined && { 'content-range': range }) },
    })

  test('in chunks resumes where the last one ended', async () => {
    const blob = crypto.getRandomValues(new Uint8Array(50_000))
    const { status, place } = await begin('acme/coach')
    expect([status, place.slice(0, 28)]).toEqual([202, '/v2/acme/coach/blobs/uploads'])
    expect((await ask('GET', place)).headers.get('range')).toBe('0-0')
    const first = await patch(place, blob.slice(0, 20_000), '0-19999')
    expect([first.status, first.headers.get('range')]).toEqual([202, '0-19999'])
    for (const range of ['0-9999', '20001-30000', '20000-20001', 'bytes 20000-29999/*', 'x'])
      expect(await patch(place, blob.slice(20_000, 30_000), range), range).toMatchObject({
        status: 416,
        code: 'BLOB_UPLOAD_INVALID',
      })
    const status2 = await ask('GET', place)
    expect([status2.status, status2.headers.get('range')]).toEqual([204, '0-19999'])
    expect((await patch(place, blob.slice(20_000, 30_000))).headers.get('range'), 'no range').toBe('0-29999')
    const end = `${place}?digest=${digestOf(blob)}`
    expect((await ask('PUT', end, { body: blob.slice(30_000) })).status).toBe(201)
    const { bytes } = await ask('GET', `/v2/acme/coach/blobs/${digestOf(blob)}`)
    expect(digestOf(bytes)).toBe(digestOf(blob))
    expect(await ask('PUT', end, { body: blob.slice(30_000) }), 'it has ended').toMatchObject({
      status: 404,
      code: 'BLOB_UPLOAD_UNKNOWN',
    })
  })

  test('ends with an empty request, or has all bytes in its last one', async () => {
    const blob = crypto.getRandomValues(new Uint8Array(1000))
    const chunked = await begin('acme/coach')
    await patch(chunked.place, blob)
    expect((await ask('PUT', `${chunked.place}?digest=${digestOf(blob)}`)).status).toBe(201)
    const whole = await begin('acme/coach')
    expect((await ask('PUT', `${whole.place}?digest=${digestOf(blob)}`, { body: blob })).status).toBe(201)
  })

  test('of 9 MiB in unequal chunks has the bytes of its chunks in order', async () => {
    const blob = new Uint8Array(9 << 20).map((_, i) => (i * 7919) >> 8)
    const { place } = await begin('acme/coach')
    await patch(place, blob.subarray(0, (4 << 20) + 5))
    await patch(place, blob.subarray((4 << 20) + 5, (4 << 20) + 6))
    const end = `${place}?digest=${digestOf(blob)}`
    expect((await ask('PUT', end, { body: blob.subarray((4 << 20) + 6) })).status).toBe(201)
    const { bytes } = await ask('GET', `/v2/acme/coach/blobs/${digestOf(blob)}`)
    expect(digestOf(bytes)).toBe(digestOf(blob))
  })

  test('without a length is bounded, and counts its bytes', async () => {
    const { place } = await begin('acme/coach')
    const stream = async function* (size: number) {
      for (let rest = size; rest > 0; rest -= 1 << 20) yield new Uint8Array(Math.min(rest, 1 << 20))
    }
    const send = async (size: number) => {
      const token = tokenOf(runtime.origin, { scope: 'push', holder: 'acme' })
      const init = {
        method: 'PATCH',
        body: stream(size),
        duplex: 'half',
        headers: { authorization: `Bearer ${token}` },
      }
      return fetch(runtime.origin + place, init as object)
    }
    const first = await send((5 << 20) + 3)
    expect([first.status, first.headers.get('range')]).toEqual([202, `0-${(5 << 20) + 2}`])
    expect((await send(30 << 20)).status).toBe(413)
  })

  test('that does not have its digest is refused', async () => {
    const [blob, other] = [bytesOf('blob'), digestOf(bytesOf('other'))]
    const { place } = await begin('acme/coach')
    const refused = { status: 400, code: 'DIGEST_INVALID' }
    for (const digest of [other, 'sha256:x', 'md5:00', '', other.toUpperCase()])
      expect(await ask('PUT', `${place}?digest=${digest}`, { body: blob }), digest).toMatchObject(refused)
    expect(await ask('PUT', place, { body: blob })).toMatchObject(refused)
    const post = await ask('POST', `/v2/acme/coach/blobs/uploads/?digest=${other}`, { body: blob })
    expect(post).toMatchObject(refused)
    expect((await ask('GET', `/v2/acme/coach/blobs/${other}`)).status).toBe(404)
  })

  test('of more than 32 MiB is refused, in one request and in chunks', async () => {
    const large = new Uint8Array(33 << 20)
    const { place } = await begin('acme/coach')
    const refused = { status: 413, code: 'SIZE_INVALID' }
    expect(await push('acme/coach', large)).toMatchObject(refused)
    expect((await patch(place, large.subarray(0, 20 << 20))).status).toBe(202)
    expect(await patch(place, large.subarray(0, 13 << 20))).toMatchObject(refused)
    expect((await ask('GET', place)).headers.get('range')).toBe(`0-${(20 << 20) - 1}`)
    expect((await push('acme/coach', large.subarray(0, 32 << 20))).status, 'exactly 32 MiB').toBe(201)
  })

  test('is not mounted from another repository, but begun', async () => {
    const blob = bytesOf('to mount')
    await push('acme/source', blob)
    const query = `mount=${digestOf(blob)}&from=acme/source`
    const { status, headers } = await ask('POST', `/v2/acme/coach/blobs/uploads/?${query}`)
    expect([status, headers.get('location')]).toEqual([202, expect.stringContaining('/v2/acme/coach/blobs/uploads/')])
    expect((await ask('GET', `/v2/acme/coach/blobs/${digestOf(blob)}`)).status).toBe(404)
  })

  test('belongs to its repository', async () => {
    const { place } = await begin('acme/coach')
    const elsewhere = place.replace('coach', 'other')
    expect(await patch(elsewhere, bytesOf('x'))).toMatchObject({ status: 404, code: 'BLOB_UPLOAD_UNKNOWN' })
  })
})

describe('a token', () => {
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  })
  const token = (holder: string, scope = 'push') => tokenOf(runtime.origin, { scope, holder })
  const start = (headers: Record<string, string>) =>
    ask('POST', '/v2/acme/coach/blobs/uploads/', { holder: null, headers })

  test('of the developer opens pushing, as Bearer or as the password of any user', async () => {
    expect((await start({ authorization: `bearer ${token('acme')}` })).status).toBe(202)
    for (const user of ['', 'anyone', 'ä']) expect((await start(basic(user, token('acme')))).status).toBe(202)
    expect((await start({ authorization: `Bearer ${token('ops', 'operate')}` })).status, 'the operator').toBe(202)
    expect((await ask('GET', '/v2/')).status).toBe(200)
    expect((await ask('GET', '/v2/', { holder: null, headers: basic('x', token('globex')) })).status).toBe(200)
  })

  test('that is missing or wrong gets 401, with the challenge that clients understand', async () => {
    const secret = basic('x', 'the-secret-of-the-tests-and-of-nothing-else')
    const answers = [
      await ask('GET', '/v2/', anonymous),
      await start({}),
      await start(basic('acme', `${token('acme')}x`)),
      await start(basic(token('acme'), '')),
      await start({ authorization: `Basic ${token('acme')}` }),
      await start({ authorization: 'Basic !' }),
      await start({ authorization: 'Basic' }),
      await start({ authorization: `Digest ${token('acme')}` }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="blazon"')
    }
    expect(await start(secret), 'the secret itself').toMatchObject({ status: 403, code: 'DENIED' })
  })

  test('of another developer, or with another scope, pushes and yanks nothing', async () => {
    const container = await containerOf('1.6.0')
    await publish('acme/coach', '1.6.0', container)
    const denied = { status: 403, code: 'DENIED' }
    for (const given of [{ holder: 'globex' }, { scope: 'write' }, { scope: 'publish' }, { scope: 'audit' }]) {
      expect(await ask('POST', '/v2/acme/coach/blobs/uploads/', given)).toMatchObject(denied)
      expect(await put('/v2/acme/coach/manifests/1.6.0', manifestOf(container), given)).toMatchObject(denied)
      expect(await ask('DELETE', '/v2/acme/coach/manifests/1.6.0', given)).toMatchObject(denied)
    }
    const refused = await ask('PUT', '/runs', { scope: 'push' })
    expect(refused.status).toBe(405)
    expect((await ask('GET', '/runs', { scope: 'push' })).status, 'and opens nothing else').toBe(403)
  })

  test('opens no name that is not one of OCI', async () => {
    for (const name of ['Coach', '-a', 'a..b', 'a%2Fb', 'a'.repeat(129), '%F0%9F%98%80', '_catalog'])
      for (const path of [`/v2/acme/${name}/tags/list`, `/v2/acme/${name}/manifests/1.0.0`])
        expect(await ask('GET', path), name).toMatchObject({ status: 400, code: 'NAME_INVALID' })
    expect((await ask('GET', '/v2/_catalog')).status).toBe(404)
  })
})

test('the Host of a request is never repeated', async () => {
  const { headers } = await ask('POST', '/v2/acme/coach/blobs/uploads/')
  expect(headers.get('location')).toMatch(/^\/v2\/acme\/coach\/blobs\/uploads\/[\w-]+$/)
})

describe('one developer', () => {
  test('has no more bytes and versions than the settings allow, and others are not affected', async () => {
    const small = await workers.start({ settings: { REGISTRY_BYTES: '3000', REGISTRY_VERSIONS: '1' } })
    const { push, publish } = registryClient(() => small)
    const full = { status: 507, code: 'DENIED' }
    const [first, second] = [await containerOf('1.0.0'), await containerOf('1.0.1')]
    expect((await publish('acme/coach', '1.0.0', first)).status).toBe(201)
    expect(await publish('acme/coach', '1.0.1', second)).toMatchObject(full)
    expect((await publish('acme/coach', '1.0.0', first)).status, 'a known version').toBe(201)
    const blob = crypto.getRandomValues(new Uint8Array(3000))
    expect(await push('acme/coach', blob)).toMatchObject(full)
    expect((await push('globex/coach', blob, { holder: 'globex' })).status).toBe(201)
  })

  test('that leaves uploads unfinished gets 429, and others go on', async () => {
    const own = { holder: 'forgetful' }
    const statuses: number[] = []
    for (let i = 0; i < 101; i++) statuses.push((await begin('forgetful/coach', own)).status)
    expect(statuses).toEqual([...Array<number>(100).fill(202), 429])
    expect((await begin('acme/coach')).status).toBe(202)
  })
})

describe('containers that are verified at once', () => {
  test('have at most 32 MiB of one developer, and those of others are published', async () => {
    const large = await containerOf('1.0.0', { name: 'large', context: 'x'.repeat(12 << 20) })
    const small = await containerOf('1.0.0', { developer: 'globex', name: 'small' })
    for (const blob of [bytesOf('{}'), large]) await push('acme/large', blob)
    for (const blob of [bytesOf('{}'), small]) await push('globex/small', blob, { holder: 'globex' })
    const publishLarge = () => put('/v2/acme/large/manifests/1.0.0', manifestOf(large))
    const [other, ...all] = await Promise.all([
      put('/v2/globex/small/manifests/1.0.0', manifestOf(small), { holder: 'globex' }),
      ...Array.from({ length: 6 }, publishLarge),
    ])
    const refused = all.filter(({ status }) => status !== 201)
    expect([other.status, all.length - refused.length >= 2, refused.length > 0]).toEqual([201, true, true])
    for (const { status, code, headers } of refused)
      expect([status, code, headers.get('retry-after')]).toEqual([429, 'TOOMANYREQUESTS', '1'])
    expect((await publishLarge()).status, 'afterwards').toBe(201)
  })
})

test('no acknowledged version is lost when the server is killed, and an upload goes on', async () => {
  let server = await workers.start({}, 'killed')
  const client = registryClient(() => server)
  const container = await containerOf('1.0.0')
  const blob = crypto.getRandomValues(new Uint8Array(2000))
  await client.publish('acme/coach', '1.0.0', container)
  const { place } = await client.begin('acme/coach')
  const headers = { 'content-type': 'application/octet-stream' }
  await client.ask('PATCH', place, { body: blob.subarray(0, 1000), headers })
  await server.kill()
  server = await workers.start({}, 'killed')
  const { bytes } = await client.ask('GET', '/v2/acme/coach/manifests/1.0.0')
  expect(digestOf(bytes)).toBe(digestOf(manifestOf(container)))
  expect(digestOf((await client.ask('GET', `/v2/acme/coach/blobs/${digestOf(container)}`)).bytes)).toBe(
    digestOf(container),
  )
  expect((await client.ask('GET', place)).headers.get('range')).toBe('0-999')
  const end = await client.ask('PUT', `${place}?digest=${digestOf(blob)}`, { body: blob.subarray(1000), headers })
  expect(end.status).toBe(201)
})
