import type { Node } from '../node.ts'
import type { Source } from '../run.ts'

/** A schema that is being compiled. The shape of its keywords has been checked. */
export interface Context {
  // biome-ignore lint/suspicious/noExplicitAny: every keyword knows what its value looks like
  readonly schema: Readonly<Record<string, any>>
  readonly node: Node
  has(keyword: string): boolean
  /** What findings name. */
  source(keyword: string): Source
  /** The schema at a place below, for members and elements of the value. */
  child(schema: unknown, keyword: string, token?: string | number): Node
  /** The schema at a place below, for the value itself. */
  inPlace(schema: unknown, keyword: string, token?: string | number): Node
  /** The schema that a reference names; nothing, and a problem, when there is none. */
  referred(keyword: string): Referred | undefined
}

export interface Referred {
  readonly node: Node
  /** The dynamic anchor that it was named by. */
  readonly dynamic: string | undefined
}

/** Keywords that are compiled together. */
export interface Rule {
  readonly keywords: readonly string[]
  readonly vocabulary: string
  compile(context: Context): void
}
