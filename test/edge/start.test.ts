// `npm start` as a process: its output, its answers, and what it leaves behind.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { PORT_TAKEN } from '../../scripts/address.mjs'
import { freePort } from '../support/port.ts'
import { endAll, newState, ROOT, type Run, says, start } from './npm-start.ts'

interface Ranked {
  readonly verified: boolean
  readonly why: readonly { readonly factor: string; readonly value: number }[]
}

const blockers: Server[] = []

async function endBlockers(): Promise<void> {
  for (const blocker of blockers.splice(0)) await new Promise((resolve) => blocker.close(resolve))
}

/** Occupies a port; 0 chooses a free one. */
async function occupy(port: number, blocker: Server = createServer()): Promise<number> {
  await new Promise<void>((resolve, reject) => blocker.once('error', reject).listen(port, '127.0.0.1', resolve))
  blockers.push(blocker)
  return (blocker.address() as { port: number }).port
}

function childOf(pid: number): number {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid'], { encoding: 'utf8' }).split('\n')
  return Number(lines.map((line) => line.trim().split(/ +/)).find(([, parent]) => Number(parent) === pid)![0])
}

/** Processes of this machine whose command line contains a text. */
function processesWith(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes(text))
}

/** They have got their signal, but the system may take a moment to remove them. */
const noneWith = (text: string) =>
  vi.waitFor(() => expect(processesWith(text)).toEqual([]), { timeout: 240_000, interval: 100 })

/** The ports of this machine on which processes of a name listen; empty if the system cannot tell. */
function portsOf(name: string): string[] {
  const tool = spawnSync('ss', ['-ltnpH'], { encoding: 'utf8' })
  if (tool.status !== 0) return []
  return tool.stdout
    .split('\n')
    .filter((line) => line.includes(`"${name}"`))
    .flatMap((line) => /127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? [])
}

describe('npm start, once it runs', () => {
  let [port, state] = [0, '']
  let run: Run
  let origin: string

  beforeAll(async () => {
    ;[port, state] = [await freePort(), newState()]
    run = start('--port', String(port), '--state', state)
    origin = (await says(run, /(http:\/\/127\.0\.0\.1:\d+)\/healthz/))[1]!
    await says(run, /BLAZON_TOKEN=/)
  })
  afterAll(endAll)

  test('serves at the address that it prints', async () => {
    expect(origin).toBe(`http://127.0.0.1:${port}`)
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    expect((await fetch(`${origin}/app/`)).status).toBe(200)
  })

  test('a second one with the same data reports the address of the first, and changes nothing', async () => {
    const second = start('--state', state)
    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(
      `already, at http://127.0.0.1:${port}/ (process ${run.child.pid}); use it, or stop it`,
    )
    expect((await fetch(`http://127.0.0.1:${port}/app/`)).status).toBe(200)
  })

  test('the command that it prints works in the checkout', async () => {
    const folder = newState()
    cpSync('edge/site/agents', folder, { recursive: true })
    const [, command] = await says(run, /^ {2}(BLAZON_TOKEN=.*)$/m)
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command!.replace('FOLDER', folder)], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect([status, stderr + stdout]).toEqual([0, expect.stringContaining('published')])
  })

  test('the token that it prints is the password of the registry of agents', async () => {
    const [, place] = await says(run, /(http:\/\/127\.0\.0\.1:\d+\/v2\/) /)
    const [, token] = await says(run, /BLAZON_TOKEN=(\S+)/)
    const authorization = `Basic ${Buffer.from(`any:${token}`).toString('base64')}`
    expect((await fetch(place!, { headers: { authorization } })).status).toBe(200)
    expect((await fetch(place!)).status).toBe(401)
  })

  test('the tokens that it prints send a run of Claude Code, and read it', async () => {
    const [, WRITE_TOKEN] = await says(run, /^ {2}export WRITE_TOKEN=(\S+)$/m)
    const [, AUDIT_TOKEN] = await says(run, /^ {2}export AUDIT_TOKEN=(\S+)$/m)
    const env = { ...process.env, HOME: newState(), WRITE_TOKEN }
    const line = ['dist/cli/blazon.js', 'runs', 'hook', '--runner', 'claude', '--to', origin, '--token']
    for (const event of [{ hook_event_name: 'UserPromptSubmit', prompt: 'Hello' }, { hook_event_name: 'Stop' }]) {
      const input = JSON.stringify({ session_id: 's', ...event })
      const ended = spawnSync(process.execPath, [...line, 'env:WRITE_TOKEN'], {
        cwd: ROOT,
        env,
        input,
        encoding: 'utf8',
      })
      expect([ended.status, ended.stderr]).toEqual([0, ''])
    }
    const runsFor = (token: string) =>
      fetch(`${origin}/runs?status=succeeded`, { headers: { authorization: `Bearer ${token}` } })
    expect(await (await runsFor(AUDIT_TOKEN!)).json()).toMatchObject({ runs: [{ agent_id: 'claude-code', seq: 1 }] })
    const [, operator] = await says(run, /BLAZON_TOKEN=(\S+)/)
    expect((await runsFor(operator!)).status).toBe(403)
  })

  test('opens only the routes of the Worker', async () => {
    const [, token] = await says(run, /BLAZON_TOKEN=(blazon1\.operate\.\S+)/)
    expect(processesWith(token!)).toEqual([])

    const closed = ['/__scheduled', '/cdn-cgi/explorer', '/cdn-cgi/explorer/api/d1/database', '/json', '/json/version']
    for (const path of closed) expect((await fetch(origin + path)).status, path).toBe(404)
    // The runtime answers these itself, whatever the Worker does.
    const ofRuntime = [
      'handler/scheduled',
      'handler/email?from=a@example.com&to=b@example.com',
      'mf/scheduled',
      'mf/reload',
    ]
    for (const path of [...ofRuntime, 'handler/', 'mf/stream', 'platform-proxy']) {
      for (const method of ['GET', 'POST']) {
        const { ok } = await fetch(`${origin}/cdn-cgi/${path}`, { method, ...(method === 'POST' && { body: 'x' }) })
        expect(ok, `${method} ${path}`).toBe(false)
      }
    }
    // Both names of this machine are served, and no debugger listens anywhere.
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200)
    for (const other of portsOf('workerd')) {
      const debuggers = await fetch(`http://127.0.0.1:${other}/json`, { signal: AbortSignal.timeout(5_000) }).then(
        (response) => response.text(),
        () => '',
      )
      expect(debuggers).not.toContain('webSocketDebuggerUrl')
    }
  })

  test('SIGTERM leaves no process', async () => {
    expect(processesWith(`127.0.0.1:${port}`).length).toBeGreaterThan(0)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    await noneWith(`127.0.0.1:${port}`)
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow()
  })
})

describe('npm start', () => {
  afterEach(async () => {
    endAll()
    await endBlockers()
  })

  test('--samples fills the directory with signed agents; killed, it leaves no process, and its data can be used again', async () => {
    const [port, state] = [await freePort(), newState()]
    const startAgain = async () => {
      const run = start('--samples', '--port', String(port), '--state', state)
      await says(run, /BLAZON_TOKEN=/)
      return run
    }
    const agentsOf = async (run: Run) => {
      const [, address] = /(http\S+\/directory\/\?\S+)/.exec(run.output())!
      const { searchParams } = new URL(address!)
      const query = { query: searchParams.get('query'), tags: [searchParams.get('tags')], explain: true, limit: 20 }
      const found = await fetch(`http://127.0.0.1:${port}/adp/discover`, {
        method: 'POST',
        body: JSON.stringify(query),
      })
      const { results } = (await found.json()) as { results: Ranked[] }
      const { items } = (await (await fetch(`http://127.0.0.1:${port}/agents?pageSize=100`)).json()) as {
        items: object[]
      }
      return { results, items }
    }
    const kill = async (run: Run, pid: number, code: number | null) => {
      process.kill(pid, 'SIGKILL')
      expect(await run.ended).toBe(code)
      await noneWith(`127.0.0.1:${port}`)
      await noneWith(`serve.mjs ${port}`)
    }
    const first = await startAgain()
    const { results, items } = await agentsOf(first)
    expect(items.length).toBe(17)
    expect(results.length).toBeGreaterThan(5)
    expect(results.every(({ verified, why }) => verified && why.length === 5)).toBe(true)
    for (const factor of ['tags', 'text', 'reputation', 'availability', 'rating']) {
      const values = results.flatMap(({ why }) => why.filter((share) => share.factor === factor))
      expect(new Set(values.map(({ value }) => value)).size, factor).toBeGreaterThan(1)
    }
    await kill(first, first.child.pid!, null)
    const second = await startAgain()
    expect(second.output()).toContain('was killed; going on')
    // A second start changes nothing.
    expect(await agentsOf(second)).toEqual({ results, items })
    await kill(second, childOf(second.child.pid!), 1)
    const third = await startAgain()
    expect(third.output()).not.toContain('was killed; going on')
    third.child.kill('SIGINT')
    expect(await third.ended).toBe(0)
    await noneWith(`127.0.0.1:${port}`)
  })

  test('a requested port that is taken is an error with advice', async () => {
    const port = await occupy(0)
    const run = start('--port', String(port))
    expect(await run.ended).toBe(1)
    expect(run.output()).toBe(
      `blazon: port ${port} is taken by another program; choose another with --port, or leave it out\n`,
    )
  })

  test('when the usual port is taken, two that start at the same time use other free ones, and report that', async () => {
    await vi
      .waitFor(() => occupy(8787), { timeout: 20_000, interval: 50 })
      .catch(() => {
        // Another program has the port, which is what the test needs. One that is about to end would release it.
      })
    const runs = [start(), start()]
    const ports = await Promise.all(
      runs.map(async (run) => {
        await says(run, /port 8787 is taken by another program; using (\d+)/)
        // Not always the port that it printed first: another program may have been faster.
        const [, port] = await says(run, /http:\/\/127\.0\.0\.1:(\d+)\/app\//)
        expect(run.output()).toContain(`is taken by another program; using ${port}\n`)
        expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
        return port
      }),
    )
    expect(new Set(ports).size).toBe(2)
    runs[0]!.child.kill('SIGTERM')
    expect(await runs[0]!.ended).toBe(0)
  })

  test('a program that has taken the port meanwhile gets no request, and never the secret', async () => {
    const asked: unknown[] = []
    const other = createHttpServer(({ url, headers }, response) => {
      asked.push([url, headers])
      response.end('{}')
    })
    const port = await occupy(0, other)
    const serve = spawn(process.execPath, ['scripts/serve.mjs', String(port), newState()], { cwd: ROOT })
    expect([...(await once(serve, 'exit')), ...asked]).toEqual([PORT_TAKEN, null])
  })

  test.each([
    [['--port', '0'], '--port takes 1 to 65535, not 0'],
    [['--port', 'x'], '--port takes 1 to 65535, not x'],
    [['--prot', '1'], "Unknown option '--prot'"],
    [['--samples', '--site', '.'], '--site, --agents and --samples exclude each other'],
  ])('%j is a usage error', async (args, message) => {
    const run = start(...args)
    expect(await run.ended).toBe(2)
    expect(run.output()).toContain(message)
  })
})
