import { catalogue } from '../../bindings/catalogue.ts'
import type { FindingInfo, FindingKind } from '../../bindings/document/finding.ts'

/** The same findings with their explanations. */
export function explainedRows(findings: Iterable<FindingKind>): readonly FindingInfo[] {
  const rows = catalogue()
  return Array.from(findings, ({ id, code }) => rows.find((row) => row.id === id && row.code === code)!)
}
