// Signing a document by the rules of its specification: the same way for every kind.
import type { ParseResult } from '../document/parse.ts'
import { importKey } from '../keys/import.ts'
import { subtleOf } from '../keys/platform.ts'
import type { KeySource } from '../keys/read.ts'
import type { OpenResult } from './open.ts'
import { refuseSignature } from './refuse.ts'
import type { SignResult } from './signed.ts'
import { type Signing, type SignOptions, unsigned } from './signing.ts'
import { subjectOf } from './subject.ts'

/** Signs an opened document; refuses one of a kind without signatures of its own. */
export async function signOpened(
  signing: Signing | undefined,
  opened: OpenResult,
  key: KeySource,
  options: SignOptions,
): Promise<SignResult> {
  return signing === undefined ? unsigned(refuseSignature(opened)) : signParsed(signing, opened, key, options)
}

/**
 * Signs a parsed document, or reports why reading it failed.
 *
 * @throws {KeyError} for a key that cannot sign, {TypeError} and {RangeError} for invalid options.
 */
export async function signParsed<Subject>(
  signing: Signing<Subject>,
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
  return warnings.length === 0 ? signed : { ...signed, diagnostics: [...warnings, ...signed.diagnostics] }
}
