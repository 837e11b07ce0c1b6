import { Document } from '../document/document.ts'
import { expectKnownRules, ruleNames } from '../document/known-rules.ts'
import { read } from '../document/read.ts'
import type { ReadOptions } from '../document/read-format.ts'
import type { ValidationReport } from '../document/report.ts'
import type { RuleOptions } from '../document/rule-settings.ts'
import { everyCardRule } from './catalogue.ts'
import { checkCard } from './check.ts'

export interface ValidateCardOptions extends RuleOptions, Pick<ReadOptions, 'file' | 'format'> {}

/** As of all documents: what is larger is not read, and what is larger than a message is told by its members. */
const READING = { maxDepth: 32, maxBytes: 1 << 20, bom: 'warn' } as const

/**
 * Checks an Agent Card: how it is written, its members, and every rule of draft-song-anp-adp-00.
 *
 * @example
 * validateCard('{"id": "agent://scout", "name": "Scout"}').valid // true
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for what a card holds.
 */
export function validateCard(
  source: Uint8Array | string | Document,
  options: ValidateCardOptions = {},
): ValidationReport {
  expectKnownRules(options.rules, () => ruleNames(everyCardRule()))
  if (source instanceof Document) return checkCard(source, options)
  const { file, format } = options
  const named = { ...(file !== undefined && { file }), ...(format !== undefined && { format }) }
  const { document, diagnostics } = read(source, { ...named, ...READING })
  return document === undefined
    ? { valid: false, kind: 'card', diagnostics }
    : checkCard(document, options, diagnostics)
}
