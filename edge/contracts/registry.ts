// The objects of the registry: one for each developer, with the index of what it has pushed.

import type { NumberedDraft, signRequest } from 'blazon/agp'
import type { signMessage } from 'blazon/keys'
import type { ObjectAnswer } from '../http/relay.ts'

/** Bytes in the store of blobs. The key has the upload and the digest, so an object is never replaced by other bytes. */
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
  isYanked(name: string, tag: string): Promise<boolean>
  /** The tags after one, in order; undefined for an unknown repository. */
  tags(name: string, after: string, limit: number): Promise<readonly string[] | undefined>
  /** All versions of a repository, also the yanked ones. */
  versions(name: string): Promise<readonly StoredVersion[]>
  /** The inspection of a version, if it has one. */
  inspection(name: string, digest: string): Promise<string | undefined>
  /** Removes a tag, which is not used again. Returns false for an unknown one. */
  yank(name: string, tag: string): Promise<boolean>
}

// The object with the keys of an agent.

/** The DNS changes that a rotation requires. */
export interface Rotation {
  /** The fingerprint of the next key, as the TXT record has it in `pk`. */
  readonly fingerprint: string
  /** The time from which it is the agent's key, in milliseconds since 1970. */
  readonly from: number
}

/** `of` is the fingerprint of the key in the agent's metadata. The object signs nothing with another key. */
export interface AgentObject {
  /** The current public key; makes a key if it is missing. */
  publicKey(name: string): Promise<string>
  published(name: string): Promise<readonly JsonWebKey[]>
  /** Metadata with a proof by the agent's key. */
  signMetadata(name: string, text: string): Promise<Uint8Array<ArrayBuffer>>
  signInvitation(name: string, text: string, of: string): Promise<string | null>
  signA2a(
    name: string,
    card: string,
    key: { readonly of: string; readonly kid: string },
  ): Promise<Uint8Array<ArrayBuffer> | null>
  /** Signs each of the agent's messages. */
  signMessages(name: string, of: string, drafts: readonly NumberedDraft[]): Promise<readonly string[] | null>
  /** The headers that sign a request as the agent. */
  signRequest(
    name: string,
    key: { readonly of: string; readonly as: string },
    request: signRequest.Request,
  ): Promise<signRequest.Result | null>
  /** Headers with a signature by each of the agent's keys over the key directory at this address. */
  signDirectory(name: string, url: string): Promise<readonly signMessage.Result[]>
  /**
   * Replaces the key: after `ttl` seconds, when no cache can hold a TXT record with the current key alone, or at once
   * if that key is compromised. Returns null when the operator gives the key or a next key exists already.
   */
  rotate(name: string, ttl: number, compromised: boolean): Promise<Rotation | null>
  forget(): Promise<void>
}
