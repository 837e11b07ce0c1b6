import type { Format } from '../document/document.ts'
import { parseAs } from './as.ts'
import { check } from './check.ts'
import { expectKnownRules, ruleNames } from './known-rules.ts'
import type { ValidationReport } from './report.ts'
import type { RuleOptions, RuleSettings } from './rule-settings.ts'
import type { Source } from './source.ts'
import type { Specification } from './specification.ts'

/** Checks a source as a document of one kind. */
export function validateAs<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  source: Source,
  options: RuleOptions & { readonly file?: string; readonly format?: Format },
): ValidationReport {
  expectKnownRules(options.rules, () => ruleNames([specification as Specification], options))
  const settings = specification.settings(options)
  return check(specification, parseAs(specification, source, options, specification.bounds?.(options)), settings)
}
