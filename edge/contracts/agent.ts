// The object with the keys of an agent.
import type { AgentRequest, NumberedDraft, RequestSignature } from 'blazon/agp'
import type { MessageSignature } from 'blazon/keys'

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
    request: AgentRequest,
  ): Promise<RequestSignature | null>
  /** Headers with a signature by each of the agent's keys over the key directory at this address. */
  signDirectory(name: string, url: string): Promise<readonly MessageSignature[]>
  /**
   * Replaces the key: after `ttl` seconds, when no cache can hold a TXT record with the current key alone, or at once
   * if that key is compromised. Returns null when the operator gives the key or a next key exists already.
   */
  rotate(name: string, ttl: number, compromised: boolean): Promise<Rotation | null>
  forget(): Promise<void>
}
