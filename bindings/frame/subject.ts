import type { Document } from '../document/document.ts'
import type { Parsed } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Kind } from '../kinds.ts'
import { isObject, type PlacedObject } from '../text/members.ts'
import { type RuleInfo, ruleDiagnostic } from './rule.ts'

/** The part of a specification that reading needs: verbs that check nothing load no more than this. */
export interface Reading<Subject> {
  readonly kind: Kind
  /** The finding of a document whose root is no object. */
  readonly rootObject: RuleInfo
  /** The document as rules and verbs read it: all that is well-typed, and nothing else. */
  subject(document: Document): Subject
  /** Rewords a finding of reading for the specification. */
  onRead?(diagnostic: Diagnostic): Diagnostic
}

/** A subject, or the reasons that there is none. */
export interface Read<Subject> {
  readonly subject: Subject | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The root of a document as subjects begin with it.
 *
 * @throws {TypeError} when the document is no JSON object.
 */
export function objectAtRoot({ value }: Document): PlacedObject {
  if (isObject(value)) return { pointer: '', value }
  throw new TypeError('document: expected a JSON object at the root')
}

/** The findings of reading, reworded for the specification. */
export function told<Subject>({ onRead }: Reading<Subject>, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return onRead === undefined ? diagnostics : diagnostics.map(onRead)
}

/** The subject that a verb works on, of a document that was read, or could not be. */
export function subjectOf<Subject>(reading: Reading<Subject>, { document, diagnostics }: Parsed): Read<Subject> {
  const found = told(reading, diagnostics)
  if (document === undefined) return { subject: undefined, diagnostics: found }
  if (isObject(document.value)) return { subject: reading.subject(document), diagnostics: found }
  const refusal = ruleDiagnostic(document, reading.rootObject, 'error', '', 'Expected a JSON object')
  return { subject: undefined, diagnostics: [...found, refusal] }
}
