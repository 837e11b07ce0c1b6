// `blazon agent lock --mcp`: real servers of both eras over stdio and HTTP, and some that cannot be pinned.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { peer, serverFolder } from '../support/peers.mjs'
import { blazon, type Setting } from './terminal.ts'

const MODULES = resolve('test/node_modules/@modelcontextprotocol')
const folder = mkdtempSync(join(tmpdir(), 'blazon-servers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const HEAD = 'name: coach\nversion: 1.0.0\ndeveloper: acme\n'
const agentWith = (servers: object) => `${HEAD}mcp_servers: ${JSON.stringify(servers)}\n`
/** A server of 25 lines that answers what `tools` says. It writes down that it was started. */
const made = (tools: object[], more: object = {}) => ({
  command: 'node',
  args: [join(folder, 'made.mjs'), JSON.stringify(tools)],
  ...more,
})
const STARTED = join(folder, 'started')

async function lock(servers: object, line: string, setting: Setting = {}) {
  const files = { 'coach/agent.yaml': agentWith(servers), ...setting.files }
  const ran = await blazon(['agent', 'lock', 'coach', ...line.split(' ')], { ...setting, files })
  const saved = ran.saved.get('coach/agent.lock')
  const text = new TextDecoder().decode(saved)
  return { ...ran, text, mcp: saved && parseYaml(text).mcp }
}

beforeAll(() => {
  const source = `
    import { appendFileSync } from 'node:fs'
    import { createInterface } from 'node:readline'
    appendFileSync(${JSON.stringify(STARTED)}, 'x')
    if (process.env.FAIL) { console.error('bad token ' + process.env.KEY); process.exit(3) }
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, method } = JSON.parse(line)
      const say = (message) => id !== undefined && console.log(JSON.stringify({ jsonrpc: '2.0', id, ...message }))
      const instructions = Object.keys(process.env).sort().join()
      if (method === 'initialize') say({ result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {}, instructions } })
      else if (method === 'tools/list') say({ result: { tools: JSON.parse(process.argv[2]) } })
      else say({ error: { code: -32601, message: 'unknown' } })
    }`
  writeFileSync(join(folder, 'made.mjs'), source)
})

describe('real servers', () => {
  const PINNED = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']
  let canonical: (value: unknown) => string
  beforeAll(async () => {
    ;({ default: canonical } = await peer('canonicalize'))
  })
  const hash = (value: unknown) => `sha256:${createHash('sha256').update(canonical(value)).digest('hex')}`

  /** The pins by MCP's own client, npm's canonicalize and Node's SHA-256. */
  async function expectedPins(server: { command: string; args: string[] }) {
    const client = new Client({ name: 'peer', version: '1.0.0' })
    await client.connect(new StdioClientTransport({ ...server, stderr: 'ignore' }))
    const { tools } = await client.listTools()
    const instructions = client.getInstructions()
    await client.close()
    const pins = tools.map((tool) => {
      const seen = Object.entries(tool).filter(([name, value]) => PINNED.includes(name) && value !== undefined)
      return [tool.name, hash(Object.fromEntries(seen))]
    })
    return { ...(instructions !== undefined && { instructions: hash(instructions) }), tools: Object.fromEntries(pins) }
  }

  test('[agentlang/build-6] filesystem by node, and memory by npx, are pinned as peers see them', async () => {
    const peers = serverFolder()
    const filesystem = { command: 'node', args: [`${MODULES}/server-filesystem/dist/index.js`, folder] }
    const memory = {
      command: 'node',
      args: [`${peers}/node_modules/@modelcontextprotocol/server-memory/dist/index.js`],
    }
    const servers = {
      filesystem,
      'npx-memory': {
        command: 'npx',
        args: ['--offline', '--no-install', '--prefix', peers, 'mcp-server-memory'],
      },
    }
    const { code, mcp, stderr } = await lock(servers, '--mcp all')
    expect(code, stderr).toBe(0)
    const [one, two] = await Promise.all([filesystem, memory].map(expectedPins))
    expect(mcp).toEqual({ filesystem: one, 'npx-memory': two })
    expect(Object.keys(one!.tools).length).toBeGreaterThan(5)
    expect(stderr).toContain(`starting filesystem (installed): node ${filesystem.args.join(' ')}\n`)
    expect(stderr).toContain('starting npx-memory (UNPINNED): npx ')
    expect(stderr.indexOf('starting filesystem')).toBeLessThan(stderr.indexOf('pinned filesystem'))
  })

  test('[agentlang/build-6] a server of 2026-07-28 has the same pins over stdio and over HTTP', async () => {
    const library = pathToFileURL(join(serverFolder(), 'node_modules/@modelcontextprotocol/server/dist')).href
    const make = `import { McpServer } from '${library}/index.mjs'
      export const make = () => {
        const server = new McpServer({ name: 'twenty', version: '1.0.0' }, { instructions: 'Be brief.' })
        server.registerTool('now', { description: 'Tells the time' }, async () => ({ content: [] }))
        return server
      }\n`
    writeFileSync(join(folder, 'make.mjs'), make)
    const serve = `import { serveStdio } from '${library}/stdio.mjs'\nimport { make } from './make.mjs'\nserveStdio(make, { legacy: 'reject' })\n`
    writeFileSync(join(folder, 'serve.mjs'), serve)
    const [{ createMcpHandler }, { make: factory }] = await Promise.all([
      import(`${library}/index.mjs`),
      import(pathToFileURL(join(folder, 'make.mjs')).href),
    ])
    const handler = createMcpHandler(factory, { legacy: 'reject' })
    const methods: unknown[] = []
    const fetch: Setting['fetch'] = async (url, init) => {
      methods.push(JSON.parse(String(init?.body)).method)
      return handler.fetch(new Request(url, init))
    }
    const servers = {
      stdio: { command: 'node', args: [join(folder, 'serve.mjs')] },
      http: { url: 'https://mcp.example.com/mcp' },
    }
    const { code, mcp, stderr } = await lock(servers, '--mcp all', { fetch })
    expect(code, stderr).toBe(0)
    expect(mcp.stdio).toEqual(mcp.http)
    expect([mcp.http.instructions, Object.keys(mcp.http.tools)]).toEqual([hash('Be brief.'), ['now']])
    expect(methods).toEqual(['server/discover', 'tools/list'])
    expect(stderr).toContain('asking http (remote): https://mcp.example.com/mcp\n')
  })
})

describe('what starts', () => {
  const starts = () => {
    try {
      return execFileSync('cat', [STARTED], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).length
    } catch {
      return 0
    }
  }
  const TOOLS = [{ name: 'pay' }]

  test('[agentlang/build-6] only named servers start; the pins of others stay', async () => {
    const before = starts()
    const servers = { a: made(TOOLS), b: made(TOOLS) }
    expect((await lock(servers, '-q')).mcp).toBeUndefined()
    expect(starts()).toBe(before)
    const first = await lock(servers, '--mcp a')
    expect([Object.keys(first.mcp), starts()]).toEqual([['a'], before + 1])
    const second = await lock(servers, '--mcp b', { files: { 'coach/agent.lock': first.text } })
    expect(second.mcp).toEqual({ a: first.mcp.a, b: first.mcp.a })
  })

  test('nothing starts for an agent that cannot be locked, nor without a known name', async () => {
    const before = starts()
    const broken = { 'coach/agent.yaml': `${agentWith({ a: made(TOOLS) })}tools: [{ name: unknown }]\n` }
    expect((await blazon(['agent', 'lock', 'coach', '--mcp', 'all'], { files: broken })).code).toBe(1)
    for (const [servers, name] of [
      [{ a: made(TOOLS) }, 'b'],
      [{}, 'all'],
    ] as const) {
      const { code, stderr } = await lock(servers, `--mcp ${name}`)
      expect([code, stderr.includes('--mcp')]).toEqual([2, true])
    }
    expect(starts()).toBe(before)
  })

  test('a server gets PATH and granted variables; values are in no file and no message', async () => {
    const secret = 'sk_test_value'
    const setting = { env: { STRIPE_KEY: secret, OTHER: 'x' } }
    const servers = { a: made(TOOLS, { env: { KEY: '{{.env.STRIPE_KEY}}' } }) }
    const refused = await lock(servers, '--mcp a', setting)
    expect([refused.code, refused.saved.size]).toEqual([2, 0])
    expect(refused.stderr).toContain('--env STRIPE_KEY')
    const granted = await lock(servers, '--mcp a --env STRIPE_KEY', setting)
    // The instructions are the names of its variables: printf '"KEY,PATH"' | sha256sum
    expect(granted.mcp.a.instructions).toBe('sha256:855b440a039d35152974524cf7b6d285fc6850457a8499f666d45c0718774c2b')
    const failing = await lock(
      { a: made(TOOLS, { env: { KEY: '{{.env.STRIPE_KEY}}', FAIL: '1' } }) },
      '--mcp a --env STRIPE_KEY',
      setting,
    )
    expect([failing.code, failing.saved.size]).toEqual([1, 0])
    expect(failing.stderr).toContain('bad token [STRIPE_KEY]')
    for (const { stdout, stderr, text } of [refused, granted, failing])
      expect(stdout + stderr + text).not.toContain(secret)
  })
})

describe('the end', () => {
  test('[agentlang/build-6] --frozen names each tool that is added, removed or changed', async () => {
    const first = await lock({ a: made([{ name: 'pay' }, { name: 'old' }]) }, '--mcp a')
    const changed = made([{ name: 'pay', description: 'Pays twice' }, { name: 'new' }])
    const files = { 'coach/agent.lock': first.text }
    const same = await lock({ a: made([{ name: 'old' }, { name: 'pay' }]) }, '--mcp a --frozen --format json', {
      files,
    })
    const other = await lock({ a: changed }, '--mcp a --frozen --format json', { files })
    const details = ({ stdout }: { stdout: string }) =>
      JSON.parse(stdout).results[0].diagnostics.map(({ code, detail }: Record<string, string>) => `${code} ${detail}`)
    // The command line is in agent.yaml, so that its hash differs as well.
    const agent = "AL-186 files 'agent.yaml' was changed"
    expect([same.code, details(same)]).toEqual([1, [agent]])
    const tools = ["'a tools new' was added", "'a tools old' was removed", "'a tools pay' was changed"]
    expect([other.code, details(other).sort()]).toEqual([1, [agent, ...tools.map((text) => `AL-186 mcp ${text}`)]])
    expect(other.saved.size).toBe(0)
  })

  test.each<[string, object, string]>([
    ['a program that is missing', { command: 'blazon-no-such-program' }, 'cannot be started'],
    ['two tools of one name', made([{ name: 'x' }, { name: 'x' }]), "two tools have the name 'x'"],
    ['a server that no network reaches', { url: 'https://mcp.example.com' }, 'no network'],
    ['a server of the inner network', { url: 'https://10.0.0.1/mcp' }, 'not public'],
  ])('%s is AL-187, and nothing is written', async (_, server, detail) => {
    const { code, stderr, saved } = await lock({ a: server }, '--mcp a')
    expect([code, saved.size]).toEqual([1, 0])
    expect(stderr).toContain('AL-187')
    expect(stderr).toContain(detail)
  })

  test('hidden text of a tool is a warning', async () => {
    const { code, stderr, mcp } = await lock({ a: made([{ name: 'pay', description: 'Pays\u200b' }]) }, '--mcp a')
    expect([code, Object.keys(mcp.a.tools)]).toEqual([0, ['pay']])
    expect(stderr).toContain('AL-115')
  })

  test('servers of sub-agents are pinned; two of one name must be equal', async () => {
    const agent = `${agentWith({ a: made([]) })}tools: [{ name: delegate }]\n`
    const sub = (servers: object) => `name: helper\ndescription: Helps.\nmcp_servers: ${JSON.stringify(servers)}\n`
    const run = (servers: object, more = {}) =>
      blazon(['agent', 'lock', 'coach', ...'--mcp all'.split(' ')], {
        files: { 'coach/agent.yaml': agent, 'coach/helper.yaml': sub(servers), ...more },
      })
    const fine = await run({ a: made([]), b: made([{ name: 'x' }]) })
    const text = new TextDecoder().decode(fine.saved.get('coach/agent.lock'))
    expect(Object.keys(parseYaml(text).mcp)).toEqual(['a', 'b'])
    const other = await run({ a: made([{ name: 'x' }]) })
    expect([other.code, other.stderr.includes('different servers of this name')]).toEqual([1, true])
    const kept = await blazon(['agent', 'lock', 'coach', '--frozen'], {
      files: {
        'coach/agent.yaml': agent,
        'coach/helper.yaml': sub({ a: made([]), b: made([{ name: 'x' }]) }),
        'coach/agent.lock': text,
      },
    })
    expect(kept.code, kept.stderr).toBe(0)
  })
})
