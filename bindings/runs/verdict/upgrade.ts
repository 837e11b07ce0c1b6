// Upgrades verdicts of the first version of PVS-1.
import { inJson, withValues } from '../../document/edit.ts'
import type { Document } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import type { FileOptions, SignResult, Source } from '../../frame/source.ts'
import { ruleDiagnostic } from '../../frame/subject.ts'
import { VERDICT_ESCALATED } from './findings.ts'
import { type Decision, legacyDecision, VERDICT } from './specification.ts'

/**
 * Gives a verdict of the first version of PVS-1 the decision that follows from its other members. Other verdicts stay
 * as they are. Verdicts that are invalid afterwards are refused.
 *
 * @example
 * upgradeVerdict('{"version": "pvs-1", "approved": true, "reasoning": "", "policy_violations": [], "confidence_score": 1}')
 */
export function upgradeVerdict(source: Source, options: FileOptions = {}): SignResult {
  const { document: read, diagnostics } = parseAs(VERDICT, source, options)
  if (read === undefined) return { document: undefined, bytes: undefined, diagnostics }
  const decision = legacyDecision(read.value as object)
  const document = decision === undefined ? read : withValues(inJson(read), [['/decision', decision]])
  const report = check(VERDICT, { document, diagnostics }, VERDICT.settings({}))
  if (!report.valid) return { document: undefined, bytes: undefined, diagnostics: report.diagnostics }
  return {
    document,
    bytes: document.bytes,
    diagnostics: [...report.diagnostics, ...findEscalation(document, decision)],
  }
}

function findEscalation(document: Document, decision: Decision | undefined): Diagnostic[] {
  if (decision !== 'escalate') return []
  const detail = 'The verdict refuses without naming a violation, so a human decides'
  return [ruleDiagnostic(document, VERDICT_ESCALATED, VERDICT_ESCALATED.severity, '/decision', detail)]
}
