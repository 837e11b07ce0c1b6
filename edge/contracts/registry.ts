// The objects of the registry: one for each developer, with the index of what it has pushed.
import type { ObjectAnswer } from '../http/relay.ts'

/** Bytes in R2. The key has the upload and the digest, so an object is never replaced by other bytes. */
export type StoredBlob = { readonly key: string; readonly size: number }

export type StoredManifest = { readonly digest: string; readonly bytes: ArrayBuffer }

/** `isYanked` is 0 or 1, as SQLite has it. */
export type StoredVersion = { readonly tag: string; readonly digest: string; readonly isYanked: number }

export interface NewVersion {
  /** The repository of the agent. */
  readonly name: string
  readonly tag: string
  readonly digest: string
  readonly manifest: Uint8Array
  /** The digests that the manifest names. */
  readonly blobs: readonly string[]
  /** What the agent asks for, as JSON; undefined when its files cannot be read. */
  readonly inspection: string | undefined
}

export interface RegistryObject {
  startUpload(name: string, key: string): Promise<ObjectAnswer<void>>
  hasUpload(key: string): Promise<boolean>
  /** Makes a writer the only one of an upload for a minute, or prolongs this. Another writer is refused meanwhile. */
  holdUpload(key: string, writer: string): Promise<ObjectAnswer<void>>
  releaseUpload(key: string, writer: string): Promise<void>
  /** Ends an upload with its blob, whose digest was checked. */
  finishUpload(key: string, blob: StoredBlob & { readonly digest: string }): Promise<ObjectAnswer<void>>
  blob(name: string, digest: string): Promise<StoredBlob | undefined>
  /** Stores a version. The same one again has no further effect; other bytes are a conflict. */
  publish(version: NewVersion): Promise<ObjectAnswer<void>>
  /** The manifest of a tag, or of a digest. A yanked version has only its digest. */
  manifest(name: string, reference: string): Promise<StoredManifest | undefined>
  /** The tags after one, in order; undefined for an unknown repository. */
  tags(name: string, after: string, limit: number): Promise<readonly string[] | undefined>
  /** All versions of a repository, also the yanked ones. */
  versions(name: string): Promise<readonly StoredVersion[]>
  /** The inspection of a version, if it has one. */
  inspection(name: string, digest: string): Promise<string | undefined>
  /** Removes a tag, which is not used again. Returns false for an unknown one. */
  yank(name: string, tag: string): Promise<boolean>
}
