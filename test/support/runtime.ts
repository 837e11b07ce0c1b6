// Runs the Worker in the local runtime, without a development server. Its process can be killed.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fetch as fetchOutside, Miniflare, type Request, type Response } from 'miniflare'
import { bundleWorker } from '../../scripts/worker.mjs'
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

const bundles = new Map<string, ReturnType<typeof bundleWorker>>()

/** Bundles a Worker, once for all test files of this process. */
function bundleOf(entry: string): ReturnType<typeof bundleWorker> {
  const bundle = bundles.get(entry) ?? bundleWorker(entry)
  bundles.set(entry, bundle)
  return bundle
}

/** Writes a bundled Worker, and creates its storage folder. */
export async function prepareSite(entry: string): Promise<Site> {
  const root = mkdtempSync(join(tmpdir(), 'blazon-directory-'))
  const folder = join(root, 'worker')
  mkdirSync(folder)
  const { modules } = await bundleOf(entry)
  for (const { path, contents } of modules) writeFileSync(join(folder, basename(path)), contents)
  return { folder, persist: join(root, 'objects'), remove: () => rmSync(root, { recursive: true, force: true }) }
}

export interface Runtime {
  readonly origin: string
  /** The id of workerd's process. */
  readonly pid: number
  /** The last 4,000 characters of the Worker's log for its operator. */
  log(): string
  /** Sends SIGKILL: no connection is closed properly, and nothing is written. */
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

const rate = (limit: number) => ({ simple: { limit, period: 60 as const } })
const object = (className: string) => ({ className, useSQLite: true })
/** Headers of the connection, not of the request. */
const HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'accept-encoding', 'expect']

export async function startRuntime(site: Site, options: RuntimeOptions = {}): Promise<Runtime> {
  const { advertises = PLENTIFUL, requests = PLENTIFUL, outbound = 9, inspector, settings } = options
  const { folder, persist } = site
  const port = await freePort()
  const outside = (request: Request) => askOutside(request, outbound)
  let log = ''
  const miniflare = new Miniflare({
    modulesRoot: folder,
    modules: modulesIn(folder),
    compatibilityDate: '2026-04-01',
    host: '127.0.0.1',
    port,
    ...(inspector !== undefined && { inspectorPort: inspector }),
    durableObjects: {
      AGENTS: object('Agent'),
      GATEWAYS: object('Gateway'),
      DOCUMENTS: object('Documents'),
      DIRECTORY_MAP: object('DirectoryMap'),
      DIRECTORY_SHARDS: object('DirectoryShard'),
      SENDERS: object('Sender'),
      MODERATION: object('Moderation'),
      RUNS: object('Run'),
      TENANTS: object('Tenant'),
      REGISTRIES: object('Registry'),
    },
    durableObjectsPersist: persist,
    r2Buckets: ['BLOBS'],
    r2Persist: `${persist}-r2`,
    ratelimits: { ADVERTISES: rate(advertises), QUERIES: rate(requests), CHECKS: rate(requests) },
    // Requests of the Worker go to the tests, which see the requested address.
    outboundService: outside,
    serviceBindings: { TASKS: outside },
    bindings: { TOKEN_SECRET, PUBLIC_ORIGIN: `http://127.0.0.1:${port}`, ...PLENTY, ...settings },
    handleRuntimeStdio(_, stderr) {
      stderr.on('data', (data) => {
        log = (log + data).slice(-4000)
      })
    },
  })
  const { origin } = await miniflare.ready
  const pid = processAt(port)
  let isKilled = false
  return {
    origin,
    pid,
    log: () => log,
    async kill() {
      if (isKilled) return
      isKilled = true
      process.kill(pid, 'SIGKILL')
      await miniflare.dispose()
    },
  }
}

/** Runs a Worker with empty storage while `use` is running. */
export async function withWorker<T>(
  entry: string,
  options: RuntimeOptions,
  use: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const site = await prepareSite(entry)
  const runtime = await startRuntime(site, options)
  try {
    return await use(runtime)
  } finally {
    await runtime.kill()
    site.remove()
  }
}

function modulesIn(folder: string) {
  const files = readdirSync(folder).sort((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
  return files.map((file) => {
    const path = join(folder, file)
    return file.endsWith('.wasm')
      ? { type: 'CompiledWasm' as const, path, contents: readFileSync(path) }
      : { type: 'ESModule' as const, path, contents: readFileSync(path, 'utf8') }
  })
}

/** Sends a request of the Worker to the tests. Unlike the platform's `fetch`, the one of Miniflare opens WebSockets too. */
function askOutside({ url, method, headers, body }: Request, port: number): Promise<Response> {
  const sent = [...headers].filter(([name]) => !HOP.includes(name) && !name.startsWith('sec-websocket-'))
  if (headers.has('upgrade')) sent.push(['upgrade', 'websocket'])
  const options = { method, headers: sent, body, duplex: 'half', redirect: 'manual' } as const
  return fetchOutside(`http://127.0.0.1:${port}/?${encodeURIComponent(url)}`, options)
}

/** The process of workerd that listens on a port. */
function processAt(port: number): number {
  const lines = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' }).split('\n')
  return Number.parseInt(lines.find((line) => line.split(' ').includes(`--socket-addr=entry=127.0.0.1:${port}`))!, 10)
}
