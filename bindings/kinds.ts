// What is known about a kind of documents without its code. bindings/specifications.ts has the rows.
import { KINDS } from './tables/kinds.ts'

/** Limits of a document: its size, and how deeply containers may be nested. */
export interface Bounds {
  readonly bytes: number
  readonly depth: number
}

/** A pattern that detects a kind by its members: everything in it must match. */
export interface Tell {
  /** Members that must exist. */
  readonly has?: readonly string[]
  /** Text members and how they must begin, in any case. */
  readonly starts?: Readonly<Record<string, string>>
  /** Members that must have a certain type. */
  readonly is?: Readonly<Record<string, 'array' | 'object' | 'string'>>
  /** An object member with at least one of these members. */
  readonly any?: readonly [object: string, ...members: readonly string[]]
  /** A member that at least one element of a list must have. */
  readonly each?: readonly [list: string, member: string]
}

/** How documents of a kind are found among the files of a repository: by name, by members, or by both. */
export interface Find {
  /** As `files` of the kind; default: every JSON and YAML file. */
  readonly names?: readonly string[]
  /** Patterns for the beginning of the file; default: the name suffices. */
  readonly marks?: readonly Tell[]
  /** Members that show that another program's file has the same name. */
  readonly not?: readonly string[]
  /** True for files that an agent of AgentLang may own, and that are checked with it. */
  readonly isPart?: true
}

export interface KindTraits {
  /** For sentences: "an agent definition". */
  readonly name: string
  readonly plural: string
  /** Its file names, in any case: `.adl` is an ending, `menus/*.txt` a place. */
  readonly files: readonly string[]
  /** True when a file name decides before the members do. It always does for forms other than a document. */
  readonly isNamed?: true
  readonly tells: readonly Tell[]
  /** Kinds whose patterns its documents may match as well; it must be listed before them. */
  readonly before?: readonly string[]
  readonly bounds: Bounds
  /** Files that prove something about a document of the kind, and are none of any kind. */
  readonly proofs?: { readonly files: readonly string[]; readonly tells: readonly Tell[] }
  readonly form?: Form
  /** For documents that may also be lines: patterns for the first one. A file named .jsonl always has lines. */
  readonly lines?: readonly Tell[]
  /** The name that its document has in a folder, whose other files belong to it. */
  readonly inFolder?: string
}

/**
 * The form of a source: one JSON or YAML document (default), JSON with comments, TOML, a JSON document in each line,
 * Markdown with YAML front matter, Markdown without, or files in one file.
 */
export type Form = 'document' | 'commented' | 'toml' | 'lines' | 'text' | 'prose' | 'archive'

/** The kinds of documents. */
export type Kind = (typeof KINDS)[number]['kind']

/** The row of a kind. */
export interface KindRow extends KindTraits {
  readonly kind: Kind
  /** True when Blazon has rules for it; otherwise a report says that it cannot be checked. */
  readonly isChecked: boolean
  /** True when its documents carry a signature of their own. */
  readonly isSigned: boolean
  /** True when something proves its documents: a signature, or what the caller has. */
  readonly isProved: boolean
}

/** The names of all kinds. */
export const KIND_NAMES: readonly Kind[] = KINDS.map(({ kind }) => kind)

/** The kinds that have rules. */
export const CHECKED_KINDS: readonly Kind[] = KINDS.filter(({ isChecked }) => isChecked).map(({ kind }) => kind)

/** The form of a kind's sources. */
export function formOf(kind: Kind | undefined): Form {
  const { form = 'document' }: { readonly form?: Form } = kind === undefined ? {} : rowOf(kind)
  return form
}

/** The row of a kind. */
export function rowOf(kind: Kind): KindRow {
  return KINDS.find((row) => row.kind === kind)!
}
