import type { KeySource } from '../keys/read.ts'

/** What the caller already knows about a signed document. */
export interface Expectation {
  /** The exact identifier. */
  readonly id?: string
  /** The keys that the caller trusts for this document: a signature by any other key fails. */
  readonly keys?: readonly KeySource[]
  /**
   * The provider's domain: `acme.example.com`. The verdict is `unverifiable` for documents that cannot prove a
   * provider.
   */
  readonly provider?: string
}

/** Returns the keys that the caller trusts for an id: undefined when it has none, an empty list to trust no key. */
export type KeyResolver = (id: string) => readonly KeySource[] | undefined | Promise<readonly KeySource[] | undefined>
