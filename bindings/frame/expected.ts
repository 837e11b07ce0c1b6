import type { KeySource } from '../keys/read.ts'

/** The facts that a caller knows of a signed document beforehand. */
export interface Expected {
  /** The identifier, letter for letter. */
  readonly id?: string
  /** The keys that it trusts for this document: a signature with any other fails. */
  readonly keys?: readonly KeySource[]
  /** The domain of the provider: `acme.example.com`. Where a document cannot show one, the verdict is `unverifiable`. */
  readonly provider?: string
}

/** The keys that a caller knows somebody by: undefined where it knows none. Of an empty list, no key counts. */
export type KeyResolver = (id: string) => readonly KeySource[] | undefined | Promise<readonly KeySource[] | undefined>
