// Signing a document by the rules of its specification: the same way for every kind.
import type { ParseResult } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { importKey } from '../keys/import.ts'
import { subtleOf } from '../keys/platform.ts'
import type { KeySource } from '../keys/read.ts'
import { check } from './check.ts'
import type { OpenResult } from './open.ts'
import { type Signing, type SignOptions, unsigned } from './signing.ts'
import type { SignResult } from './source.ts'
import type { Specification } from './specification.ts'
import { refuseSignature } from './steps.ts'
import { subjectOf } from './subject.ts'

/** How a kind of documents is signed, and the rules that a document must meet to be signed. */
export interface SignedKind<Subject = unknown> {
  readonly signing: Signing<Subject>
  readonly specification: Specification<Subject>
}

/** Signs an opened document; refuses one of a kind without signatures of its own. */
export async function signOpened(
  kind: SignedKind | undefined,
  opened: OpenResult,
  key: KeySource,
  options: SignOptions,
): Promise<SignResult> {
  return kind === undefined ? unsigned(refuseSignature(opened)) : signParsed(kind, opened, key, options)
}

/**
 * Signs a parsed document, or reports why reading it failed. An invalid one is signed only by `force`.
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for invalid options.
 */
export async function signParsed<Subject>(
  { signing, specification }: SignedKind<Subject>,
  parsed: ParseResult,
  source: KeySource,
  options: SignOptions,
): Promise<SignResult> {
  signing.expectOptions?.(options)
  const subtle = subtleOf(options)
  parsed.document?.keepPlaces()
  const read = subjectOf(signing, parsed)
  const key = await importKey(source, { subtle })
  if (read.subject === undefined) return unsigned(read.diagnostics)
  const signed = await signing.sign(read.subject, { key, subtle, options })
  // Drops the warning about unsafe integers: signing refuses them with an error of its own where it matters.
  const warnings = read.diagnostics.filter(({ rule }) => rule !== 'json/unsafe-integer')
  const errors = errorsOf(specification, parsed, signed)
  if (errors.length > 0 && options.force !== true)
    return { ...unsigned([...warnings, ...errors]), errors: errors.length }
  const forced = errors.map((error): Diagnostic => ({ ...error, severity: 'warning' }))
  const diagnostics = [...warnings, ...forced, ...signed.diagnostics]
  return { ...signed, diagnostics, ...(errors.length > 0 && { errors: errors.length }) }
}

/** The errors that the signed document has, at their places in its source. A missing signature does not count. */
function errorsOf<Subject>(
  specification: Specification<Subject>,
  source: ParseResult,
  { document }: SignResult,
): readonly Diagnostic[] {
  if (document === undefined) return []
  const errors = (of: ParseResult) =>
    check(specification, of, specification.settings({ ruleset: 'spec' })).diagnostics.filter(
      ({ severity }) => severity === 'error',
    )
  const left = errors({ document, diagnostics: [] })
  const name = ({ rule, source: { pointer } }: Diagnostic) => `${rule} ${pointer}`
  const names = new Set(left.map(name))
  const known = left.length === 0 ? [] : errors({ ...source, diagnostics: [] }).filter((one) => names.has(name(one)))
  return known.length === 0 ? left : known
}
