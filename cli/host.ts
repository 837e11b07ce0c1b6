import type { WebSocketClass } from '../bindings/agp/connect.ts'
import type { Resolver } from '../bindings/discover/dns/lookup.ts'
import type { GuardedFetch } from '../bindings/net/fetch.ts'
import { version } from '../package.json'

/** A destination of text. */
export interface Output {
  write(chunk: string | Uint8Array): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean | undefined
  destroy?(): void
}

export interface WriteOptions {
  readonly create?: boolean
  readonly mode?: number
  /** An input of this run that may be overwritten. */
  readonly over?: string
  /** Creates the folder of the file if it is missing. */
  readonly makeFolder?: true
}

export interface Entry {
  readonly name: string
  /** Links are not followed: one to a folder could form an endless circle, or lead out of the folder. */
  readonly kind: 'folder' | 'file' | 'link' | 'other'
}

export interface Watch {
  /** Resolves when something has happened in one of the folders. */
  readonly event: Promise<void>
  close(): void
}

/** The runtime of this program. */
export interface Runtime {
  /** `Node`, `Bun` or `Deno`. */
  readonly name: string
  readonly version: string
  readonly platform: string
  /** The addresses of the configured name servers. */
  readonly nameServers: readonly string[]
  /** The lowest TLS version that is accepted, as Node writes it: `TLSv1.2`. */
  readonly leastTls: string
}

/** Everything outside the program that the command line uses. */
export interface Host {
  /** The version of this program. */
  readonly version: string
  /** The core, read from its file: the copy inside the package takes 2 ms longer. */
  readonly core?: WebAssembly.Module
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /**
   * Opens a regular file, and skips `from` bytes. Iteration throws errors with the system's `code` (ENOENT ...); ENOTREG
   * for other files.
   */
  open(path: string, from?: number): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** The entries of a folder, sorted by name; undefined when the path is not a folder. Fails as `open` does. */
  list(path: string): Promise<readonly Entry[] | undefined>
  /** True when a path, with links resolved, is a regular file in a folder. */
  isWithin(path: string, folder: string): Promise<boolean>
  /** Sends a request to a server. Only called if the user allowed network access. */
  readonly fetch: GuardedFetch
  /**
   * Writes the whole file or nothing: the old content stays until the new bytes are on disk. Fails as `open` does, for a
   * link (ELINK), and with `create` if the file exists (EEXIST). `mode` is the permissions of a new file.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>
  /** Writes a new folder with files, or nothing. Fails as `write` does, with EEXIST if anything has that name. */
  writeFolder(path: string, files: ReadonlyMap<string, Uint8Array>): Promise<void>
  /** Watches existing folders; undefined once watching has ended. */
  watch(folders: readonly string[]): Promise<Watch | undefined>
  /** Changes when another program changes the file; undefined for a missing file. */
  stamp(path: string): string | undefined
  /** The resolver at an address or https URL, by default the system's. Throws a TypeError for other text. */
  resolver(where: string | undefined): Promise<Resolver>
  /** A WebSocket class that sends these headers when it connects; guarded as `fetch` is. */
  sockets(headers: Readonly<Record<string, string>>): Promise<WebSocketClass>
  /** Sends a request to the server that the user named; private addresses are allowed. */
  send(url: string, init: RequestInit): Promise<Response>
  /** Waits for a number of milliseconds, or until the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Milliseconds since an arbitrary moment. */
  now(): number
  runtime(): Runtime
  /** Announces that many documents are about to be read. */
  expectMany(): void
}

/** Most documents fit the first read. Later ones are small as well: larger ones stay in memory until much is garbage. */
const FIRST_READ = 1 << 15
const LATER_READS = 1 << 16

/** An import would take 4 ms of the start: the module loader reads all exports, and some of them load streams. */
const fs = process.getBuiltinModule?.('node:fs')

/**
 * The running process as a host. `core` is the URL of core.wasm. Streams are set up at first use: stdin alone takes
 * milliseconds.
 */
export function processHost(core: URL): Host {
  const first = new Uint8Array(FIRST_READ)
  let stdout: Output | undefined
  let stderr: Output | undefined
  /** Files that this process wrote: their stamps stay the same, because no other program has changed them. */
  const own = new Map<string, WrittenFile>()
  const stamp = (path: string) => {
    const [now, written] = [stampOf(path), own.get(path)]
    return written !== undefined && (written.isOpen || now === written.is) ? written.was : now
  }
  return {
    version,
    get core() {
      return new WebAssembly.Module(fs.readFileSync(core))
    },
    get stdin() {
      return process.stdin
    },
    get stdout() {
      stdout ??= outputTo(1, () => process.stdout)
      return stdout
    },
    get stderr() {
      stderr ??= outputTo(2, () => process.stderr)
      return stderr
    },
    env: process.env,
    get cwd() {
      return process.cwd()
    },
    *open(path, from = 0) {
      // Read by hand: loading the stream modules takes longer than reading most files.
      const file = openRegular(path)
      // Without a position, what a shell substitutes can be read as well.
      let at = from === 0 ? null : from
      try {
        for (let chunk = first; ; chunk = new Uint8Array(LATER_READS)) {
          const size = chunk.length
          let filled = 0
          for (let length = 1; length > 0 && filled < size; filled += length) {
            length = fs.readSync(file, chunk, filled, size - filled, at)
            if (at !== null) at += length
          }
          // The shared chunk is copied, so that a reader keeps no more than the file itself.
          if (filled > 0) yield chunk === first ? chunk.slice(0, filled) : chunk.subarray(0, filled)
          if (filled < size) return
        }
      } finally {
        fs.closeSync(file)
      }
    },
    list: listFolder,
    isWithin: isFileWithin,
    fetch: Object.assign(
      async (input: string, init?: RequestInit) =>
        (await import('../bindings/node/fetch.ts')).guardedFetch()(input, init),
      { checksAddresses: true, seesConnections: true },
    ),
    resolver,
    sockets: async (headers) => (await import('../bindings/node/socket.ts')).guardedWebSocket({ headers }),
    async write(path, bytes, options) {
      const was = stamp(path)
      own.set(path, { was, isOpen: true })
      try {
        await (await import('./file-system.ts')).writeFile(path, bytes, options)
      } finally {
        own.set(path, { was, is: stampOf(path), isOpen: false })
      }
    },
    writeFolder: async (path, files) => (await import('./file-system.ts')).writeFolder(path, files),
    watch: async (folders) => (await import('./file-system.ts')).watchFolders(folders),
    stamp,
    send: (url, init) => fetch(url, init),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        signal?.addEventListener('abort', () => resolve(clearTimeout(timer)))
      }),
    // `performance` would load nine modules of Node's for this.
    now: () => process.uptime() * 1000,
    runtime,
    expectMany,
  }
}

/** The stamps of a file that was written here. */
interface WrittenFile {
  readonly was: string | undefined
  readonly is?: string | undefined
  /** True during the write, when it looks like a change by another program. */
  readonly isOpen: boolean
}

function stampOf(path: string): string | undefined {
  try {
    const { ino, size, mtimeMs, ctimeMs } = fs.statSync(path)
    return [ino, size, mtimeMs, ctimeMs].join()
  } catch {
    return undefined
  }
}

async function resolver(where: string | undefined): Promise<Resolver> {
  if (where?.includes('://')) return (await import('../bindings/discover/dns/lookup.ts')).dohResolver(where)
  const { udpResolver } = await import('../bindings/node/dns.ts')
  if (where === undefined) return udpResolver()
  const [, bracketed, bare, port] = /^(?:\[(.+)\]|([^:]+|.*:.*:.*))(?::(\d{1,5}))?$/.exec(where) ?? []
  return udpResolver({ address: bracketed ?? bare ?? where, ...(port !== undefined && { port: Number(port) }) })
}

/** The path that a shell substitutes for `<(command)`. Nobody can plant such a path in a folder. */
const FROM_SHELL = /^\/dev\/(?:stdin|fd\/\d+)$/

/** Opens a regular file. Anything else (a pipe, a device) might never end, or never begin, and is refused. */
function openRegular(path: string): number {
  if (FROM_SHELL.test(path)) return fs.openSync(path, 'r')
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants
  const file = fs.openSync(path, O_RDONLY | O_NONBLOCK)
  const stats = fs.fstatSync(file)
  if (stats.isFile()) return file
  fs.closeSync(file)
  const code = stats.isDirectory() ? 'EISDIR' : 'ENOTREG'
  throw Object.assign(new Error(`${code}: ${path} is not a regular file`), { code })
}

/** Lists a folder, sorted by the code units of the names; undefined for anything else. */
async function listFolder(path: string): Promise<readonly Entry[] | undefined> {
  try {
    const entries = fs.readdirSync(path, { withFileTypes: true })
    return entries
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

interface Stats {
  isDirectory(): boolean
  isFile(): boolean
  isSymbolicLink(): boolean
}

function kindOf(stats: Stats): Entry['kind'] {
  if (stats.isDirectory()) return 'folder'
  if (stats.isFile()) return 'file'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

/** True when a path, with links resolved, is a regular file in a folder. */
async function isFileWithin(path: string, folder: string): Promise<boolean> {
  try {
    const [real, root] = [fs.realpathSync(path), fs.realpathSync(folder)]
    const { relative, isAbsolute, sep } = process.getBuiltinModule('node:path')
    const way = relative(root, real)
    const isBelow = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
    return isBelow && fs.statSync(real).isFile()
  } catch {
    // A broken link is not a file.
    return false
  }
}

function runtime(): Runtime {
  const { bun, deno, node } = process.versions as Record<string, string | undefined>
  const name = bun === undefined ? (deno === undefined ? 'Node' : 'Deno') : 'Bun'
  return {
    name,
    version: bun ?? deno ?? node!,
    platform: `${process.platform} ${process.arch}`,
    nameServers: process.getBuiltinModule('node:dns').getServers(),
    leastTls: process.getBuiltinModule('node:tls').DEFAULT_MIN_VERSION,
  }
}

/**
 * V8 compiles the checking code only after about a thousand documents, and on few cores that slows the checking. Later
 * and smaller compilations reduce the time for 1,000 files of 6 KB to 0.91 (Node 20, two cores).
 */
function expectMany(): void {
  if ('bun' in process.versions || 'deno' in process.versions) return
  const v8 = process.getBuiltinModule('node:v8')
  v8.setFlagsFromString('--interrupt-budget=200000')
  v8.setFlagsFromString('--max-inlined-bytecode-size-cumulative=200')
}

/**
 * Writes to standard output (1) or error (2) of the process. A terminal gets Node's stream. Files and pipes are written
 * directly: setting up a stream takes 3 ms, and its errors arrive too late to change the exit code.
 */
export function outputTo(descriptor: 1 | 2, openStream: () => NodeJS.WriteStream): Output {
  if (isTerminal(descriptor)) return quietWhenClosed(openStream())
  let stream: Output | undefined
  return {
    write(chunk) {
      if (stream !== undefined) return stream.write(chunk)
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      for (let at = 0; at < bytes.length; ) {
        try {
          at += fs.writeSync(descriptor, bytes, at)
        } catch (error) {
          // A full disk after stderr cannot be reported anywhere; the exit code has to suffice.
          if (descriptor === 2 && !['EAGAIN', 'EPIPE'].includes(codeOf(error)!)) return
          if (codeOf(error) !== 'EAGAIN') return endWhenClosed(error)
          // The pipe is full, and a direct write cannot wait for room. A stream can.
          stream = quietWhenClosed(openStream())
          return stream.write(bytes.subarray(at))
        }
      }
    },
  }
}

/** Leaves closed and unknown descriptors to Node. */
function isTerminal(descriptor: number): boolean {
  try {
    const stats = fs.fstatSync(descriptor)
    if (stats.isFile() || stats.isFIFO() || stats.isSocket()) return false
    return !stats.isCharacterDevice() || process.getBuiltinModule('node:tty').isatty(descriptor)
  } catch {
    return true
  }
}

const quietWhenClosed = (stream: NodeJS.WriteStream): NodeJS.WriteStream => stream.on('error', endWhenClosed)

/** Ends the program silently when the reader goes away (`blazon ... | head -1`). */
function endWhenClosed(error: unknown): void {
  if (codeOf(error) !== 'EPIPE') throw error
  process.exit()
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
