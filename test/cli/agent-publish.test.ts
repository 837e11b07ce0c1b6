// `blazon publish --registry` and `blazon agent pull`.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeSecret } from '../../bindings/agentlang/container/secret.ts'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { containerOf, developerKey, sha256, smallRegistry } from '../agentlang/registries.ts'
import { hasPrograms } from '../support/programs.ts'
import { startTls } from '../support/tls.ts'
import { blazon } from './terminal.ts'

const HOST = 'registry.example.com'
const REF = `${HOST}/acme/coach:1.0.0`
const PUBLISH = ['publish', 'coach.agent', '--registry', HOST]
const PULL = ['agent', 'pull', REF, '--key', 'developer.pub']
const ENV = { BLAZON_REGISTRY_LOGIN: 'me:open-sesame' }

/** A registry in memory that needs a login to push. */
function registry() {
  const stored = new Map<string, Uint8Array>()
  const seen: string[] = []
  return {
    stored,
    seen,
    async server({ method, url, headers }: Request) {
      const { pathname, searchParams } = new URL(url)
      seen.push(method)
      const name = searchParams.get('digest') ?? pathname.slice(pathname.lastIndexOf('/') + 1)
      if (method === 'GET')
        return stored.has(name) ? new Response(Buffer.from(stored.get(name)!)) : new Response(null, { status: 404 })
      if (headers.get('authorization') !== `Basic ${btoa('me:open-sesame')}`)
        return new Response(null, { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } })
      if (method === 'POST') return new Response(null, { status: 202, headers: { location: '/upload' } })
      return new Response(null, { status: 201 })
    },
  }
}

/** The same, and it keeps what it gets. */
function keeping() {
  const { server, ...rest } = registry()
  return {
    ...rest,
    async server(request: Request) {
      const body = new Uint8Array(await request.clone().arrayBuffer())
      const answer = await server(request)
      const { pathname, searchParams } = new URL(request.url)
      const name = searchParams.get('digest') ?? pathname.slice(pathname.lastIndexOf('/') + 1)
      if (request.method === 'PUT' && answer.status === 201) rest.stored.set(name, body).set(sha256(body), body)
      return answer
    },
  }
}

let files: Record<string, string | Uint8Array>
beforeAll(async () => {
  const key = await developerKey()
  files = {
    'coach.agent': await containerOf('1.0.0'),
    'developer.pub': await exportKey(key.publicKey, 'pem'),
    'developer.key': await exportKey(key, 'pem'),
    'other.pub': await exportKey((await generateKey('Ed25519')).publicKey, 'pem'),
  }
})

describe('publish and pull', () => {
  test('a container goes to the registry and comes back [agentlang/publish-1]', async () => {
    const { server, seen } = keeping()
    const sent = await blazon(PUBLISH, { files, server, env: ENV })
    expect([sent.code, sent.stdout], sent.stderr).toEqual([
      0,
      expect.stringMatching(/^registry\.example\.com\/acme\/coach:1\.0\.0@sha256:[0-9a-f]{64}\n$/),
    ])
    expect(sent.stdout + sent.stderr).not.toContain('open-sesame')
    for (const ref of [REF, sent.stdout.trim().replace(':1.0.0', '')]) {
      const pulled = await blazon(['agent', 'pull', ref, '--key', 'developer.pub'], { files, server })
      expect([pulled.code, sha256(pulled.saved.get('coach@1.0.0.agent')!)]).toEqual([0, sha256(files['coach.agent']!)])
    }
    const repeated = await blazon(PUBLISH, { files, server })
    expect([repeated.code, repeated.stdout], 'nothing is sent, so no login is needed').toEqual([0, sent.stdout])
    expect(repeated.stderr).toContain('0 of 1 published at https://registry.example.com; 1 is there already')
    const other = { ...files, 'coach.agent': await containerOf('1.0.0', { 'context/a.md': 'x' }) }
    const refused = await blazon(PUBLISH, { files: other, server, env: ENV })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('another container')])
    expect(seen.filter((method) => method === 'POST').length).toBe(3)
  })
  test('--dry-run sends nothing, and prints the digest that publishing prints', async () => {
    const { server } = keeping()
    const planned = await blazon([...PUBLISH, '--dry-run'], { files })
    expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining('would be sent')])
    expect(planned.stdout).toBe((await blazon(PUBLISH, { files, server, env: ENV })).stdout)
  })
  test('a folder is built as it is locked, and then published [agentlang/publish-3]', async () => {
    const { server } = keeping()
    const folder = {
      ...files,
      'coach/agent.yaml': 'name: coach\nversion: 1.0.0\ndescription: Helps.\ndeveloper: acme\n',
    }
    const argv = ['agent', 'publish', 'coach', '--registry', HOST]
    const setting = { files: folder, server, env: ENV }
    expect((await blazon(argv, setting)).code).toBe(2)
    expect((await blazon([...argv, '--key', 'developer.key'], setting)).code).toBe(1)
    const { saved } = await blazon(['agent', 'lock', 'coach'], setting)
    const locked = { ...setting, files: { ...folder, 'coach/agent.lock': saved.get('coach/agent.lock')! } }
    const sent = await blazon([...argv, '--key', 'developer.key'], locked)
    expect([sent.code, sent.saved.size], sent.stderr).toEqual([0, 0])
    expect((await blazon(PULL, { files, server })).code).toBe(0)
  })
  test('a folder without an agent is named as such, and no bytes of a refused container are shown', async () => {
    const publish = (name: string) => [...['publish', name, '--registry', HOST], '--key', 'developer.key']
    const empty = await blazon(publish('empty'), { files: { ...files, 'empty/a.md': 'x' } })
    expect([empty.code, empty.stderr]).toEqual([3, expect.stringContaining('has no agent.yaml')])
    const leaky = await containerOf('1.0.0', { 'context/notes.md': `key: ghp_${'aB3'.repeat(12)}` })
    const argv = [...publish('leaky.agent'), '--format', 'pretty']
    const refused = await blazon(argv, { files: { ...files, 'leaky.agent': leaky } })
    expect([refused.code, refused.stderr]).toEqual([1, expect.not.stringContaining('\n> 1 |')])
  })
  test('an unknown or another signer writes nothing; --accept signer takes an unknown one [agentlang/publish-5]', async () => {
    const { server } = keeping()
    await blazon(PUBLISH, { files, server, env: ENV })
    for (const [argv, code, size] of [
      [['agent', 'pull', REF], 4, 0],
      [['agent', 'pull', REF, '--accept', 'signer'], 0, 1],
      [['agent', 'pull', REF, '--accept', 'signer', '--key', 'other.pub'], 4, 0],
    ] as const) {
      const { code: exit, saved, stderr } = await blazon(argv, { files, server })
      expect([exit, saved.size], argv.join(' ')).toEqual([code, size])
      if (argv.length === 3) expect(stderr).toContain('give its key with --key, or --accept signer')
    }
  })
  describe('agent run and agent inspect take a REF', () => {
    const RUN = ['agent', 'run', '--model', 'script:plan.json', '--prompt', 'Go', '--work', '/home/me/work']
    const plan = JSON.stringify({ turns: [{ text: 'Done.' }] })
    let to: string
    beforeAll(() => {
      to = mkdtempSync(join(tmpdir(), 'blazon-ref-'))
      return () => rmSync(to, { recursive: true, force: true })
    })
    /** A registry with coach 1.0.0, and files without its container. */
    async function published() {
      const { server } = keeping()
      await blazon(PUBLISH, { files, server, env: ENV })
      const { 'coach.agent': _, ...rest } = files
      return { server, files: { ...rest, 'plan.json': plan } }
    }
    const run = (ref: string, line: string, setting: object) =>
      blazon([...RUN, '--to', to, ref, ...line.split(' ').filter(Boolean)], { stdin: '', ...setting })

    test.each([
      ['a known signer', '--key developer.pub', 0],
      ['an unknown signer', '', 4],
      ['an unknown signer that is accepted', '--accept signer', 0],
      ['another signer', '--key other.pub --accept signer', 4],
    ])('%s: exit code of %s is %i, and no container is written [agentlang/publish-5]', async (_, line, code) => {
      const ran = await run(REF, line, await published())
      expect([ran.code, ran.stdout], ran.stderr).toEqual([code, code === 0 ? 'Done.\n' : ''])
      expect([...ran.saved.keys()].filter((name) => name.endsWith('.agent'))).toEqual([])
    })
    test('by @VERSION, by digest and from a layout folder', async () => {
      const setting = await published()
      const { stdout, saved } = await blazon(['publish', 'coach.agent', '--registry', 'oci:layout'], { files })
      const layout = { ...setting, files: { ...setting.files, ...Object.fromEntries(saved) } }
      const at = `@${stdout.trim().slice(-71)}`
      for (const ref of [REF.replace(':1', '@1'), REF.replace(':1.0.0', at), 'oci:layout:1.0.0', `oci:layout${at}`])
        expect([ref, (await run(ref, '--key developer.pub', layout)).code]).toEqual([ref, 0])
    })
    test('a version below one that was seen is refused, also when the signer is accepted [agentlang/publish-8]', async () => {
      const setting = { ...(await published()), env: { HOME: '/home/me' } }
      const first = await run(REF, '--key developer.pub', setting)
      const [path] = [...first.saved.keys()].filter((name) => name.startsWith('.blazon/seen/'))
      expect(new TextDecoder().decode(first.saved.get(path!))).toBe('1.0.0\n')
      const later = { ...setting, files: { ...setting.files, [path!]: '1.2.0\n' } }
      for (const [line, code] of [
        ['--key developer.pub', 4],
        ['--accept signer', 4],
        ['--key developer.pub --accept downgrade', 0],
      ] as const) {
        const ran = await run(REF, line, later)
        expect([line, ran.code, ran.saved.has(path!)], ran.stderr).toEqual([line, code, false])
      }
      expect((await run(REF, '--key developer.pub', later)).stderr).toContain('--accept downgrade')
    })
    test('a folder with the path of a REF does not stand for it', async () => {
      const { server, files: stored } = await published()
      const planted = { ...stored, [`${REF}/agent.yaml`]: 'name: trap\nversion: 1.0.0\n' }
      expect((await run(REF, '', { server, files: planted })).code).toBe(4)
      expect((await run(`./${REF}`, '', { files: planted })).code).toBe(0)
      const local = { 'build/out/coach@1.0.0/agent.yaml': 'name: coach\nversion: 1.0.0\n', 'plan.json': plan }
      expect((await run('build/out/coach@1.0.0', '', { files: local })).code).toBe(0)
    })
    test('a version that is missing, and a blob with other bytes, start nothing', async () => {
      const setting = await published()
      expect((await run(REF.replace('1.0.0', '2.0.0'), '--key developer.pub', setting)).code).toBe(3)
      const corrupt = async (request: Request) => {
        const answer = await setting.server(request)
        return request.url.includes('/blobs/') ? new Response('x') : answer
      }
      const ran = await run(REF, '--key developer.pub', { ...setting, server: corrupt })
      expect([ran.code, ran.stdout, ran.saved.size], ran.stderr).toEqual([3, '', 0])
    })
    test('inspect shows it, and needs no key', async () => {
      const setting = await published()
      const { code, stdout, saved } = await blazon(['agent', 'inspect', REF], setting)
      expect([code, saved.size]).toEqual([0, 0])
      expect(stdout).toContain('coach 1.0.0')
      expect((await blazon(['agent', 'inspect', REF, '--key', 'other.pub'], setting)).code).toBe(4)
    })
  })
  test('a container of 20 MiB is pulled from a registry that redirects to storage', async () => {
    const container = await containerOf('1.0.0', { 'context/a.bin': new Uint8Array(20 << 20) })
    const storage = await startTls((_, out) => out.end(container))
    const registry = await smallRegistry(
      ({ method, path }, out) =>
        method === 'GET' &&
        path.endsWith(sha256(container)) &&
        out.writeHead(307, { location: `${storage.origin}/blob` }).end(),
    )
    try {
      const setting = { files: { ...files, 'coach.agent': container }, server: fetch, fetch: storage.fetch }
      const sent = await blazon(['publish', 'coach.agent', '--registry', registry.host], setting)
      expect(sent.code, sent.stderr).toBe(0)
      const argv = ['agent', 'pull', `${registry.host}/acme/coach:1.0.0`, '--key', 'developer.pub']
      const { code, saved, stderr } = await blazon(argv, { ...setting, files })
      expect([code, sha256(saved.get('coach@1.0.0.agent')!)], stderr).toEqual([0, sha256(container)])
    } finally {
      registry.close()
      await storage.close()
    }
  })
  test('a login that is missing or wrong says what to do, for publish and for pull', async () => {
    const server = (request: Request) => {
      const isRight = request.headers.get('authorization') === `Basic ${btoa('me:open-sesame')}`
      const [status, headers] = isRight ? [403, {}] : [401, { 'www-authenticate': 'Basic realm="x"' }]
      return new Response(null, { status, headers })
    }
    for (const argv of [PUBLISH, PULL])
      for (const env of [{}, { BLAZON_REGISTRY_LOGIN: 'me:wrong' }]) {
        const { code, stderr } = await blazon(argv, { files, server, env })
        expect(code).toBe(argv === PULL ? 3 : 1)
        expect(stderr).toMatch(/DOC-161[\s\S]*hint: .*BLAZON_REGISTRY_LOGIN or --login/)
      }
    expect((await blazon(PUBLISH, { files, server, env: ENV })).stderr).toContain('DOC-186')
    const refused = await blazon(PULL, { files, server, env: ENV })
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/DOC-189[\s\S]*answers 403/)])
  })
  test('a version below one that was pulled from the same signer needs --accept downgrade [agentlang/publish-8]', async () => {
    const { server } = keeping()
    for (const version of ['1.0.0', '1.10.0', '1.9.0']) {
      const one = { ...files, 'coach.agent': await containerOf(version) }
      await blazon(PUBLISH, { files: one, server, env: ENV })
    }
    let home: Record<string, Uint8Array> = {}
    async function pull(version: string, ...more: readonly string[]) {
      const argv = ['agent', 'pull', `${HOST}/acme/coach:${version}`, '--key', 'developer.pub', ...more]
      const { code, stderr, saved } = await blazon(argv, {
        files: { ...files, ...home },
        server,
        env: { HOME: '/home/me' },
      })
      for (const [path, bytes] of saved) if (path.startsWith('.blazon/')) home = { [path]: bytes }
      const [seen] = Object.values(home).map((bytes) => new TextDecoder().decode(bytes))
      return { code, seen, wrote: saved.has(`coach@${version}.agent`), stderr }
    }
    expect(await pull('1.0.0')).toMatchObject({ code: 0, seen: '1.0.0\n', wrote: true })
    expect(await pull('1.10.0')).toMatchObject({ code: 0, seen: '1.10.0\n' })
    const refused = await pull('1.9.0')
    expect(refused).toMatchObject({ code: 4, seen: '1.10.0\n', wrote: false })
    expect(refused.stderr).toMatch(/coach@1\.9\.0 is older than coach@1\.10\.0[\s\S]*--accept downgrade/)
    expect(await pull('1.9.0', '--accept', 'downgrade')).toMatchObject({ code: 0, seen: '1.10.0\n', wrote: true })
    expect(await pull('1.10.0'), 'the same version').toMatchObject({ code: 0, seen: '1.10.0\n' })
    const key = Object.keys(home)[0]!
    expect(key).toMatch(/^\.blazon\/seen\/acme\/coach\/sha256-[\da-f]{64}$/)
    home = { [key]: new TextEncoder().encode('garbage') }
    expect(await pull('1.0.0'), 'a file without a version').toMatchObject({ code: 0, seen: '1.0.0\n' })
    home = { [`${key.slice(0, -64)}${'0'.repeat(64)}`]: new TextEncoder().encode('9.0.0') }
    expect(await pull('1.0.0'), 'a version of another signer').toMatchObject({ code: 0, wrote: true })
  })
  describe('a layout folder', () => {
    const OCI = ['publish', 'coach.agent', '--registry', 'oci:layout']
    const both = (saved: ReadonlyMap<string, Uint8Array>) => ({ files: { ...files, ...Object.fromEntries(saved) } })

    test('has a container by its version and digest, and refuses another one of a version [agentlang/publish-1]', async () => {
      const sent = await blazon(OCI, { files })
      expect([sent.code, sent.stdout]).toEqual([0, expect.stringMatching(/^oci:layout:1\.0\.0@sha256:[0-9a-f]{64}\n$/)])
      const setting = both(sent.saved)
      const digest = sent.stdout.trim().slice(-71)
      for (const ref of ['oci:layout:1.0.0', `oci:layout@${digest}`]) {
        const pulled = await blazon(['agent', 'pull', ref, '--key', 'developer.pub'], setting)
        expect([pulled.code, sha256(pulled.saved.get('coach@1.0.0.agent')!)], pulled.stderr).toEqual([
          0,
          sha256(files['coach.agent']!),
        ])
      }
      expect((await blazon(OCI, setting)).saved.size, 'the same container').toBe(0)
      const other = { ...setting.files, 'coach.agent': await containerOf('1.0.0', { 'context/a.md': 'x' }) }
      const refused = await blazon(OCI, { files: other })
      expect([refused.code, refused.saved.size, refused.stderr]).toEqual([1, 0, expect.stringContaining('another')])
      const next = await blazon(OCI, { files: { ...setting.files, 'coach.agent': await containerOf('1.1.0') } })
      const { manifests } = JSON.parse(new TextDecoder().decode(next.saved.get('layout/index.json')))
      expect([next.code, manifests.length, manifests[0].digest]).toEqual([0, 2, digest])
    })

    const skopeo = hasPrograms('layout folders with skopeo', ['skopeo'])
    test.skipIf(!skopeo)(
      'is read by skopeo, and one of skopeo is read, with one digest [agentlang/publish-2]',
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'blazon-layout-'))
        try {
          const { saved, stdout } = await blazon(OCI, { files })
          for (const [path, bytes] of saved) {
            mkdirSync(join(folder, dirname(path)), { recursive: true })
            writeFileSync(join(folder, path), bytes)
          }
          const copy = ['--insecure-policy', 'copy', '--preserve-digests', 'oci:layout:1.0.0', 'oci:copy:1.0.0']
          execFileSync('skopeo', copy, { cwd: folder, stdio: 'pipe' })
          const paths = readdirSync(join(folder, 'copy'), { recursive: true, withFileTypes: true })
          const copied = paths.flatMap((entry) => {
            const path = join(entry.parentPath, entry.name)
            return entry.isFile() ? [[relative(folder, path), readFileSync(path)] as const] : []
          })
          const setting = { files: { ...files, ...Object.fromEntries(copied) } }
          for (const ref of ['oci:copy:1.0.0', `oci:copy@${stdout.trim().slice(-71)}`]) {
            const pulled = await blazon(['agent', 'pull', ref, '--key', 'developer.pub'], setting)
            expect([pulled.code, sha256(pulled.saved.get('coach@1.0.0.agent')!)]).toEqual([
              0,
              sha256(files['coach.agent']!),
            ])
          }
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      },
    )

    const digest = `sha256:${'0'.repeat(64)}`
    const index = (manifests: unknown) => JSON.stringify({ schemaVersion: 2, manifests })
    const entry = (more = {}) => ({ digest, annotations: { 'org.opencontainers.image.ref.name': '1.0.0' }, ...more })
    test.each<[string, string, number, Record<string, string>]>([
      ['no such folder', 'oci:layout:1.0.0', 3, {}],
      ['an index that is not JSON', 'oci:layout:1.0.0', 3, { 'layout/index.json': '{' }],
      ['an index without a list', 'oci:layout:1.0.0', 3, { 'layout/index.json': index({ 0: entry() }) }],
      ['entries that are not objects', 'oci:layout:1.0.0', 3, { 'layout/index.json': index([null, 1, [], 'x']) }],
      ['no such manifest', 'oci:layout:1.0.0', 3, { 'layout/index.json': index([entry()]) }],
      ['a digest that leaves it', 'oci:layout:1.0.0', 3, { 'layout/index.json': index([entry({ digest: '../x' })]) }],
      [
        'a manifest with other bytes',
        `oci:layout@${digest}`,
        3,
        { 'layout/index.json': index([entry()]), [`layout/blobs/sha256/${'0'.repeat(64)}`]: '{}' },
      ],
      ['no version', 'oci:layout', 2, {}],
      ['an invalid version', 'oci:layout:latest', 2, {}],
    ])('with %s gives no container', async (_, ref, code, more) => {
      const ran = await blazon(['agent', 'pull', ref, '--key', 'developer.pub'], { files: { ...files, ...more } })
      expect([ran.code, ran.saved.size], ran.stderr).toEqual([code, 0])
    })
    test('that is a folder of something else is not written to', async () => {
      const { code, saved } = await blazon(OCI, { files: { ...files, 'layout/notes.txt': 'x' } })
      expect([code, saved.size]).toEqual([1, 0])
    })
  })
  test('a file with other bytes is never overwritten', async () => {
    const { server } = keeping()
    await blazon(PUBLISH, { files, server, env: ENV })
    const { code, saved } = await blazon(PULL, { files: { ...files, 'coach@1.0.0.agent': 'x' }, server })
    expect([code, saved.size]).toEqual([2, 0])
  })
  test.each([
    ['a registry that is missing', ['publish', 'coach.agent'], 2],
    ['--dry-run without a registry', ['publish', 'coach.agent', '--server', 'https://x.example', '--dry-run'], 2],
    ['a registry over http', ['publish', 'coach.agent', '--registry', `http://${HOST}`], 2],
    ['a reference without a version', ['agent', 'pull', `${HOST}/acme/coach`], 2],
    ['a login without a colon', [...PUBLISH, '--login', 'env:BAD'], 2],
    ['a container that is not one', ['publish', 'developer.pub', '--registry', HOST], 1],
    ['a version that is missing', PULL, 3],
    ['a login that is missing', PUBLISH, 1],
  ] as const)('%s is refused', async (_, argv, code) => {
    const { server, stored } = keeping()
    const ran = await blazon(argv, { files, server, env: { BAD: 'open-sesame' } })
    expect([ran.code, ran.saved.size, stored.size], ran.stderr).toEqual([code, 0, 0])
    expect(ran.stderr + ran.stdout).not.toContain('open-sesame')
  })
})

/** CLI Reference. */
const SIX_LINES = `
agentlang build ./my-agent
agentlang build ./my-agent --quality
agentlang validate ./my-agent
agentlang inspect my-agent@1.0.0.agent
agentlang publish ./my-agent
agentlang run ./my-agent --prompt "Research X"
`

const program = resolve('dist/cli/blazon.js')
if (!existsSync(program)) console.warn('NOT RUN: the lines of the CLI Reference: dist/cli/blazon.js is not built')

test.skipIf(!existsSync(program))(
  'the six lines of the specification run word for word as `blazon agent` [agentlang/cli-2]',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'blazon-six-lines-'))
    try {
      mkdirSync(join(folder, 'my-agent'))
      for (const [path, content] of Object.entries({
        'my-agent/agent.yaml': 'name: my-agent\nversion: 1.0.0\ndescription: Helps.\ndeveloper: acme\n',
        'my-agent/prompt.yaml': 'version: 2\nrole: system\nsections: [{ name: who, content: You are kind. }]\n',
        'plan.json': '{"turns": [{"text": "Done."}]}',
      }))
        writeFileSync(join(folder, path), content)
      const env = {
        PATH: process.env['PATH'],
        BLAZON_AGENT_KEY: String(files['developer.key']),
        BLAZON_AGENT_SECRET: writeSecret(new Uint8Array(32)),
        BLAZON_REGISTRY: 'oci:layout',
        BLAZON_AGENT_MODEL: 'script:plan.json',
      }
      const alias = `set -e; shopt -s expand_aliases; alias agentlang="'${process.execPath}' '${program}' agent"`
      const lines = execFileSync('bash', ['-c', alias + SIX_LINES], { cwd: folder, env, stdio: 'pipe' }).toString()
      expect(lines).toMatch(/ my-agent@1\.0\.0\.agent\n[\s\S]*\noci:layout:1\.0\.0@sha256:\w{64}\nDone\.\n$/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
