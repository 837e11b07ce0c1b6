import type { Document, Format, ParseResult, parse } from '../document/parse.ts'
import type { Diagnostic, Files } from '../document/types.ts'
import type { KeySource } from '../keys/read.ts'
import type { Form, Kind } from '../kinds.ts'
import type { JsonObject } from '../text/members.ts'

/**
 * A document in any form that verbs accept: JSON or YAML as text or bytes, a parsed document, a plain object, or the
 * files of a folder by their paths. An object is taken as it is: if a lenient parser merged duplicate names or rounded
 * numbers, that is lost already.
 */
export type Source = Uint8Array | string | Document | JsonObject | Files

/** Options for verbs that need only the file name. */
export interface FileOptions {
  /** The name of the document in diagnostics. */
  readonly file?: string
}

/** The result of signing a document, or of changing one. */
export interface SignResult {
  /** Undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  /** The document's JSON; everything that was not changed stays byte for byte. */
  readonly bytes: Uint8Array | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** How many errors the document has that only `force` signs. */
  readonly errors?: number
}

/** Reads a source within limits: `read` of bindings/document, or a reader without YAML. */
export type Reader = (source: Uint8Array | string, options: parse.Options & { readonly format: Format }) => ParseResult

/** The readers of other forms than a document. A program has those of the kinds that it knows. */
export type FormReaders = Readonly<Partial<Record<Form, Reader>>>

/** `unknown`: the check could not be completed. `skipped`: not requested. */
export type StepOutcome = 'passed' | 'failed' | 'warning' | 'skipped' | 'unknown'

/** One check: text for people, members for programs. */
export interface Step {
  /** Stable: `signature`. */
  readonly name: string
  readonly title: string
  readonly outcome: StepOutcome
  /** The result in one line. */
  readonly detail: string
  /** The section that requires the check. */
  readonly spec: string
  /** The finding of this step, with its place in the document. */
  readonly diagnostic?: Diagnostic
  /** The result for programs: steps of one name always have the same members. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** `unverifiable`: no check failed, but at least one could not be completed. Trust only `verified`. */
export type Verdict = 'verified' | 'failed' | 'unverifiable'

/** The result of a verification: every step in the order it ran. */
export interface Proof {
  readonly verdict: Verdict
  readonly steps: readonly Step[]
  /** What follows from it, and what does not, in words. */
  readonly shows?: readonly string[]
  readonly doesNotShow?: readonly string[]
  /** For specifications with levels of conformance: the level that is shown, and what is missing for the next one. */
  readonly conformance?: Conformance
}

/** The result of checking a document. */
export interface ValidationReport {
  /** True when no diagnostic is an error. */
  readonly valid: boolean
  /** The kind of the document; undefined when it could not be detected. */
  readonly kind: Kind | undefined
  /** In document order. */
  readonly diagnostics: readonly Diagnostic[]
  /** For kinds whose specification defines levels, unless the document could not be read or checked. */
  readonly conformance?: Conformance
}

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

/** `unknown`: the document alone does not show it. */
export type DemandOutcome = 'met' | 'unmet' | 'unknown'

/** What a level of conformance demands, and whether the document meets it. */
export interface Demand {
  readonly level: number
  readonly title: string
  readonly outcome: DemandOutcome
  /** The reason in one line. */
  readonly detail: string
}

/** The level of conformance that a document shows. */
export interface Conformance {
  /** `ADP-1`. */
  readonly specification: string
  /** The highest level whose demands, and those of all levels below, are met. 0 when a demand of level 1 is not met. */
  readonly level: number
  readonly demands: readonly Demand[]
}

export function conformance(specification: string, demands: readonly Demand[]): Conformance {
  const most = Math.max(...demands.map(({ level }) => level))
  const lacking = demands.filter(({ outcome }) => outcome !== 'met').map(({ level }) => level)
  return { specification, level: Math.min(most, ...lacking.map((level) => level - 1)), demands }
}
