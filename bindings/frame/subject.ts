import type { FindingKind } from '../document/finding.ts'
import type { Document, ParseResult } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { formOf, type Kind, type KindTraits, rowOf } from '../kinds.ts'
import { isObject, isText, type PlacedObject, valueAt } from '../text/members.ts'
import { ruleDiagnostic } from './rule.ts'

/** The part of a specification that reading needs: verbs that do not check load only this. */
export interface Reading<Subject> {
  readonly kind: Kind
  /** The finding for a document whose root is not an object. */
  readonly rootObject: FindingKind
  /** The document as rules and verbs use it: only its well-typed values. */
  subject(document: Document): Subject
  /** Rewords a reader's finding for the specification. */
  onRead?(diagnostic: Diagnostic): Diagnostic
  /** What is wrong with the version that a document names, unless it is one that the rules are for. */
  otherVersion?(subject: Subject): OtherVersion | undefined
}

/** The version that a document names, which is not the one judged. */
export interface OtherVersion {
  readonly rule: FindingKind
  readonly pointer: string
  readonly detail: string
}

/** A subject, or the diagnostics that explain why it is missing. */
export interface SubjectResult<Subject> {
  readonly subject: Subject | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The root object of a document, for building subjects.
 *
 * @throws {TypeError} when the root is not a JSON object.
 */
export function objectAtRoot({ value }: Document): PlacedObject {
  if (isObject(value)) return { pointer: '', value }
  throw new TypeError('document: expected a JSON object at the root')
}

/** A document whose root is an object. Subjects that have more extend it. */
export class RootSubject {
  readonly document: Document
  readonly root: PlacedObject

  /** @throws {TypeError} when the root is not a JSON object. */
  constructor(document: Document) {
    this.document = document
    this.root = objectAtRoot(document)
  }
}

/** The reader's findings, reworded for the specification. */
export function told<Subject>({ onRead }: Reading<Subject>, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return onRead === undefined ? diagnostics : diagnostics.map(onRead)
}

/** The warning of verbs that process documents of another version all the same, by the rules of the version judged. */
export function versionWarnings(document: Document, other: OtherVersion | undefined): readonly Diagnostic[] {
  if (other === undefined) return []
  const { rule, pointer } = other
  const value = valueAt(document.value, pointer)
  // A proof shows it as it is: other text could be anything, also a secret.
  const isQuotable = isText(value) && /^[\w./:+-]{1,60}$/.test(value)
  const detail = isQuotable ? other.detail : 'the document names a version that Blazon does not judge'
  return [ruleDiagnostic(document, rule, 'warning', pointer, detail)]
}

/** The pointers where an object should be and is not: the root, or each document of a source that has one in each line. */
export function otherRoots({ kind }: Pick<Reading<unknown>, 'kind'>, document: Document): readonly string[] {
  const { value } = document
  if (isObject(value)) return []
  if (!Array.isArray(value) || !(formOf(kind) === 'lines' || hasLines(kind, document))) return ['']
  return value.flatMap((line, i) => (isObject(line) ? [] : [`/${i}`]))
}

/** True when a document that may be lines is: the reader has put brackets around them. */
function hasLines(kind: Kind, { format, bytes, lines: source }: Document): boolean {
  const { lines }: KindTraits = rowOf(kind)
  return lines !== undefined && format === 'json' && bytes.length > source.bytes.length
}

/** The subject of a parsed document, or the diagnostics that explain why it is missing. */
export function subjectOf<Subject>(
  reading: Reading<Subject>,
  { document, diagnostics }: ParseResult,
): SubjectResult<Subject> {
  const found = told(reading, diagnostics)
  if (document === undefined) return { subject: undefined, diagnostics: found }
  const [other] = otherRoots(reading, document)
  if (other === undefined) return { subject: reading.subject(document), diagnostics: found }
  const refusal = ruleDiagnostic(document, reading.rootObject, 'error', other, 'Expected a JSON object')
  return { subject: undefined, diagnostics: [...found, refusal] }
}
