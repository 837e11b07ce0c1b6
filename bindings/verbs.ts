import type { CheckOptions } from './adl/specification.ts'
import { CHECKED } from './all-specifications.ts'
import { read } from './document/read.ts'
import { READERS } from './form-readers.ts'
import { check } from './frame/check.ts'
import { type OpenOptions, type OpenResult, open as openWith } from './frame/open.ts'
import { type RuleOptions, ruleSettings } from './frame/rule-settings.ts'
import type { Source, ValidationReport } from './frame/source.ts'
import { refuseCheck } from './frame/steps.ts'
import { expectKnownRules, ruleNames } from './frame/verbs.ts'

export declare namespace open {
  type Options = OpenOptions
  type Result = OpenResult
}

/**
 * Reads a document in JSON or YAML within the limits of its kind, and detects the kind. All verbs read documents this
 * way.
 *
 * @example
 * open('{"adl_spec": "0.1.0"}').kind // 'adl'
 *
 * @throws {TypeError} when the source is not text, bytes or a document, {RangeError} for an invalid option.
 */
export function open(source: Source, options: OpenOptions = {}): OpenResult {
  return openWith(read, source, options, READERS)
}

export declare namespace validate {
  /** The options of checking; those of other specifications are ignored. */
  interface Options extends CheckOptions, Pick<OpenOptions, 'file' | 'format' | 'as'> {}
}

/**
 * Checks a document by the rules of its kind.
 *
 * @example
 * validate('{"adl_spec": "0.1.0"}').kind // 'adl'
 *
 * @throws {TypeError} or {RangeError} for invalid arguments; never because of the document's content.
 */
export function validate(source: Source, options: validate.Options = {}): ValidationReport {
  if (typeof options !== 'object' || options === null) throw new TypeError('options: expected an object')
  expectKnownRules(options.rules, () => knownRules(options))
  const bounds = boundsFor(options)
  return checkOpened(open(source, bounds === undefined ? options : { ...options, bounds }), options)
}

// Checks opened documents of any kind, without loading the YAML reader.

/** Limits from the caller that replace those of the row. */
function boundsFor(options: validate.Options): OpenOptions['bounds'] {
  const own = CHECKED.flatMap((specification) => {
    const bounds = specification.bounds?.(options)
    return bounds === undefined ? [] : [[specification.kind, bounds]]
  })
  return own.length === 0 ? undefined : Object.fromEntries(own)
}

/** Checks a parsed document by the rules of its kind, or reports why reading it failed. */
export function checkOpened(opened: OpenResult, options: validate.Options): ValidationReport {
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
