// Verifying the signature of a document by the rules of its specification: the same way for every kind.
import type { ParseResult } from '../document/parse.ts'
import { importKey } from '../keys/import.ts'
import { type Subtle, subtleOf } from '../keys/platform.ts'
import { toHex } from '../text/bytes.ts'
import { shown } from '../text/words.ts'
import type { OpenResult } from './open.ts'
import type { Proving, Verifying, VerifyOptions } from './signing.ts'
import type { Expectation, Proof } from './source.ts'
import { refuseSignature, Steps, unjudgedProof, unreadable } from './steps.ts'
import { subjectOf, versionWarnings } from './subject.ts'

/** Verifies an opened document by the code of its kind; `unverifiable` for a kind that nothing proves. */
export async function verifyOpened(
  by: Verifying | Proving | undefined,
  opened: OpenResult,
  options: VerifyOptions,
): Promise<Proof> {
  if (by === undefined || ('prove' in by && opened.document === undefined))
    return unjudgedProof(opened.document, refuseSignature(opened))
  return 'prove' in by ? by.prove(opened.document!, options) : verifyParsed(by, opened, options)
}

/**
 * Verifies a parsed document, or reports why reading it failed.
 *
 * @throws {KeyError} for a malformed expected key, {TypeError} and {RangeError} for invalid options.
 */
export async function verifyParsed<Subject, Step extends string>(
  verifying: Verifying<Subject, Step>,
  parsed: ParseResult,
  options: VerifyOptions,
): Promise<Proof> {
  const { expect = {} } = options
  checkExpected(expect)
  verifying.expectOptions?.(options)
  const subtle = subtleOf(options)
  parsed.document?.keepPlaces()
  const found = subjectOf(verifying, parsed)
  const pinned =
    expect.keys && (await Promise.all(expect.keys.map(async (key) => (await importKey(key, { subtle })).publicKey)))
  if (found.subject === undefined) return unreadable(found.diagnostics, verifying.steps.document)
  const steps = new Steps<Step | 'document'>(parsed.document!, verifying.steps)
  const others = versionWarnings(parsed.document!, verifying.otherVersion?.(found.subject))
  for (const diagnostic of [...found.diagnostics, ...others]) steps.addFinding('document', diagnostic)
  await verifying.verify(found.subject, { expect, pinned, subtle, options }, steps)
  return steps.proof()
}

function checkExpected({ provider, id, keys }: Expectation): void {
  if (id !== undefined && typeof id !== 'string') throw new TypeError(`expect.id: expected a string, got ${typeof id}`)
  if (keys !== undefined && !Array.isArray(keys)) throw new TypeError('expect.keys: expected an array of keys')
  if (provider === undefined) return
  if (typeof provider !== 'string') throw new TypeError(`expect.provider: expected a string, got ${typeof provider}`)
  if (!/^[a-z0-9.-]+(:\d+)?$/i.test(provider)) {
    throw new RangeError(`expect.provider: expected a domain such as acme.example.com, got ${shown(provider)}`)
  }
}

/** Adds the step for the canonical form: its length and its digest. */
export async function describePayload(
  payload: Uint8Array<ArrayBuffer>,
  subtle: Subtle,
  steps: Steps<'canonical-form'>,
): Promise<void> {
  const sha256 = await sha256Of(payload, subtle)
  steps.passed('canonical-form', `${payload.length} bytes, SHA-256 ${sha256}`, { bytes: payload.length, sha256 })
}

/** The SHA-256 of bytes in hexadecimal, computed by the platform. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>, subtle: Subtle): Promise<string> {
  return toHex(new Uint8Array(await subtle.digest('SHA-256', bytes)))
}
