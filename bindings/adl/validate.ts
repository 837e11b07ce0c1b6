import { Document } from '../document/document.ts'
import { expectKnownRules } from '../document/known-rules.ts'
import { read } from '../document/read.ts'
import type { ReadOptions } from '../document/read-format.ts'
import type { ValidationReport } from '../document/report.ts'
import { knownRules } from './catalogue.ts'
import { checkDocument } from './check.ts'
import { type CheckOptions, settingsOf } from './options.ts'
import { readingOf } from './reading.ts'
import { withinLimits } from './within.ts'

export interface ValidateOptions extends CheckOptions, Pick<ReadOptions, 'file' | 'format'> {}

/**
 * Checks an agent definition: how it is written, the schema, and every rule of ADL 0.1.
 *
 * @example
 * validate('{"adl_spec": "0.1.0"}').diagnostics[0].code // 'ADL-1003'
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for what a document holds.
 */
export function validate(source: Uint8Array | string | Document, options: ValidateOptions = {}): ValidationReport {
  expectKnownRules(options.rules, () => knownRules(options.profiles))
  const settings = settingsOf(options)
  if (source instanceof Document) return checkDocument(withinLimits(source, settings.limits), settings)
  return checkDocument(read(source, readingOf(options)), settings)
}
