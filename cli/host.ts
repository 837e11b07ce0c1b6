import type { WebSocketClass } from '../bindings/agp/connect.ts'
import type { Resolver } from '../bindings/discover/dns/lookup.ts'
import type { GuardedFetch } from '../bindings/net/fetch.ts'

/** A destination of text. */
export interface Output {
  write(chunk: string | Uint8Array): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** A source of bytes. */
interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean | undefined
  /** Ends the reading: the process waits for nothing more of it. */
  destroy?(): void
}

export interface WriteOptions {
  readonly create?: boolean
  readonly mode?: number
  /** The file that may be written over although the run has read it. */
  readonly over?: string
}

/** An entry of a folder. */
export interface Entry {
  readonly name: string
  /**
   * A link always counts as one: if it leads to a folder, a circle of them would have no end; or it may lead out of its
   * folder.
   */
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
  /** The addresses of the name servers that it would ask. */
  readonly nameServers: readonly string[]
  /** As Node writes it: `TLSv1.2`. */
  readonly leastTls: string
}

/** Everything outside that the command line touches. */
export interface Host {
  /** The version of this program. */
  readonly version: string
  /** The core, from its file: what the package has baked in takes two milliseconds more. */
  readonly core?: WebAssembly.Module
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /**
   * Opens a regular file; iteration throws errors with the system's `code` (ENOENT ...), or ENOTREG for anything else.
   */
  open(path: string): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** The entries of a folder, sorted by name; undefined when the path is not a folder. Fails as `open` does. */
  list(path: string): Promise<readonly Entry[] | undefined>
  /** True when a path, with all its links resolved, is a regular file below a folder. */
  isWithin(path: string, folder: string): Promise<boolean>
  /** Sends a request to a server. Called only if the user allowed it. */
  readonly fetch: GuardedFetch
  /**
   * Writes a whole file or nothing: the old content stays until the new bytes are on disk. Fails as `open` does; with
   * `create` also when the file exists already (EEXIST), and for a link (ELINK). `mode` is the permissions of a new
   * file.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>
  /** Watches folders that are there; undefined once nobody watches any more. */
  watch(folders: readonly string[]): Promise<Watch | undefined>
  /** A text that is another one when somebody else has changed a file; undefined for one that is not there. */
  stamp(path: string): string | undefined
  /**
   * The resolver at an address or an https URL, or the one that the system is set to. Throws a TypeError for any other text.
   */
  resolver(where: string | undefined): Promise<Resolver>
  /** The WebSockets to agents, each opened with these headers; guarded as `fetch` is. */
  sockets(headers: Readonly<Record<string, string>>): Promise<WebSocketClass>
  /** Sends a request to the server that the user named, wherever it is. */
  send(url: string, init: RequestInit): Promise<Response>
  /** Waits for some milliseconds, or until the signal ends it. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
  /** Milliseconds since an arbitrary moment. */
  now(): number
  runtime(): Runtime
  /** Announces that many documents are about to be read. */
  expectMany(): void
}
