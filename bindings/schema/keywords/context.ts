import type { Draft } from '../dialect.ts'
import type { Node } from '../node.ts'
import type { Source } from '../run.ts'

/** A schema during compilation. The shapes of its keywords have been checked. */
export interface Context {
  // biome-ignore lint/suspicious/noExplicitAny: every keyword knows what its value looks like
  readonly schema: Readonly<Record<string, any>>
  readonly node: Node
  readonly draft: Draft
  /** True when the schema contains the keyword and the draft defines it. */
  has(keyword: string): boolean
  /** The keyword with its place, for findings. */
  source(keyword: string): Source
  /** A subschema that applies to members or elements of the value. */
  child(schema: unknown, keyword: string, token?: string | number): Node
  /** A subschema that applies to the value itself. */
  inPlace(schema: unknown, keyword: string, token?: string | number): Node
  /** The schema that a reference names. Undefined when there is no such schema; then a problem has been reported. */
  referred(keyword: string): ResolvedReference | undefined
}

export interface ResolvedReference {
  readonly node: Node
  /** The dynamic anchor in the reference, if it names one. */
  readonly dynamic: string | undefined
}

/** A group of keywords that are compiled together. */
export interface Rule {
  readonly keywords: readonly string[]
  readonly vocabulary: string
  /** The first and the last draft that has these keywords; absent for all drafts. */
  readonly since?: Draft
  readonly until?: Draft
  compile(context: Context): void
}
