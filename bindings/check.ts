// Documents of any kind, once they are opened. Nothing of YAML is loaded for it.
import type { CheckOptions } from './adl/options.ts'
import { check } from './frame/check.ts'
import { ruleNames } from './frame/known-rules.ts'
import type { Opened, OpenOptions } from './frame/open.ts'
import { refuseCheck } from './frame/refuse.ts'
import type { ValidationReport } from './frame/report.ts'
import { type RuleOptions, ruleSettings } from './frame/rule-settings.ts'
import { CHECKED } from './specifications.ts'

/** The options of checking; those of another specification have no effect. */
export interface ValidateOptions extends CheckOptions, Pick<OpenOptions, 'file' | 'format' | 'as'> {}

/** The bounds that a caller sets in place of those of kinds.ts. */
export function boundsFor(options: ValidateOptions): OpenOptions['bounds'] {
  const own = CHECKED.flatMap((specification) => {
    const bounds = specification.bounds?.(options)
    return bounds === undefined ? [] : [[specification.kind, bounds]]
  })
  return own.length === 0 ? undefined : Object.fromEntries(own)
}

/** Checks a document that was read, or could not be, by the rules of its kind. */
export function checkOpened(opened: Opened, options: ValidateOptions): ValidationReport {
  const specification = CHECKED.find(({ kind }) => kind === opened.kind)
  if (specification !== undefined) return check(specification, opened, specification.settings(options))
  // Wrong options are wrong for a document of no kind, too.
  ruleSettings(options)
  return { valid: false, kind: opened.kind, diagnostics: refuseCheck(opened) }
}

/** The ids and codes of every rule of every kind, and of those of profiles that the caller has. */
export function knownRules(options: RuleOptions = {}): ReadonlySet<string> {
  return ruleNames(CHECKED, options)
}
