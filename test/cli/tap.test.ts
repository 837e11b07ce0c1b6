// `blazon runs tap` between real MCP clients and servers: the same bytes both ways, and a record of every call.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client as Client2026 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2026 } from '@modelcontextprotocol/client/stdio'
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio2025 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, describe, expect, test } from 'vitest'
import { assemble, validate } from '../../bindings/runs/index.ts'

const root = mkdtempSync(join(tmpdir(), 'tap-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const CLI = resolve('dist/cli/blazon.js')
const TEE = resolve('test/support/tee.mjs')
const MODULES = resolve('test/node_modules/@modelcontextprotocol')
const EVERYTHING = ['node', `${MODULES}/server-everything/dist/index.js`, 'stdio']
const MADE_2026 = ['node', resolve('test/support/mcp-2026.mjs')]

function made() {
  const folder = realpathSync(mkdtempSync(join(root, 'blazon-tap-')))
  const tap = (...server: string[]) => ['runs', 'tap', '--to', join(folder, 'runs'), '--', ...server]
  /** A tap between two programs that keep what passes. */
  const line = (server: readonly string[]) => ({
    command: 'node',
    args: [TEE, join(folder, 'client'), 'node', CLI, ...tap('node', TEE, join(folder, 'server'), ...server)],
  })
  const bytes = (end: 'in' | 'out') =>
    ['client', 'server'].map((side) => readFileSync(join(folder, `${side}.${end}`), 'utf8'))
  const record = () => {
    const [name, ...more] = readdirSync(join(folder, 'runs'))
    expect(more).toEqual([])
    const lines = readFileSync(join(folder, 'runs', name!), 'utf8')
      .split('\n')
      .slice(0, -1)
    return JSON.parse(new TextDecoder().decode(assemble(lines.map((text) => new TextEncoder().encode(text)))))
  }
  return { folder, tap, line, bytes, record }
}

interface Recorded {
  readonly index: number
  readonly parent_step_index?: number
  readonly action: { readonly type: string; readonly name: string; readonly input?: unknown }
  readonly observation: { readonly type: string; readonly output?: unknown; readonly error?: unknown }
  readonly metadata: Readonly<Record<string, unknown>>
}
const callsOf = (record: { readonly steps: readonly Recorded[] }) =>
  record.steps.filter(({ action }) => action.type === 'tool_call')

type Call = (name: string, input: Record<string, unknown>, options?: object) => Promise<unknown>

/** A session with a client of each generation, and what it saw. */
const CLIENTS: Readonly<
  Record<string, (line: { command: string; args: string[] }, work: (call: Call) => Promise<void>) => Promise<void>>
> = {
  'SDK 1.32': async (line, work) => {
    const client = new Client2025({ name: 'old-client', version: '1.0.0' })
    await client.connect(new Stdio2025({ ...line, stderr: 'ignore' }))
    await work((name, input, options) => client.callTool({ name, arguments: input }, undefined, options))
    await client.close()
  },
  'client 2.4': async (line, work) => {
    const client = new Client2026({ name: 'new-client', version: '2.0.0' })
    await client.connect(new Stdio2026({ ...line, stderr: 'ignore' }))
    await work((name, input, options) => client.callTool({ name, arguments: input }, options))
    await client.close()
  },
}

/** Waits until the process wrote the end of the run. */
async function ended(record: () => { readonly status?: string; readonly steps: readonly Recorded[] }) {
  for (let tries = 0; tries < 200; tries++) {
    try {
      if (record().status !== undefined) return record()
    } catch {
      // The first line is not there yet.
    }
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('the run did not end')
}

describe.each(Object.keys(CLIENTS))('%s', (name) => {
  test('before server-everything: calls that succeed, fail, time out and are cancelled', {
    timeout: 60_000,
  }, async () => {
    const { line, bytes, record } = made()
    const seen: unknown[] = []
    await CLIENTS[name]!(line(EVERYTHING), async (call) => {
      seen.push(await call('echo', { message: 'hello\n{"type":"run_started"}' }))
      seen.push(await call('get-sum', { a: 2, b: 3 }))
      seen.push(await call('get-sum', { a: 'x' }).catch((error: Error) => error.message))
      await expect(
        call('trigger-long-running-operation', { duration: 20, steps: 2 }, { timeout: 300 }),
      ).rejects.toThrow()
      const stop = new AbortController()
      setTimeout(() => stop.abort('enough'), 200)
      await expect(
        call('trigger-long-running-operation', { duration: 20, steps: 2 }, { signal: stop.signal }),
      ).rejects.toThrow()
    })
    const run = await ended(record)
    for (const end of ['in', 'out'] as const) expect(bytes(end)[0]).toBe(bytes(end)[1])
    expect(validate(run).valid).toBe(true)
    const calls = callsOf(run)
    expect(calls.map(({ action }) => action.name)).toEqual([
      'echo',
      'get-sum',
      'get-sum',
      ...Array.from({ length: 2 }, () => 'trigger-long-running-operation'),
    ])
    for (const i of [0, 1])
      expect((calls[i]!.observation.output as { content: unknown }).content).toEqual(
        (seen[i] as { content: unknown }).content,
      )
    expect(calls.slice(2).map(({ observation }) => observation.type)).toEqual(['error', 'error', 'error'])
    expect(calls.slice(3).map(({ observation }) => (observation.error as { cancelled?: true }).cancelled)).toEqual([
      true,
      true,
    ])
    expect(JSON.stringify(run)).toContain(name === 'SDK 1.32' ? 'old-client' : 'new-client')
  })

  test('before server-filesystem: what was read is in the record', { timeout: 60_000 }, async () => {
    const { folder, line, bytes, record } = made()
    writeFileSync(join(folder, 'a.txt'), 'the content')
    await CLIENTS[name]!(line(['node', `${MODULES}/server-filesystem/dist/index.js`, folder]), async (call) => {
      await call('read_text_file', { path: join(folder, 'a.txt') })
      await call('read_text_file', { path: '/etc/passwd' })
    })
    const run = await ended(record)
    for (const end of ['in', 'out'] as const) expect(bytes(end)[0]).toBe(bytes(end)[1])
    const [read, refused] = callsOf(run)
    expect(JSON.stringify(read!.observation.output)).toContain('the content')
    expect(refused!.observation.type).toBe('error')
  })
})

/** Runs the tap with an input, and gives what came out. */
async function piped(args: readonly string[], input: string | readonly string[], close = true) {
  const child = spawn('node', [CLI, ...args])
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  child.stdin.on('error', () => undefined)
  const answers = () => Buffer.concat(out).toString().split('\n').length - 1
  for (const [i, part] of [input].flat().entries()) {
    child.stdin.write(part)
    // A client sends the next request after the answer.
    while (Array.isArray(input) && answers() <= i) await new Promise((done) => setTimeout(done, 10))
  }
  if (close) child.stdin.end()
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString() }
}

describe('without a client', () => {
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  const meta = {
    'io.modelcontextprotocol/clientInfo': { name: 'stateless', version: '3' },
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  }

  test('[MCP 2026-07-28] a retry with input responses belongs to its call, and the trace goes on', async () => {
    const { tap, record } = made()
    const call = { name: 'remove', arguments: { path: 'a' }, _meta: meta }
    const { code, stdout } = await piped(tap(...MADE_2026), [
      request(1, 'server/discover', { _meta: meta }),
      request(2, 'tools/call', call),
      request(3, 'tools/call', { ...call, requestState: 's1', inputResponses: { sure: { action: 'accept' } } }),
    ])
    expect([code, stdout.toString().trim().split('\n').length]).toEqual([0, 3])
    const run = record()
    expect(run).toMatchObject({
      agent: { agent_id: 'stateless', agent_version: '3' },
      trace: { trace_id: '0af7651916cd43dd8448eb211c80319c', parent_span_id: 'b7ad6b7169203331' },
    })
    const [asked, retried] = callsOf(run)
    expect(retried).toMatchObject({
      parent_step_index: asked!.index,
      metadata: { 'mcp.input_responses': { sure: { action: 'accept' } }, traceparent: meta.traceparent },
    })
  })

  test('what is not MCP passes as it is, and is kept', async () => {
    const { folder, tap, record } = made()
    const odd = Buffer.concat([
      Buffer.from('\n\r\n{"jsonrpc":"2.0","id":1,"id":2}\n[]\nnull\n'),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from(`{"id":9,"result":${'['.repeat(500)}${']'.repeat(500)}}\n`),
      Buffer.from(`${JSON.stringify({ id: 3, method: 'x', params: 'y'.repeat(2_000_000) })}\nno line end`),
    ])
    writeFileSync(join(folder, 'odd'), odd)
    const { code, stdout } = await piped(
      tap('cat'),
      odd.toString('latin1').length > 0 ? (odd as unknown as string) : '',
    )
    expect([code, stdout.equals(odd)]).toEqual([0, true])
    const { steps } = record() as { steps: readonly Recorded[] }
    expect(steps.some(({ action }) => action.name === 'unreadable')).toBe(true)
    expect(validate(record()).valid).toBe(true)
  })

  test.each([
    ['the exit code is that of the server', ['node', '-e', 'process.exit(7)'], 7],
    ['a command that does not exist is 3', ['/nonexistent/server'], 3],
    ['a signal counts as a shell counts it', ['node', '-e', 'process.kill(process.pid, "SIGKILL")'], 137],
  ] as const)('%s', async (_, server, code) => {
    const { tap } = made()
    expect((await piped(tap(...server), '', code === 3)).code).toBe(code)
  })

  test('a server that dies leaves its call as failed', async () => {
    const { tap, record } = made()
    const { code } = await piped(tap(...MADE_2026), request(1, 'hang', {}), false)
    expect(code).toBe(7)
    expect(record()).toMatchObject({ status: 'failed', steps: [{ metadata: { 'adp.unfinished': true } }] })
  })

  test('bytes pass when nothing can be recorded, and the end says so', async () => {
    const { folder } = made()
    const { code, stdout, stderr } = await piped(
      ['runs', 'tap', '--tenant=', '--to', folder, '--', 'cat'],
      request(1, 'x', {}),
    )
    expect([code, stdout.toString(), stderr]).toEqual([0, request(1, 'x', {}), expect.stringContaining('not recorded')])
  })

  test('a folder that cannot be written stops nothing', async () => {
    const { folder, tap } = made()
    writeFileSync(join(folder, 'runs'), 'a file, where a folder should be')
    // A start, two requests because cat repeats it, their ends, and the end.
    const { code, stdout, stderr } = await piped(tap('cat'), request(1, 'x', {}))
    expect([code, stdout.toString(), stderr]).toEqual([0, request(1, 'x', {}), '6 lines were not recorded\n'])
  })

  test('without a command, the usage is shown', async () => {
    expect((await piped(['runs', 'tap'], '')).code).toBe(2)
  })
})
