// Runs the Worker in the local runtime, without a development server, in a process that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { bundleWorker } from '../../scripts/bundle-worker.mjs'
import { TOKEN_SECRET } from '../edge/tokens.ts'
import { freePort } from './port.ts'

/** More than any test sends from its single address within a minute. */
const PLENTIFUL = 1_000_000
const PLENTY = {
  SENDER_CARDS: String(10 ** 12),
  SENDER_BYTES: String(10 ** 12),
  // A busy machine is slow, but loses nothing.
  SHARD_PATIENCE_MS: '60000',
  PEER_PATIENCE_MS: '60000',
  STEP_PATIENCE_MS: '60000',
}

export interface Site {
  readonly folder: string
  /** The folder of the objects on disk. */
  readonly persist: string
  remove(): void
}

/** Bundles a Worker and creates its storage folder. */
export async function prepareSite(entry: string): Promise<Site> {
  const root = mkdtempSync(join(tmpdir(), 'blazon-directory-'))
  const folder = join(root, 'worker')
  mkdirSync(folder)
  const { modules } = await bundleWorker(entry)
  for (const { path, contents } of modules) writeFileSync(join(folder, basename(path)), contents)
  return { folder, persist: join(root, 'objects'), remove: () => rmSync(root, { recursive: true, force: true }) }
}

export interface Runtime {
  readonly origin: string
  /** The id of the process that started workerd. */
  readonly pid: number
  /** The last 4,000 characters of the Worker's log for its operator. */
  log(): string
  /** Sends SIGKILL to all of its processes: no connection is closed properly, and nothing is written. */
  kill(): Promise<void>
}

export interface RuntimeOptions {
  readonly advertises?: number
  /** The limits of searches and checks per address and minute. */
  readonly requests?: number
  /** The port of the server that answers the Worker's requests. */
  readonly outbound?: number
  /** Settings of the Worker, in addition to its secret and its address. */
  readonly settings?: Readonly<Record<string, string>>
  /** A port for debuggers. */
  readonly inspector?: number
}

export async function startRuntime(site: Site, options: RuntimeOptions = {}): Promise<Runtime> {
  const { advertises = PLENTIFUL, requests = PLENTIFUL, outbound = 9, inspector, settings } = options
  const { folder, persist } = site
  const port = await freePort()
  const bindings = { TOKEN_SECRET, PUBLIC_ORIGIN: `http://127.0.0.1:${port}`, ...PLENTY, ...settings }
  const wanted = { folder, persist, bindings, port, advertises, requests, outbound, inspector }
  const child = spawn(
    process.execPath,
    [resolve('test/support/runtime-child.mjs'), JSON.stringify(wanted)],
    // Its own process group, so that workerd ends together with the process that started it.
    { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let meant = false
  let wrong = ''
  child.stderr!.on('data', (data) => {
    wrong = (wrong + data).slice(-4000)
  })
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.once('exit', (code, signal) => {
    if (!meant) console.error(`the runtime ended by itself (${code ?? signal}): ${wrong}`)
  })
  return {
    origin: await firstLine(child),
    pid: child.pid!,
    log: () => wrong,
    kill: () => {
      meant = true
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
      return gone
    },
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let said = ''
    child.stdout!.on('data', (data) => {
      said += data
      if (said.includes('\n')) done(said.slice(0, said.indexOf('\n')))
    })
    child.once('exit', () => fail(new Error('the runtime ended before it answered')))
  })
}
