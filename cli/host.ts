import type { GuardedFetch } from '../bindings/discover/fetch.ts'

/** Where text goes. */
interface Output {
  write(chunk: string | Uint8Array): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** Where bytes come from. */
interface Input extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean | undefined
}

export interface WriteOptions {
  readonly create?: boolean
  readonly mode?: number
}

/** What a folder holds. */
export interface Entry {
  readonly name: string
  /** A link is one wherever it leads: to a folder, and circles of them have no end; or out of the folder that it is in. */
  readonly kind: 'folder' | 'file' | 'link' | 'other'
}

/** Everything that the command line touches. */
export interface Host {
  /** Of this program. */
  readonly version: string
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Opens a regular file; what iterating throws has the `code` of the system (ENOENT ...), or ENOTREG for what is none. */
  open(path: string): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** What a folder holds, sorted by name; undefined when the path is none. Fails as `open` does. */
  list(path: string): Promise<readonly Entry[] | undefined>
  /** Whether a path, where all its links lead to, is a regular file below a folder. */
  isWithin(path: string, folder: string): Promise<boolean>
  /** Asks a server. Nobody calls it unless the user allowed it. */
  readonly fetch: GuardedFetch
  /**
   * Writes a whole file or nothing: what was there before stays there until the new bytes are on disk. Fails as `open` does;
   * with `create` also when there is a file already (EEXIST), and for a link (ELINK). `mode` are the permissions of a new file.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>
  /** Settled when one of the files has changed; undefined when nobody watches any more. */
  changed(paths: readonly string[]): Promise<void> | undefined
  /** Sends to the server that the user named, wherever it is. */
  send(url: string, init: RequestInit): Promise<Response>
  /** Lets milliseconds pass. */
  wait(ms: number): Promise<void>
  /** Milliseconds from anywhere. */
  now(): number
  /** Hears that many documents are about to be read. */
  expectMany(): void
}
