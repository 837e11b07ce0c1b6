import type { Draft } from '../dialect.ts'
import type { Node } from '../node.ts'
import type { Source } from '../run.ts'

/** A schema during compilation. The shapes of its keywords have been checked. */
export interface Context {
  // biome-ignore lint/suspicious/noExplicitAny: every keyword knows what its value looks like
  readonly schema: Readonly<Record<string, any>>
  readonly node: Node
  readonly draft: Draft
  /** True when the schema has it and the draft knows it. */
  has(keyword: string): boolean
  /** The keyword and its place, for findings. */
  source(keyword: string): Source
  /** The subschema at a place below, for members and elements of the value. */
  child(schema: unknown, keyword: string, token?: string | number): Node
  /** The subschema at a place below, for the value itself. */
  inPlace(schema: unknown, keyword: string, token?: string | number): Node
  /** The schema that a reference names; undefined, with a problem reported, when there is none. */
  referred(keyword: string): Referred | undefined
}

export interface Referred {
  readonly node: Node
  /** The dynamic anchor by which the schema was named. */
  readonly dynamic: string | undefined
}

/** A group of keywords that are compiled together. */
export interface Rule {
  readonly keywords: readonly string[]
  readonly vocabulary: string
  /** The first and the last draft that has it; absent for all. */
  readonly since?: Draft
  readonly until?: Draft
  compile(context: Context): void
}
