// Publishing and pulling containers: with docker-registry and skopeo, and with registries that lie.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type ContainerReference,
  openRegistry,
  parseReference,
  publishContainer,
  pullContainer,
} from '../../bindings/agentlang/index.ts'
import { hasPrograms } from '../support/programs.ts'
import {
  containerOf,
  developerKey,
  encode,
  type RealRegistry,
  realRegistry,
  sha256,
  smallRegistry,
} from './registries.ts'

const hasRegistry = hasPrograms('publishing to docker-registry, and skopeo', ['docker-registry', 'skopeo'])

const TYPE = 'application/vnd.agentlang.agent.v1'
interface ManifestOnDisk {
  artifactType?: string | undefined
  config: { digest: string }
  layers: { size: unknown; digest: string }[]
}
/** image-spec 1.1, "Guidance for an Empty Descriptor". */
const EMPTY = sha256('{}')

const refer = (text: string) => parseReference(text) as ContainerReference
const publish = (bytes: Uint8Array, host: string, options: openRegistry.Options = {}) =>
  publishContainer(bytes, { open: (repository) => openRegistry({ origin: `http://${host}`, repository }, options) })
const pull = async (text: string, options: openRegistry.Options = {}) => {
  const reference = refer(text)
  return pullContainer(reference, openRegistry(reference, options), { keys: [(await developerKey()).publicKey] })
}

describe('references', () => {
  test.each([
    ['registry.example.com/acme/coach:1.0.0', 'https://registry.example.com', 'acme/coach', '1.0.0'],
    ['registry.example.com/acme/coach@1.0.0', 'https://registry.example.com', 'acme/coach', '1.0.0'],
    ['registry.example.com/acme/coach:1.0.0_build.7', 'https://registry.example.com', 'acme/coach', '1.0.0+build.7'],
    ['registry.example.com/acme/coach:1.0.0+build.7', 'https://registry.example.com', 'acme/coach', '1.0.0+build.7'],
    ['https://Registry.example.com:8443/a/b/c:2.0.0-rc.1', 'https://registry.example.com:8443', 'a/b/c', '2.0.0-rc.1'],
    ['localhost:5000/acme/coach:1.0.0', 'http://localhost:5000', 'acme/coach', '1.0.0'],
    ['[::1]:5000/acme/coach:1.0.0', 'http://[::1]:5000', 'acme/coach', '1.0.0'],
  ])('%s names a version', (text, origin, repository, version) => {
    expect(parseReference(text)).toEqual({ origin, repository, version })
  })
  test('a reference may name a digest', () => {
    const digest = `sha256:${'0a'.repeat(32)}`
    expect(parseReference(`x.example/acme/coach@${digest}`)).toEqual({
      origin: 'https://x.example',
      repository: 'acme/coach',
      digest,
    })
  })
  test.each([
    '',
    'coach:1.0.0',
    'x.example/coach:1.0.0',
    'x.example/acme/coach',
    'x.example/acme/coach:latest',
    'x.example/Acme/coach:1.0.0',
    'x.example/acme/../coach:1.0.0',
    'x.example/acme//coach:1.0.0',
    'x.example/acme/coach:1.0.0?x',
    'x.example/acme/co%2fach:1.0.0',
    'user:password@x.example/acme/coach:1.0.0',
    'http://x.example/acme/coach:1.0.0',
    'ftp://x.example/acme/coach:1.0.0',
    'x.example:99999/acme/coach:1.0.0',
    `x.example/acme/coach@sha256:${'0'.repeat(63)}`,
    `x.example/acme/coach@md5:${'0'.repeat(32)}`,
    `x.example/acme/${'a'.repeat(300)}:1.0.0`,
    `x.example/${'a/'.repeat(100_000)}a:1.0.0`,
    `x.example/acme/${'-'.repeat(900)}:1.0.0`,
  ])('refuses reference %#', (text) => {
    expect(parseReference(text)).toBeUndefined()
  })
})

describe.runIf(hasRegistry)('docker-registry and skopeo', () => {
  let registry: RealRegistry
  const folder = mkdtempSync(join(tmpdir(), 'blazon-skopeo-'))
  beforeAll(async () => {
    registry = await realRegistry()
  })
  afterAll(() => {
    registry.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const skopeo = (...argv: readonly string[]) => execFileSync('skopeo', argv, { encoding: 'utf8', stdio: 'pipe' })

  test('a published container comes back unchanged, by version and by digest [agentlang/publish-1]', async () => {
    const bytes = await containerOf('1.0.0+build.7', { 'context/a.md': 'x'.repeat(3 << 20) })
    const published = await publish(bytes, registry.host)
    expect(published).toMatchObject({ repository: 'acme/coach', tag: '1.0.0_build.7', isNew: true })
    const named = `${registry.host}/acme/coach`
    for (const text of [`${named}:1.0.0+build.7`, `${named}@${published.digest}`]) {
      const { bytes: pulled, opened, fault } = await pull(text)
      expect([fault, opened?.proof.verdict, sha256(pulled!)]).toEqual([undefined, 'verified', sha256(bytes)])
    }
  })
  test('the manifest is an artifact with the empty config and one layer [agentlang/publish-2]', async () => {
    const bytes = await containerOf('1.1.0')
    const { digest } = await publish(bytes, registry.host)
    const raw = skopeo('inspect', '--raw', '--tls-verify=false', `docker://${registry.host}/acme/coach:1.1.0`)
    expect(sha256(raw)).toBe(digest)
    expect(JSON.parse(raw)).toMatchObject({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      artifactType: TYPE,
      config: { mediaType: 'application/vnd.oci.empty.v1+json', digest: EMPTY, size: 2 },
      layers: [{ digest: sha256(bytes), size: bytes.length }],
    })
  })
  test('the same container may be published again, another one may not [agentlang/publish-3]', async () => {
    const bytes = await containerOf('1.2.0')
    const first = await publish(bytes, registry.host)
    expect(await publish(bytes, registry.host)).toEqual({ ...first, isNew: false })
    const { fault } = await publish(await containerOf('1.2.0', { 'context/a.md': 'other' }), registry.host)
    expect([fault?.kind, fault?.message]).toEqual(['exists', expect.stringContaining('1.2.0')])
    expect(sha256((await pull(`${registry.host}/acme/coach:1.2.0`)).bytes!)).toBe(sha256(bytes))
  })
  test('skopeo moves it to a layout folder and to another registry, with one digest [agentlang/publish-2]', async () => {
    const bytes = await containerOf('1.3.0')
    const { digest } = await publish(bytes, registry.host)
    const other = await realRegistry()
    try {
      const copy = ['copy', '--preserve-digests', '--src-tls-verify=false', '--dest-tls-verify=false']
      const layout = `oci:${folder}/layout:1.3.0`
      skopeo(...copy, `docker://${registry.host}/acme/coach:1.3.0`, layout)
      expect(JSON.parse(readFileSync(`${folder}/layout/index.json`, 'utf8')).manifests[0].digest).toBe(digest)
      skopeo(...copy, layout, `docker://${other.host}/acme/coach:1.3.0`)
      const { opened, fault } = await pull(`${other.host}/acme/coach@${digest}`)
      expect([fault, opened?.proof.verdict]).toEqual([undefined, 'verified'])
    } finally {
      other.close()
    }
  })
  test('a missing version is missing', async () => {
    expect((await pull(`${registry.host}/acme/coach:9.0.0`)).fault?.kind).toBe('missing')
    expect((await pull(`${registry.host}/acme/nobody:1.0.0`)).fault?.kind).toBe('missing')
  })
  test('a login is needed where the registry wants one, and a wrong one is refused [agentlang/publish-4]', async () => {
    // htpasswd -nbB me open-sesame
    const locked = await realRegistry('me:$2y$05$abcdefghijklmnopqrstuutXu9KzOt.1yBoZUeFWoT/914/JfszCO\n')
    try {
      const bytes = await containerOf('1.0.0')
      const login = (password: string) => ({ login: { user: 'me', password } })
      expect((await publish(bytes, locked.host)).fault?.kind).toBe('login')
      const { fault } = await publish(bytes, locked.host, login('wrong-password'))
      expect([fault?.kind, fault?.message.includes('wrong-password')]).toEqual(['login', false])
      expect(await publish(bytes, locked.host, login('open-sesame'))).toMatchObject({ isNew: true })
      const { opened } = await pull(`${locked.host}/acme/coach:1.0.0`, login('open-sesame'))
      expect(opened?.proof.verdict).toBe('verified')
    } finally {
      locked.close()
    }
  })
})

describe('registries that lie, cut and redirect', () => {
  const closing: { close(): void }[] = []
  afterEach(() => {
    for (const one of closing.splice(0)) one.close()
  })
  const small = async (...handle: Parameters<typeof smallRegistry>) => {
    const registry = await smallRegistry(...handle)
    closing.push(registry)
    return registry
  }
  /** A registry that has coach 1.0.0, and behaves when it is asked for it. */
  async function published(...handle: Parameters<typeof smallRegistry>) {
    const honest = await small()
    const bytes = await containerOf('1.0.0', { 'context/a.md': 'x'.repeat(100_000) })
    await publish(bytes, honest.host)
    const registry = await small(...handle)
    for (const name of ['blobs', 'manifests'] as const)
      for (const [key, value] of honest[name]) registry[name].set(key, value)
    return { ...registry, bytes, name: `${registry.host}/acme/coach:1.0.0` }
  }
  const LOGIN = { login: { user: 'me', password: 'open-sesame' } }

  test.each<[string, Parameters<typeof smallRegistry>[0], string]>([
    ['a corrupted blob', ({ path }, out) => path.includes('/blobs/') && out.end(Buffer.alloc(100_500)), 'invalid'],
    ['a shorter blob', ({ path }, out) => path.includes('/blobs/') && out.end('x'), 'invalid'],
    ['a missing blob', ({ path }, out) => path.includes('/blobs/') && out.writeHead(404).end(), 'missing'],
    ['a manifest that is not JSON', ({ path }, out) => path.includes('/manifests/') && out.end('{'), 'invalid'],
    ['a manifest of 65,537 bytes', (_, out) => out.end(' '.repeat(65_537)), 'invalid'],
    [
      'a blob that is cut each time',
      ({ path }, out) =>
        path.includes('/blobs/') && out.writeHead(200, { 'content-length': 9 }).write('x', () => out.destroy()),
      'unreachable',
    ],
    [
      'an error of the server',
      (_, out) => out.writeHead(500).end('{"errors":[{"message":"\\u001b[31mdisk"}]}'),
      'unreachable',
    ],
    ['a refusal', (_, out) => out.writeHead(403).end('[]'), 'refused'],
    ['endless redirects', ({ path }, out) => out.writeHead(307, { location: path }).end(), 'refused'],
    ['a redirect without a place', (_, out) => out.writeHead(307).end(), 'refused'],
  ])('%s is a fault, and gives no bytes', async (_, handle, kind) => {
    const { name } = await published(handle)
    const { fault, bytes } = await pull(name)
    expect([fault?.kind, bytes]).toEqual([kind, undefined])
    expect(fault?.message).not.toContain('\u001b')
  })
  test.each([
    ['1', 2, undefined],
    ['11', 1, 'refused'],
    ['soon', 1, 'refused'],
  ])('a busy registry that asks to retry after %s is asked %i times', async (after, times, kind) => {
    let asked = 0
    const registry = await small(
      ({ method, path }, out) =>
        method === 'GET' &&
        path.includes('/manifests/') &&
        asked++ === 0 &&
        out.writeHead(429, { 'retry-after': after }).end(),
    )
    const { fault } = await publish(await containerOf('1.0.0'), registry.host)
    expect([fault?.kind, asked]).toEqual([kind, times])
  })
  test('a blob without an end is read up to its size', async () => {
    let sent = 0
    const { name } = await published(({ path }, out) => {
      if (!path.includes('/blobs/')) return false
      const more = () => {
        while (!out.destroyed && out.write(Buffer.alloc(50_000))) sent += 50_000
      }
      out.on('drain', more)
      more()
      return true
    })
    expect((await pull(name)).fault?.kind).toBe('invalid')
    expect(sent).toBeLessThan(20_000_000)
  })
  test('a registry that never answers is left', async () => {
    const { name } = await published(() => true)
    expect((await pull(name, { timeoutMs: 50 })).fault).toMatchObject({ kind: 'unreachable' })
  })
  test.each<[string, (manifest: ManifestOnDisk) => void]>([
    ['another artifact type', (manifest) => (manifest.artifactType = 'application/vnd.example')],
    ['no artifact type', (manifest) => delete manifest.artifactType],
    ['an artifact type that it inherits', (manifest) => (manifest.artifactType = undefined)],
    ['two layers', (manifest) => manifest.layers.push(manifest.layers[0]!)],
    ['no layer', (manifest) => (manifest.layers = [])],
    ['another config', (manifest) => (manifest.config.digest = sha256('x'))],
    ['a layer of more than 64 MiB', (manifest) => (manifest.layers[0]!.size = (64 << 20) + 1)],
    ['a size that is not a number', (manifest) => (manifest.layers[0]!.size = '5')],
    ['a negative size', (manifest) => (manifest.layers[0]!.size = -1)],
    ['a digest that leaves the repository', (manifest) => (manifest.layers[0]!.digest = '../../../other')],
    ['another size', (manifest) => (manifest.layers[0]!.size = Number(manifest.layers[0]!.size) + 1)],
  ])('a manifest with %s is invalid', async (_, change) => {
    const { name, manifests } = await published()
    const manifest = JSON.parse(Buffer.from(manifests.get('1.0.0')!).toString())
    change(manifest)
    manifests.set('1.0.0', encode(JSON.stringify(manifest)))
    expect((await pull(name)).fault?.kind).toBe('invalid')
  })
  test('by digest, a manifest with other bytes is invalid', async () => {
    const { host, manifests } = await published()
    const digest = sha256('another')
    manifests.set(digest, manifests.get('1.0.0')!)
    expect((await pull(`${host}/acme/coach@${digest}`)).fault?.kind).toBe('invalid')
  })
  test.each([
    ['version', {}, '1.1.0', 'acme/coach:1.0.0'],
    ['agent', { name: 'other' }, '1.0.0', 'acme/coach:1.0.0'],
    ['developer', { developer: 'other' }, '1.0.0', 'acme/coach:1.0.0'],
    ['developer that ends alike', { developer: 'me' }, '1.0.0', 'acme/coach:1.0.0'],
  ])(
    'a signed container of another %s is not the one that was asked for [agentlang/publish-5]',
    async (_, own, version, name) => {
      const registry = await small()
      await publishContainer(await containerOf(version, {}, own), {
        open: () => openRegistry({ origin: `http://${registry.host}`, repository: 'acme/coach' }),
      })
      registry.manifests.set('1.0.0', registry.manifests.get(version)!)
      expect((await pull(`${registry.host}/${name}`)).fault?.kind).toBe('invalid')
    },
  )
  test('a container of another key is pulled, and its proof fails', async () => {
    const { name, bytes } = await published()
    const reference = refer(name)
    const { generateKey } = await import('../../bindings/keys/index.ts')
    const keys = [(await generateKey('Ed25519')).publicKey]
    const { opened, fault } = await pullContainer(reference, openRegistry(reference), { keys })
    expect([fault, opened?.proof.verdict, bytes.length > 0]).toEqual([undefined, 'failed', true])
  })

  test('a redirect of a blob is followed without the login', async () => {
    const storage = await small((_, out) => out.end(Buffer.from(bytes)))
    const { name, seen, bytes } = await published(({ path, authorization }, out) => {
      if (authorization === undefined) return out.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
      return path.includes('/blobs/') && out.writeHead(307, { location: `http://${storage.host}/blob?signed` }).end()
    })
    expect(sha256((await pull(name, LOGIN)).bytes!)).toBe(sha256(bytes))
    expect(seen.at(-1)!.authorization).toBe(`Basic ${btoa('me:open-sesame')}`)
    expect(storage.seen.map(({ authorization }) => authorization)).toEqual([undefined])
  })
  test.each([
    'http://storage.example/x',
    'https://169.254.169.254/x',
    'https://10.0.0.1/x',
    'file:///etc/passwd',
    'https://u:p@storage.example/',
  ])('a redirect to %s is not followed', async (location) => {
    const { name } = await published(
      ({ path }, out) => path.includes('/blobs/') && out.writeHead(302, { location }).end(),
    )
    const asked: string[] = []
    const { fault } = await pull(name, {
      fetch: (url, init) => {
        asked.push(new URL(url).host)
        return fetch(url, init)
      },
    })
    expect([fault?.kind, new Set(asked).size]).toEqual(['refused', 1])
  })
  test('a public registry cannot lead to this machine', async () => {
    const asked: string[] = []
    const { fault } = await pull('registry.example.com/acme/coach:1.0.0', {
      fetch: async (url) => {
        asked.push(url)
        return new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:9/' } })
      },
    })
    expect([fault?.kind, asked.length]).toEqual(['refused', 1])
  })

  /** A registry whose token server is elsewhere. */
  async function withTokens(token: string, wwwAuthenticate: (host: string) => string) {
    const tokens = await small((_, out) => out.end(JSON.stringify({ token })))
    const registry = await published(({ authorization }, out) => {
      if (authorization === `Bearer ${token}`) return false
      return out.writeHead(401, { 'www-authenticate': wwwAuthenticate(tokens.host) }).end()
    })
    return { ...registry, tokens }
  }
  const challenge = (host: string) =>
    `Bearer realm="http://${host}/token",service="registry",scope="repository:victim/private:push,pull"`

  test('a token is fetched for this repository only, whatever scope the registry names [agentlang/publish-4]', async () => {
    const { name, tokens, bytes } = await withTokens('abc', challenge)
    expect(sha256((await pull(name)).bytes!)).toBe(sha256(bytes))
    const [{ query, authorization }] = tokens.seen as [(typeof tokens.seen)[0]]
    expect([query.get('scope'), query.get('service'), authorization]).toEqual([
      'repository:acme/coach:pull',
      'registry',
      undefined,
    ])
  })
  test('the login is sent to a token server only if the caller allows its host', async () => {
    const { name, tokens, bytes } = await withTokens('abc', challenge)
    const { fault } = await pull(name, LOGIN)
    expect([fault?.kind, tokens.seen.length]).toEqual(['login', 0])
    expect(fault?.message).toContain(tokens.host)
    expect(sha256((await pull(name, { ...LOGIN, loginHosts: [tokens.host] })).bytes!)).toBe(sha256(bytes))
    expect(tokens.seen.map(({ authorization }) => authorization)).toEqual([`Basic ${btoa('me:open-sesame')}`])
  })
  test.each(['http://tokens.example/', 'https://127.0.0.2.example.internal/', 'x', '', 'javascript:alert(1)'])(
    'a realm at %s gets nothing',
    async (realm) => {
      const { name } = await published((_, out) =>
        out.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}"` }).end(),
      )
      const { fault } = await pull(name, {
        ...LOGIN,
        loginHosts: [new URL(realm || 'x:', 'http://tokens.example').host],
      })
      expect(fault?.kind).toMatch(/refused|login/)
      expect(fault?.message).not.toContain('open-sesame')
    },
  )
  test('a token with a line end is not a token', async () => {
    const { name } = await withTokens('abc\r\nx-evil: 1', challenge)
    expect((await pull(name)).fault?.kind).toBe('login')
  })
  test('a token that does not help is asked for once', async () => {
    const tokens = await small((_, out) => out.end('{"token":"abc"}'))
    const { name } = await published((_, out) =>
      out.writeHead(401, { 'www-authenticate': challenge(tokens.host) }).end(),
    )
    expect([(await pull(name)).fault?.kind, tokens.seen.length]).toEqual(['login', 1])
  })

  test('an upload that was cut continues where the registry says [agentlang/publish-6]', async () => {
    const bytes = await containerOf('1.0.0', { 'context/a.md': 'y'.repeat(50_000) })
    const kept: Buffer[] = []
    const registry = await small(({ method, path, query, body }, out) => {
      if (path.endsWith('/one') && method === 'GET')
        return out.writeHead(204, { location: `${path}?state=2`, range: '0-9999' }).end()
      if (method === 'PATCH') {
        kept.push(body)
        return out.writeHead(202, { location: `${path}?state=3` }).end()
      }
      if (method !== 'PUT' || !path.endsWith('/one') || query.get('digest') === EMPTY) return false
      if (query.get('state') === '3') return out.writeHead(201).end()
      out.destroy()
      return true
    })
    const { fault, isNew } = await publish(bytes, registry.host)
    expect([fault, isNew]).toEqual([undefined, true])
    expect(Buffer.concat(kept).equals(Buffer.from(bytes.subarray(10_000)))).toBe(true)
  })
  test.each([undefined, '0-0', '5-9', '0-99999999999', 'x'])(
    'an upload that was cut begins again if the registry has range %s',
    async (range) => {
      let cuts = 0
      const registry = await small(({ method, path, query }, out) => {
        if (path.endsWith('/one') && method === 'GET')
          return out.writeHead(204, { location: path, ...(range && { range }) }).end()
        return (
          method === 'PUT' && query.get('digest') !== EMPTY && path.endsWith('/one') && cuts++ === 0 && out.destroy()
        )
      })
      const { isNew } = await publish(await containerOf('1.0.0'), registry.host)
      expect([isNew, registry.seen.filter(({ method }) => method === 'POST').length]).toEqual([true, 3])
    },
  )
  test('an upload that is cut each time ends after four tries', async () => {
    const registry = await small(({ method }, out) => method === 'PUT' && out.destroy())
    const { fault } = await publish(await containerOf('1.0.0'), registry.host)
    expect([fault?.kind, registry.seen.filter(({ method }) => method === 'PUT').length]).toEqual(['unreachable', 4])
  })
  test.each(['http://elsewhere.example/upload', 'https://127.0.0.1:1/upload', '//', 'http://['])(
    'a container is not sent to %s',
    async (location) => {
      const registry = await small(({ method }, out) => method === 'POST' && out.writeHead(202, { location }).end())
      const { fault } = await publish(await containerOf('1.0.0'), registry.host)
      expect([fault?.kind, registry.seen.some(({ method }) => method === 'PUT')]).toEqual(['refused', false])
    },
  )

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['a token in a file', { 'context/notes.md': `key: ghp_${'aB3'.repeat(12)}` }, {}, 'secret'],
    ['a private key', { 'context/id': `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBg'.repeat(4)}` }, {}, 'secret'],
    ['a developer that no repository can name', {}, { developer: 'Acme Inc.' }, 'container'],
  ])('%s is not sent [agentlang/publish-7]', async (_, files, own, kind) => {
    const registry = await small()
    const { fault } = await publish(await containerOf('1.0.0', files, own), registry.host)
    expect([fault?.kind, registry.seen.length]).toEqual([kind, 0])
    expect(fault?.message).not.toMatch(/aB3aB3|MIIE/)
  })
  test('a changed container is not sent', async () => {
    const registry = await small()
    const bytes = (await containerOf('1.0.0', { 'context/a.md': 'hello world' })).slice()
    bytes[bytes.indexOf(0x77)] = 0x78
    expect((await publish(bytes, registry.host)).fault?.kind).toBe('container')
    expect((await publish(new Uint8Array(10), registry.host)).fault?.kind).toBe('container')
    expect(registry.seen).toEqual([])
  })
  test('without a registry, nothing is sent, and the digest is known', async () => {
    const bytes = await containerOf('1.0.0')
    const { host } = await small()
    const { isNew, ...planned } = await publishContainer(bytes)
    expect({ ...planned, isNew: true }).toEqual(await publish(bytes, host))
  })
})
