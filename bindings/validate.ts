import { limitsOf } from './adl/limits.ts'
import { readingOf } from './adl/reading.ts'
import { withinLimits } from './adl/within.ts'
import { knownRules } from './catalogue.ts'
import { check, checkAs, type ValidateOptions } from './check.ts'
import { Document } from './document/document.ts'
import { expectKnownRules } from './document/known-rules.ts'
import { read } from './document/read.ts'
import type { ValidationReport } from './document/report.ts'

/**
 * Checks a document by the rules of what it is.
 *
 * @example
 * validate('{"adl_spec": "0.1.0"}').kind // 'adl'
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for what a document holds.
 */
export function validate(source: Uint8Array | string | Document, options: ValidateOptions = {}): ValidationReport {
  checkAs(options.as)
  expectKnownRules(options.rules, () => knownRules(options.profiles))
  const parsed =
    source instanceof Document ? withinLimits(source, limitsOf(options.limits)) : read(source, readingOf(options))
  return check(parsed, options)
}
