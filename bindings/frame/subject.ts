import { diagnose } from '../document/diagnose.ts'
import type { FindingKind, Ruleset } from '../document/finding.ts'
import type { Document, ParseResult } from '../document/parse.ts'
import type { Diagnostic, Fix, RelatedPlace, Severity } from '../document/types.ts'
import { formOf, type Kind, type KindTraits, rowOf } from '../kinds.ts'
import { isObject, isText, type PlacedObject, valueAt } from '../text/members.ts'

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
export function reword<Subject>(
  { onRead }: Reading<Subject>,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
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
  const found = reword(reading, diagnostics)
  if (document === undefined) return { subject: undefined, diagnostics: found }
  const [other] = otherRoots(reading, document)
  if (other === undefined) return { subject: reading.subject(document), diagnostics: found }
  const refusal = ruleDiagnostic(document, reading.rootObject, 'error', other, 'Expected a JSON object')
  return { subject: undefined, diagnostics: [...found, refusal] }
}

// A rule of a specification: what it requires, why, and the check itself.

/**
 * Sets of rules:
 * - `spec`: only what the specification requires.
 * - `recommended` (default): advice as well.
 * - `strict`: everything that a careful reader refuses is an error.
 * - `security`: everything dangerous is an error.
 */
export const RULESETS = ['spec', 'recommended', 'strict', 'security'] as const satisfies readonly Ruleset[]

export interface Remarks {
  readonly related?: readonly RelatedPlace[]
  /** A function when the edits take work: it is called only for findings that are listed. */
  readonly fix?: Fix | (() => Fix | undefined)
  /** Marks the member's name instead of its value. */
  readonly atName?: true
  /** Another document of the folder, which has the place. */
  readonly in?: Document
}

/** Reports one finding at the value that a pointer names, or at its innermost existing parent. */
export type Report = (pointer: string, detail: string, remarks?: Remarks) => void

/** What a check may use in addition to the document. */
export interface RuleContext {
  /** The current time, for judging dates. */
  readonly now: Date
  /** Lower-case URI schemes that the deployment allows in addition to the usual ones. */
  readonly allowSchemes?: readonly string[]
}

export interface Rule<Subject> extends FindingKind {
  check(subject: Subject, report: Report, context: RuleContext): void
}

/** A rule that reports findings of one kind. */
export function rule<Subject>(kind: FindingKind, check: Rule<Subject>['check']): Rule<Subject> {
  return { ...kind, check }
}

/** Makes the diagnostic for a finding of a rule. */
export function ruleDiagnostic(
  document: Document,
  rule: FindingKind,
  severity: Severity,
  pointer: string,
  detail: string,
  { related, fix, atName }: Remarks = {},
): Diagnostic {
  const { start, end, keyStart, keyEnd } = document.nearest(pointer)
  const [offset, endOffset] = atName === true && keyStart !== undefined ? [keyStart, keyEnd!] : [start, end]
  const finding = { pointer, offset, endOffset, detail, related, fix: typeof fix === 'function' ? fix() : fix }
  return diagnose(document.lines, { ...rule, severity }, finding, document.file)
}

/** Makes the diagnostic for a finding with the severity of its rule. */
export function findingAt(
  document: Document,
  rule: FindingKind,
  pointer: string,
  detail: string,
  remarks?: Remarks,
): Diagnostic {
  return ruleDiagnostic(document, rule, rule.severity, pointer, detail, remarks)
}

/** The findings of a single rule, as errors: for verbs that refuse a document by one rule without checking the rest. */
export function refusalsBy<Subject extends { readonly document: Document }>(
  rule: Rule<Subject>,
  subject: Subject,
): Diagnostic[] {
  const found: Diagnostic[] = []
  const report: Report = (...finding) => found.push(ruleDiagnostic(subject.document, rule, 'error', ...finding))
  rule.check(subject, report, { now: new Date(0) })
  return found
}

/** The severity of a rule: from the caller's setting for its id or code, else from the ruleset. */
export function severityOf(
  rule: Pick<FindingKind, 'id' | 'code' | 'severity' | 'rulesets'>,
  ruleset: Ruleset,
  own: Readonly<Record<string, Severity | 'off'>> = {},
): Severity | 'off' {
  if (Object.hasOwn(own, rule.id)) return own[rule.id]!
  if (Object.hasOwn(own, rule.code)) return own[rule.code]!
  return rule.rulesets?.[ruleset] ?? rule.severity
}
