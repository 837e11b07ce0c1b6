import type { WebSocketClass } from '../bindings/agp/connect.ts'
import type { Resolver } from '../bindings/discover/dns/lookup.ts'
import type { GuardedFetch } from '../bindings/net/fetch.ts'

/** A destination of text. */
export interface Output {
  write(chunk: string | Uint8Array): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** A stream of bytes. */
interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean | undefined
  /** Ends the reading, so that the process can exit. */
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

/** An entry of a folder. */
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
