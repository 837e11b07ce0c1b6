// Checking a document by the rules of its specification: the same way for every kind.
import type { Document } from '../document/document.ts'
import { withoutEdits } from '../document/fixes.ts'
import type { ParseResult } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { Findings } from './collect.ts'
import { explain, type Listener } from './explain.ts'
import type { ValidationReport } from './report.ts'
import { severityOf } from './rule.ts'
import { activeRules, type RuleSettings } from './rule-settings.ts'
import { hasShape } from './shape.ts'
import type { Specification } from './specification.ts'
import { otherRoots, told } from './subject.ts'

/** Checks a parsed document, or reports why reading it failed. */
export function check<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  { document, diagnostics }: ParseResult,
  settings: Settings,
): ValidationReport {
  const before = told(specification, diagnostics)
  const found = document === undefined ? before : checkDocument(specification, document, before, settings)
  return { valid: !found.some(({ severity }) => severity === 'error'), kind: specification.kind, diagnostics: found }
}

function checkDocument<Subject, Settings extends RuleSettings>(
  specification: Specification<Subject, Settings>,
  document: Document,
  before: readonly Diagnostic[],
  settings: Settings,
): readonly Diagnostic[] {
  const findings = new Findings(settings.maxDiagnostics)
  const others = otherRoots(specification, document)
  for (const pointer of others) findings.add(specification.rootObject, 'error', pointer, 'Expected a JSON object')
  if (others.length === 0) {
    const subject = specification.subject(document)
    if (specification.gate?.(subject, findings, settings) ?? true) {
      checkShapes(specification, document, subject, findings, settings)
      specification.check?.(subject, findings, settings)
      findings.judge(activeRules(specification.rules, settings), subject, settings)
    }
  }
  const found = findings.diagnostics(document, before)
  return (specification.isEditable?.(document) ?? true) ? found : found.map(withoutEdits)
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
