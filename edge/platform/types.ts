// The Worker's needs of its platform, as interfaces with only the members that it uses. This folder alone knows that the
// platform is Cloudflare's: for another one, its files are replaced.
import type { DurableObjectStorage, SqlStorage, SqlStorageValue, SyncKvStorage } from '@cloudflare/workers-types'

/** A value in SQLite. */
export type SqlValue = SqlStorageValue

/** SQLite. A statement runs at once. */
export type Sql = Pick<SqlStorage, 'exec' | 'databaseSize'>

/** Values by their names. */
export type Values = Pick<SyncKvStorage, 'get' | 'put' | 'delete'>

/** The storage of one object. No answer leaves the object before its writes are on disk (output gates). */
export interface Store
  extends Pick<
    DurableObjectStorage,
    'transactionSync' | 'getAlarm' | 'setAlarm' | 'deleteAlarm' | 'deleteAll' | 'sync'
  > {
  readonly sql: Sql
  readonly kv: Values
}

/** The stored objects of one class, by name. The platform's own type refuses unknown JSON. */
export interface Objects<Contract> {
  getByName(name: string): Contract
}

/** A class that serves a contract. Its methods may answer at once: the platform makes promises of their results. */
export type Serves<Contract> = {
  [Name in keyof Contract]: Contract[Name] extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Result | Promise<Result>
    : Contract[Name]
}

/** An object as its own class sees it. */
export interface ObjectState {
  readonly storage: Store
  waitUntil(work: Promise<unknown>): void
  abort(reason: string): void
  acceptWebSocket(socket: Socket): void
  getWebSockets(): Socket[]
}

/** A WebSocket of an object. Its attachment survives hibernation. */
export interface Socket extends WebSocket {
  accept(): void
  serializeAttachment(value: unknown): void
  deserializeAttachment(): unknown
}

/** A store of large blobs. */
export interface Blobs {
  get(key: string, options?: { readonly range: ByteRange } | undefined): Promise<Blob | null>
  /** Fails for content that has another digest. */
  put(
    key: string,
    content: ReadableStream<Uint8Array> | Uint8Array,
    options?: { readonly sha256: string },
  ): Promise<unknown>
  list(options?: { readonly prefix?: string }): Promise<{ readonly objects: readonly BlobEntry[] }>
  delete(keys: string[]): Promise<void>
}

interface ByteRange {
  readonly offset: number
  readonly length: number
}

interface BlobEntry {
  readonly key: string
  readonly size: number
}

interface Blob extends BlobEntry {
  readonly body: ReadableStream<Uint8Array>
  bytes(): Promise<Uint8Array>
}

/** Counts requests by key, and limits them. */
export interface RateLimit {
  limit(request: { readonly key: string }): Promise<{ readonly success: boolean }>
}

/** Another Worker, static files, or an object that is reached by requests. */
export interface Service {
  fetch(request: Request | string, init?: RequestInit): Promise<Response>
}
