// Checks opened documents of any kind, without loading the YAML reader.
import type { CheckOptions } from './adl/specification.ts'
import { CHECKED } from './all-specifications.ts'
import { check } from './frame/check.ts'
import type { OpenOptions, OpenResult } from './frame/open.ts'
import { type RuleOptions, ruleSettings } from './frame/rule-settings.ts'
import type { ValidationReport } from './frame/source.ts'
import { refuseCheck } from './frame/steps.ts'
import { ruleNames } from './frame/verbs.ts'

/** The options of checking; those of other specifications are ignored. */
export interface ValidateOptions extends CheckOptions, Pick<OpenOptions, 'file' | 'format' | 'as'> {}

/** Limits from the caller that replace those of the row. */
export function boundsFor(options: ValidateOptions): OpenOptions['bounds'] {
  const own = CHECKED.flatMap((specification) => {
    const bounds = specification.bounds?.(options)
    return bounds === undefined ? [] : [[specification.kind, bounds]]
  })
  return own.length === 0 ? undefined : Object.fromEntries(own)
}

/** Checks a parsed document by the rules of its kind, or reports why reading it failed. */
export function checkOpened(opened: OpenResult, options: ValidateOptions): ValidationReport {
  const specification = CHECKED.find(({ kind }) => kind === opened.kind)
  if (specification !== undefined) return check(specification, opened, specification.settings(options))
  // Invalid options are refused even when the document has no known kind.
  ruleSettings(options)
  return { valid: false, kind: opened.kind, diagnostics: refuseCheck(opened) }
}

/** The ids and codes of all rules of all kinds, including those of the caller's profiles. */
export function knownRules(options: RuleOptions = {}): ReadonlySet<string> {
  return ruleNames(CHECKED, options)
}
