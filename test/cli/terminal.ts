import type { Resolver } from '../../bindings/discover/dns/lookup.ts'
import type { Host, Runtime } from '../../cli/host.ts'
import { main } from '../../cli/main.ts'
import { version } from '../../package.json'

export interface Setting {
  /** The content of stdin; by default stdin is a terminal. */
  readonly stdin?: string | Uint8Array
  /** Replaces stdin altogether. */
  readonly input?: Host['stdin']
  /** The existing files, by their path below the working directory. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** Files and folders that cannot be read. */
  readonly locked?: readonly string[]
  /** Files that cannot be overwritten. */
  readonly readOnly?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The changes of files while they are watched; undefined ends the watching. */
  readonly changes?: (files: Record<string, string>) => Promise<void> | undefined
  /** Answers requests to servers that the command line names. */
  readonly server?: (request: Request) => Response | Promise<Response>
  /** Whether stdout and stderr are terminals. */
  readonly tty?: boolean
  /** The system's code for the reason why stdout cannot be written. */
  readonly full?: string
  readonly columns?: number
  /** Answers requests to the network; by default every request fails. */
  readonly fetch?: Host['fetch']
  /** Answers DNS queries; by default every query fails. */
  readonly resolver?: (where: string | undefined) => Resolver
  /** The WebSockets of this network; by default none opens. */
  readonly sockets?: Host['sockets']
  /** Differences from a normal Node. */
  readonly runtime?: Partial<Runtime>
  /** Really waits, for tests that depend on others. */
  readonly isPatient?: boolean
  /** Milliseconds that pass with every look at the clock. */
  readonly tick?: number
}

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stdoutBytes: Uint8Array
  readonly stderr: string
  /** The written files, by path below the working directory. */
  readonly saved: ReadonlyMap<string, Uint8Array>
  /** The milliseconds of each wait. */
  readonly waited: readonly number[]
}

const bytesOf = (chunk: string | Uint8Array) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)

const noNetwork = () => Promise.reject(new Error('this test has no network'))

/** Runs the command line on a simulated host. */
export async function blazon(argv: readonly string[], setting: Setting = {}): Promise<Ran> {
  const { stdin, files = {}, env = {}, tty = false, columns, tick = 0, fetch = noNetwork } = setting
  const written = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] }
  let time = 0
  const saved = new Map<string, Uint8Array>()
  const waited: number[] = []
  const output = (name: keyof typeof written) => ({
    isTTY: tty,
    columns,
    write(chunk: string | Uint8Array) {
      if (name === 'stdout' && setting.full !== undefined)
        throw Object.assign(new Error(`${setting.full}: write`), { code: setting.full, syscall: 'write' })
      // As with a stream, the owner may change the buffer of a chunk later.
      written[name].push(Uint8Array.from(bytesOf(chunk)))
    },
  })
  const refuseLocked = (path: string) => {
    const name = path.replace(/^\/home\/me\//, '')
    if (setting.locked?.some((one) => name === one || name.startsWith(`${one}/`)))
      throw Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' })
  }
  const host: Host = {
    version,
    stdin: setting.input ?? {
      isTTY: stdin === undefined,
      async *[Symbol.asyncIterator]() {
        const bytes = bytesOf(stdin ?? '')
        // Pieces that cut characters and tokens: of a large input, millions of small ones would take seconds.
        const piece = bytes.length < 1 << 20 ? 7 : 65_537
        for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
      },
    },
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    cwd: '/home/me',
    async *open(path, from = 0) {
      refuseLocked(path)
      const name = path.replace(/^\/home\/me\//, '')
      const file = saved.get(name) ?? files[name]
      if (file === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
      const rest = bytesOf(file).subarray(from)
      if (rest.length > 0) yield rest
    },
    async list(path) {
      refuseLocked(path)
      const folder = path === '/home/me' ? '' : `${path.replace(/^\/home\/me\//, '')}/`
      const names = Object.keys(files).filter((name) => name.startsWith(folder) && name !== folder)
      if (names.length === 0) return undefined
      const entries = new Map(
        names.map((name) => {
          const [first, ...more] = name.slice(folder.length).split('/')
          return [first!, more.length > 0]
        }),
      )
      return [...entries]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, isFolder]) => ({ name, kind: isFolder ? ('folder' as const) : ('file' as const) }))
    },
    isWithin: async () => true,
    fetch,
    resolver: async (where) => setting.resolver?.(where) ?? Object.assign(noNetwork, { isPrivate: false }),
    sockets: async (headers) => {
      if (setting.sockets === undefined) throw new Error('this test has no WebSockets')
      return setting.sockets(headers)
    },
    async write(path, bytes, { create = false } = {}) {
      const name = path.replace(/^\/home\/me\//, '')
      if (setting.readOnly?.includes(name))
        throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
      if (create && (name in files || saved.has(name)))
        throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' })
      saved.set(name, Uint8Array.from(bytes))
    },
    async writeFolder(path, files) {
      const name = path.replace(/^\/home\/me\//, '')
      if ([...Object.keys(setting.files ?? {}), ...saved.keys()].some((one) => `${one}/`.startsWith(`${name}/`)))
        throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' })
      for (const [at, bytes] of files) saved.set(`${name}/${at}`, Uint8Array.from(bytes))
    },
    async watch() {
      const event = setting.changes?.(files as Record<string, string>)
      return event && { event, close() {} }
    },
    stamp(path) {
      const name = path.replace(/^\/home\/me\//, '')
      return name in files ? `${name} ${files[name]}` : undefined
    },
    send: async (url, init) => {
      if (setting.server === undefined) throw new Error(`nothing was to be sent, and something was to ${url}`)
      return setting.server(new Request(url, init))
    },
    wait: async (ms) => {
      waited.push(ms)
      if (setting.isPatient) await new Promise((done) => setTimeout(done, ms))
    },
    runtime: () => ({
      name: 'Node',
      version: '20.19.0',
      platform: 'linux x64',
      nameServers: ['192.0.2.53'],
      leastTls: 'TLSv1.2',
      ...setting.runtime,
    }),
    expectMany: () => undefined,
    now: () => {
      time += tick
      return time
    },
  }
  const code = await main(argv, host)
  const stdoutBytes = Buffer.concat(written.stdout)
  return {
    code,
    stdout: stdoutBytes.toString(),
    stdoutBytes,
    stderr: Buffer.concat(written.stderr).toString(),
    saved,
    waited,
  }
}
