// The registry of the Worker with skopeo, which moves an agent there and back.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realRegistry } from '../agentlang/registries.ts'
import { hasPrograms } from '../support/programs.ts'
import { workersOf } from '../support/workers.ts'
import { bytesOf, containerOf, digestOf, MANIFEST_TYPE, manifestOf, registryClient } from './registry-client.ts'
import { tokenOf } from './tokens.ts'

const hasSkopeo = hasPrograms('the registry of the Worker with skopeo', ['skopeo'])
const hasRegistry = hasPrograms('agents moved from docker-registry to the Worker', ['docker-registry', 'skopeo'])

const workers = workersOf()
const folder = mkdtempSync(join(tmpdir(), 'blazon-skopeo-'))
let origin: string
const { ask, publish } = registryClient(() => ({ origin }))

/** skopeo tries TLS first. The runtime does not answer that, so skopeo would wait for ten seconds each time. */
const front = createServer((client) => {
  client.once('data', (first) => {
    if (first[0] === TLS_HANDSHAKE) return client.destroy()
    const server = connect(worker, '127.0.0.1')
    server.write(first)
    client.pipe(server).pipe(client)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const)
      one.on('error', () => other.destroy())
  })
})
const TLS_HANDSHAKE = 22
let worker: number

beforeAll(async () => {
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const runtime = await workers.start({ settings: { PUBLIC_ORIGIN: origin } })
  worker = Number(new URL(runtime.origin).port)
})
afterAll(() => {
  front.close()
  rmSync(folder, { recursive: true, force: true })
})

/** An OCI layout folder (image-spec, Image Layout) with one agent. */
function layoutOf(name: string, container: Uint8Array, tag: string): string {
  const layout = join(folder, name)
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true })
  const manifest = manifestOf(container)
  for (const blob of [container, manifest, bytesOf('{}')])
    writeFileSync(join(layout, 'blobs', digestOf(blob).replace(':', '/')), blob)
  const entry = {
    mediaType: MANIFEST_TYPE,
    digest: digestOf(manifest),
    size: manifest.length,
    annotations: { 'org.opencontainers.image.ref.name': tag },
  }
  writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }))
  writeFileSync(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  return layout
}

const run = promisify(execFile)
const skopeo = (...args: string[]) => run('skopeo', ['--insecure-policy', ...args])
const here = (repository: string) => `docker://${origin.slice('http://'.length)}/${repository}`

describe.runIf(hasSkopeo)('skopeo', () => {
  const copy = (from: string, to: string, ...args: string[]) => skopeo('copy', '--preserve-digests', ...args, from, to)

  test('copies an agent from a layout folder to the Worker and back, digest unchanged', async () => {
    const container = await containerOf('1.0.0', { context: 'x'.repeat(3_000_000) })
    const layout = layoutOf('source', container, '1.0.0')
    const creds = `--dest-creds=anyone:${tokenOf(origin, { scope: 'push', holder: 'acme' })}`
    await copy(`oci:${layout}:1.0.0`, here('acme/coach:1.0.0'), '--dest-tls-verify=false', creds)
    const digest = digestOf(manifestOf(container))
    expect((await ask('HEAD', '/v2/acme/coach/manifests/1.0.0')).headers.get('docker-content-digest')).toBe(digest)
    for (const [name, reference] of [
      ['tag', ':1.0.0'],
      ['digest', `@${digest}`],
    ] as const) {
      const back = join(folder, name)
      await copy(here(`acme/coach${reference}`), `oci:${back}:back`, '--src-tls-verify=false')
      const { manifests } = JSON.parse(readFileSync(join(back, 'index.json'), 'utf8'))
      expect(manifests[0].digest).toBe(digest)
      const blob = readFileSync(join(back, 'blobs', digestOf(container).replace(':', '/')))
      expect(digestOf(blob)).toBe(digestOf(container))
    }
  })

  test.runIf(hasRegistry)(
    'moves an agent from docker-registry to the Worker, to a folder and back, with one digest',
    async () => {
      const other = await realRegistry()
      try {
        const container = await containerOf('1.1.0')
        const digest = digestOf(manifestOf(container))
        const layout = layoutOf('moved', container, '1.1.0')
        const creds = `--dest-creds=anyone:${tokenOf(origin, { scope: 'push', holder: 'acme' })}`
        const there = `docker://${other.host}/acme/coach:1.1.0`
        const [own, folder] = [here('acme/coach:1.1.0'), layout.replace(/moved$/, 'back')]
        const plain = ['--src-tls-verify=false', '--dest-tls-verify=false']
        for (const [from, to, ...args] of [
          [`oci:${layout}:1.1.0`, there],
          [there, own, creds],
          [own, `oci:${folder}:1.1.0`],
          [`oci:${folder}:1.1.0`, there.replace('1.1.0', '1.1.0-back')],
          [there.replace('1.1.0', '1.1.0-back'), here(`acme/coach@${digest}`), creds],
        ] as const)
          await copy(from, to, ...plain, ...args)
        expect(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')).manifests[0].digest).toBe(digest)
        const raw = await fetch(`http://${other.host}/v2/acme/coach/manifests/1.1.0-back`, {
          headers: { accept: MANIFEST_TYPE },
        })
        expect(raw.headers.get('docker-content-digest')).toBe(digest)
      } finally {
        other.close()
      }
    },
  )

  test('lists tags, and logs in with a token only', async () => {
    await publish('acme/coach', '2.0.0', await containerOf('2.0.0'))
    const { stdout } = await skopeo('list-tags', '--tls-verify=false', here('acme/coach'))
    expect(JSON.parse(stdout).Tags).toContain('2.0.0')
    const login = (password: string) => {
      const options = ['--tls-verify=false', '--authfile', join(folder, 'auth.json'), '-u', 'x', '-p', password]
      return skopeo('login', ...options, origin.slice('http://'.length))
    }
    await login(tokenOf(origin, { scope: 'push', holder: 'acme' }))
    await expect(login('wrong')).rejects.toThrow(/invalid username\/password/)
  })

  test('is refused with the token of another developer, and with other bytes', async () => {
    const to = (holder: string) => `--dest-creds=x:${tokenOf(origin, { scope: 'push', holder })}`
    const layout = layoutOf('other', await containerOf('2.0.0', { context: 'other' }), '2.0.0')
    await publish('acme/coach', '2.0.0', await containerOf('2.0.0'))
    const send = (holder: string) =>
      copy(`oci:${layout}:2.0.0`, here('acme/coach:2.0.0'), '--dest-tls-verify=false', to(holder))
    await expect(send('globex')).rejects.toThrow(/denied/)
    await expect(send('acme')).rejects.toThrow(/never changes/)
  })
})
