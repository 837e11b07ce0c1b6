// Checking a document by the rules of its specification: the same way for every kind.

import { withoutEdits } from '../document/fixes.ts'
import type { Document, ParseResult } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Kind } from '../kinds.ts'
import { Findings } from './collect.ts'
import { explain, type Listener } from './explain.ts'
import { activeRules, type RuleSettings } from './rule-settings.ts'
import { hasShape } from './shape.ts'
import type { Conformance, ValidationReport } from './source.ts'
import type { Specification } from './specification.ts'
import { otherRoots, reword, severityOf } from './subject.ts'

/** Checks a parsed document, or reports why reading it failed. */
export function check<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  { document, diagnostics }: ParseResult,
  settings: Settings,
): ValidationReport {
  const before = reword(specification, diagnostics)
  if (document === undefined) return report(specification.kind, before)
  const findings = new Findings(settings.maxDiagnostics)
  const others = otherRoots(specification, document)
  for (const pointer of others) findings.add(specification.rootObject, 'error', pointer, 'Expected a JSON object')
  const subject = others.length === 0 ? specification.subject(document) : undefined
  if (subject !== undefined) checkSubject(specification, document, subject, findings, settings)
  const found = findings.diagnostics(document, before)
  const editable = specification.isEditable?.(document) ?? true
  const conformance = subject && specification.conformance?.(subject)
  return report(specification.kind, editable ? found : found.map(withoutEdits), conformance)
}

function report(kind: Kind, diagnostics: readonly Diagnostic[], conformance?: Conformance): ValidationReport {
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  return conformance === undefined ? { valid, kind, diagnostics } : { valid, kind, diagnostics, conformance }
}

/** Checks a document, or a part of one that has a specification of its own. */
export function checkSubject<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  document: Document,
  subject: Subject,
  findings: Findings,
  settings: Settings,
): void {
  if (!(specification.gate?.(subject, findings, settings) ?? true)) return
  checkShapes(specification, document, subject, findings, settings)
  specification.check?.(subject, findings, settings)
  findings.judge(activeRules(specification.rules, settings), subject, settings)
}

/** Validates the document's parts against their shapes; creates the listener only when a part has a fault. */
function checkShapes<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  document: Document,
  subject: Subject,
  findings: Findings,
  settings: Settings,
): void {
  const { words } = specification
  let listener: Listener | undefined
  for (const { shape, value, pointer } of specification.shapes(subject)) {
    if (hasShape(shape, value, words.isExtension)) continue
    listener ??= {
      fault: (rule, at, detail, remarks) =>
        findings.add(rule, severityOf(rule, settings.ruleset, settings.rules), at, detail, remarks),
      undefinedMember() {},
      ...specification.listener?.(subject, findings, settings),
    }
    explain({ document, words, listener }, shape, value, pointer)
  }
}
