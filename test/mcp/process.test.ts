// MCP servers as processes: real ones, and some that do not want to end.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { hiddenInServer, pinServer } from '../../bindings/agentlang/lock/specification.ts'
import { openMcp } from '../../bindings/mcp/peer.ts'
import { startMcpServer } from '../../bindings/node/mcp-process.ts'

const root = mkdtempSync(join(tmpdir(), 'mcp-process-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const MODULES = resolve('test/node_modules/@modelcontextprotocol')
const EVERYTHING = { command: 'node', args: [`${MODULES}/server-everything/dist/index.js`, 'stdio'] }
const CLIENT = { name: 'test', version: '1.0.0' }
const MARK = `blazon-mcp-${process.pid}`

const started: startMcpServer.Result[] = []
async function start(server: startMcpServer.Options): Promise<startMcpServer.Result> {
  const result = await startMcpServer({ graceMs: 300, ...server })
  if ('fault' in result) throw new Error(result.fault.detail)
  started.push(result.ok)
  return result.ok
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()))
})

async function open(server: startMcpServer.Options) {
  const opened = await openMcp(await start(server), { client: CLIENT, timeoutMs: 60_000 })
  if ('fault' in opened) throw new Error(opened.fault.detail)
  return opened.ok
}

/** A program in JavaScript as a server. The mark shows its processes in the list of all. */
const program = (source: string): startMcpServer.Options => ({
  command: process.execPath,
  args: ['-e', `/* ${MARK} */ ${source}`],
})
/** Ignores the end of stdin and SIGTERM, and has a child that does the same. */
const STUBBORN = `
  process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)
  if (!process.argv[1]) require('child_process').spawn(process.execPath,
    ['-e', "/* ${MARK} */ process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'inherit' })
  console.log('{"jsonrpc":"2.0","method":"ready"}')`

/** Processes with the mark, without zombies: nobody may collect these in a container. */
function left(): string[] {
  const lines = execFileSync('ps', ['-eo', 'stat=,pid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(MARK) && !/^\s*Z/.test(line))
}
const nothingLeft = () => expect.poll(left).toEqual([])
const ready = (server: startMcpServer.Result) => server.messages[Symbol.asyncIterator]().next()

describe('real servers', () => {
  test('[agentlang/mcp-2] server-everything has a handshake, and its tools and instructions are pinned', async () => {
    const session = await open(EVERYTHING)
    expect(session).toMatchObject({ era: 'handshake', version: '2025-11-25' })
    const result = await session.callTool('echo', { message: 'hello' })
    expect(result).toMatchObject({ ok: { content: [{ type: 'text', text: 'Echo: hello' }] } })
    const pinned = await pinServer(session)
    if ('fault' in pinned) throw new Error(pinned.fault.detail)
    expect(pinned.ok.tools.map((tool) => (tool as { name: string }).name)).toContain('get-sum')
    expect(pinned.ok.instructions).toBe(readFileSync(`${MODULES}/server-everything/dist/docs/instructions.md`, 'utf8'))
    expect(hiddenInServer('everything', pinned.ok)).toEqual([])
    await session.close()
  })

  test('server-filesystem lists the tools that its package names, and reads in its folder only', async () => {
    const folder = realpathSync(mkdtempSync(join(root, 'blazon-mcp-')))
    writeFileSync(join(folder, 'a.txt'), 'text of a')
    const session = await open({ command: 'node', args: [`${MODULES}/server-filesystem/dist/index.js`, folder] })
    const read = (path: string) => session.callTool('read_text_file', { path })
    expect(await read(join(folder, 'a.txt'))).toMatchObject({ ok: { content: [{ text: 'text of a' }] } })
    expect(await read('/etc/passwd')).toMatchObject({ ok: { isError: true } })
  })

  test('a server of 2026-07-28 is asked without a handshake', async () => {
    const session = await open({ command: 'node', args: [resolve('test/support/mcp-2026.mjs')] })
    expect(session).toMatchObject({ era: 'stateless', version: '2026-07-28' })
    expect(await session.callTool('remove', {})).toMatchObject({ fault: { reason: 'input-required' } })
  })
})

describe('the start', () => {
  test.each<[string, startMcpServer.Options]>([
    ['a missing program', { command: 'blazon-no-such-program' }],
    ['a missing folder', { command: 'node', cwd: '/no/such/folder' }],
    ['an argument with NUL', { command: 'node', args: ['a\0b'] }],
    ['a line of a shell', { command: 'node -e 1; true' }],
  ])('%s is a fault', async (_, server) => {
    expect(await startMcpServer(server)).toMatchObject({ fault: { reason: 'closed' } })
  })

  test('the server gets the given variables and PATH, and no others', async () => {
    process.env['BLAZON_TEST_SECRET'] = 'secret'
    const server = await start({ ...program(`console.log(JSON.stringify(process.env))`), env: { GIVEN: 'yes' } })
    delete process.env['BLAZON_TEST_SECRET']
    expect((await ready(server)).value).toEqual({ GIVEN: 'yes', PATH: process.env['PATH'] })
  })

  test('the fault of a server that ends has its code and its last words', async () => {
    const server = await start(program(`console.error('no token'); process.exitCode = 3`))
    expect(await openMcp(server, { client: CLIENT })).toMatchObject({
      fault: { reason: 'closed', detail: expect.stringMatching(/ended with 3: 'no token'$/) },
    })
  })

  test('keeps the last 16 KiB of stderr', async () => {
    const server = await start(program(`console.error('x'.repeat(1 << 20) + 'end')`))
    await expect.poll(() => server.stderr.endsWith('end\n')).toBe(true)
    expect(server.stderr.length).toBe(16 << 10)
  })

  test('lines that are not messages are ignored, and a message of more than 4 MiB ends the session', async () => {
    const server = await start(
      program(`console.log('starting\\n[1]\\n{"a":1,"a":2}\\n\\n{"b":"\\xff"}\\n{"ok":1}');
        setInterval(() => process.stdout.write('x'.repeat(1 << 20)), 1)`),
    )
    const messages = server.messages[Symbol.asyncIterator]()
    const seen = []
    for (let message = await messages.next(); ; message = await messages.next()) {
      seen.push(message.value)
      if (message.value.ok) break
    }
    expect(seen.at(-1)).toEqual({ ok: 1 })
    await expect(messages.next()).rejects.toThrow('exceeds 4194304 bytes')
    await nothingLeft()
  })
})

describe('the end', () => {
  test('a server that reads to the end of stdin gets no signal', async () => {
    const server = await start(
      program(`process.stdin.resume().on('end', () => console.log('{"end":"stdin"}'));
        process.on('SIGTERM', () => console.log('{"end":"signal"}'))`),
    )
    const messages = server.messages[Symbol.asyncIterator]()
    const first = messages.next()
    await new Promise((done) => setTimeout(done, 200))
    await server.close()
    expect((await first).value).toEqual({ end: 'stdin' })
  })

  test('nothing is left of a server and its child that ignore the end of stdin and SIGTERM', async () => {
    const server = await start(program(STUBBORN))
    await ready(server)
    expect(left().length).toBeGreaterThan(0)
    await server.close()
    expect(left()).toEqual([])
  })

  test('nothing is left of a server that is closed while it starts', async () => {
    for (let run = 0; run < 5; run++) await (await start(program(STUBBORN))).close()
    expect(left()).toEqual([])
  })

  test('nothing is left after SIGKILL of the server, 3 times', async () => {
    for (let run = 0; run < 3; run++) {
      const server = await start({ ...program(STUBBORN), graceMs: 50 })
      await ready(server)
      process.kill(server.pid, 'SIGKILL')
      await server.close()
      expect(left()).toEqual([])
    }
  })

  test.each(['SIGKILL', 'SIGINT'] as const)('nothing is left after %s of the client', async (signal) => {
    const contents = `
      import { startMcpServer } from './bindings/node/mcp-process.ts'
      const { ok } = await startMcpServer(${JSON.stringify({ ...program(STUBBORN), graceMs: 300 })})
      for await (const message of ok.messages) console.log(JSON.stringify(message))`
    const outfile = join(mkdtempSync(join(root, 'blazon-mcp-')), 'client.mjs')
    await build({
      stdin: { contents, resolveDir: '.', loader: 'ts' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      alias: { '#wasm': './dist/wasm/module.inline.js' },
      outfile,
    })
    const client = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'pipe'] })
    let errors = ''
    client.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text
    })
    const said = await new Promise<string>((done) => {
      client.stdout.once('data', (data) => done(String(data)))
      client.once('exit', () => done(errors))
    })
    expect(said).toContain('ready')
    expect(left().length).toBeGreaterThan(0)
    client.kill(signal)
    await nothingLeft()
  })
})
