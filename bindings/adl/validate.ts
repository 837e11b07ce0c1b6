import { Document } from '../document/document.ts'
import { type Parsed, parse } from '../document/parse.ts'
import type { ValidationReport } from '../document/report.ts'
import { type Ruleset, severityOf } from '../document/rule.ts'
import type { Diagnostic, Severity } from '../document/types.ts'
import { Agent, isObject } from './agent.ts'
import { Findings } from './findings.ts'
import { type Limits, limitsOf } from './limits.ts'
import { RULES } from './rules/index.ts'

export interface ValidateOptions {
  /** What diagnostics call the document. */
  readonly file?: string
  /** The time that dates are judged by; the platform's when absent. */
  readonly now?: Date
  readonly limits?: Partial<Limits>
  /** Which findings matter: `recommended` when absent. */
  readonly ruleset?: Ruleset
  /** Severities of rules by their ids or codes, before those of the ruleset. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>
  /** Diagnostics that are listed: 1000 when absent. */
  readonly maxDiagnostics?: number
}

const MOST_DIAGNOSTICS = 1000

/**
 * Checks an agent definition: JSON, the schema, and every rule of ADL 0.1.
 *
 * @example
 * validate('{"adl_spec": "0.1.0"}').diagnostics[0].code // 'ADL-1003'
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for what a document holds.
 */
export function validate(source: Uint8Array | string | Document, options: ValidateOptions = {}): ValidationReport {
  const { ruleset = 'recommended', rules, maxDiagnostics = MOST_DIAGNOSTICS } = options
  const { document, diagnostics } = read(source, options)
  if (document === undefined) return report(diagnostics.map(asParseError))
  const findings = new Findings(maxDiagnostics)
  if (!isObject(document.value)) return report(diagnostics)
  const agent = new Agent(document)
  const context = { now: options.now ?? new Date() }
  for (const rule of RULES) {
    const severity = severityOf(rule, ruleset, rules)
    if (severity !== 'off') rule.check(agent, findings.reporter(rule, severity), context)
  }
  return report(findings.diagnostics(document, diagnostics))
}

function read(source: Uint8Array | string | Document, { file, limits }: ValidateOptions): Parsed {
  if (source instanceof Document) return { document: source, diagnostics: [] }
  const { depth, documentBytes } = limitsOf(limits)
  return parse(source, { ...(file !== undefined && { file }), maxDepth: depth, maxBytes: documentBytes })
}

/** A fault of JSON in a document that is known to be ADL has the code of section 16.2; limits keep ours. */
function asParseError(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.rule.startsWith('json/') && diagnostic.rule !== 'json/depth'
    ? { ...diagnostic, code: 'ADL-1001', title: 'Invalid JSON syntax' }
    : diagnostic
}

function report(diagnostics: readonly Diagnostic[]): ValidationReport {
  return { valid: !diagnostics.some(({ severity }) => severity === 'error'), kind: 'adl', diagnostics }
}
