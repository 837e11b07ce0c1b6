// The verbs of a specification's entry, for sources of its kind.

import { namesOf } from '../document/finding.ts'
import type { read } from '../document/read.ts'
import type { KeySource } from '../keys/read.ts'
import { isObject } from '../text/members.ts'
import { suggest } from '../text/words.ts'
import { parseAs } from './as.ts'
import { check } from './check.ts'
import { LIMIT_DIAGNOSTICS, SIGNATURE_UNTRUSTED_KEY } from './findings.ts'
import type { RuleOptions, RuleSettings } from './rule-settings.ts'
import { type SignedKind, signParsed } from './sign.ts'
import type { SignOptions, Verifying, VerifyOptions } from './signing.ts'
import type { Proof, SignResult, Source, ValidationReport } from './source.ts'
import type { Specification } from './specification.ts'
import { verifyParsed } from './verify.ts'

export interface ValidateOptions extends RuleOptions, Pick<read.Options, 'file' | 'format'> {}

/** Checks a source as a document of one kind. */
export function validateAs<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  source: Source,
  options: ValidateOptions,
): ValidationReport {
  expectKnownRules(options.rules, () => ruleNames([specification as Specification], options))
  const settings = specification.settings(options)
  return check(specification, parseAs(specification, source, options, specification.bounds?.(options)), settings)
}

/** Signs a source as a document of one kind. */
export async function signAs<Subject>(
  kind: SignedKind<Subject>,
  source: Source,
  key: KeySource,
  options: SignOptions,
): Promise<SignResult> {
  return signParsed(kind, parseAs(kind.signing, source, options), key, options)
}

/** Verifies a source as a document of one kind. */
export async function verifyAs<Subject, Step extends string>(
  verifying: Verifying<Subject, Step>,
  source: Source,
  options: VerifyOptions,
): Promise<Proof> {
  return verifyParsed(verifying, parseAs(verifying, source, options), options)
}

// Validates rule names that a caller passes: a misspelled name would leave its rule unchanged without notice.

/** The ids and codes of every finding that these specifications report. */
export function ruleNames(specifications: readonly Specification[], options?: RuleOptions): Set<string> {
  const shared = namesOf([LIMIT_DIAGNOSTICS, SIGNATURE_UNTRUSTED_KEY])
  return new Set([...shared, ...specifications.flatMap(({ names }) => names(options))])
}

/** The first name that is neither a rule id nor a code, with the nearest known one. */
export function unknownRule(
  names: readonly string[],
  known: ReadonlySet<string>,
): { readonly name: string; readonly nearest: string | undefined } | undefined {
  const name = names.find((given) => !known.has(given))
  return name === undefined ? undefined : { name, nearest: suggest(name, [...known]) }
}

/**
 * Refuses the option `rules` when it names an unknown rule.
 *
 * @throws {RangeError} with a suggestion; {TypeError} when the option is not an object.
 */
export function expectKnownRules(rules: object | undefined, known: () => ReadonlySet<string>): void {
  if (rules === undefined) return
  if (!isObject(rules)) throw new TypeError(`rules: expected an object, got ${String(rules)}`)
  const names = Object.keys(rules)
  const unknown = names.length === 0 ? undefined : unknownRule(names, known())
  if (unknown === undefined) return
  const { name, nearest } = unknown
  const hint = nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`
  throw new RangeError(`rules: expected ids and codes of rules, got ${JSON.stringify(name.slice(0, 80))}${hint}`)
}
