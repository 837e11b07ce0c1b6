// The verbs of a specification's entry, for sources of its kind.
import type { ReadOptions } from '../document/read.ts'
import type { KeySource } from '../keys/read.ts'
import { parseAs } from './as.ts'
import { check } from './check.ts'
import { expectKnownRules, ruleNames } from './known-rules.ts'
import type { Proof } from './proof.ts'
import type { ValidationReport } from './report.ts'
import type { RuleOptions, RuleSettings } from './rule-settings.ts'
import { type SignedKind, signParsed } from './sign.ts'
import type { SignResult } from './signed.ts'
import type { SignOptions, Verifying, VerifyOptions } from './signing.ts'
import type { Source } from './source.ts'
import type { Specification } from './specification.ts'
import { verifyParsed } from './verify.ts'

export interface ValidateOptions extends RuleOptions, Pick<ReadOptions, 'file' | 'format'> {}

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
