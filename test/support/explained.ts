import { catalogue } from '../../bindings/catalogue.ts'
import type { FindingInfo, FindingKind } from '../../bindings/document/finding.ts'
import type { Words } from '../../bindings/frame/explain.ts'

/** The same findings with their explanations. */
export function explainedRows(findings: Iterable<FindingKind>): readonly FindingInfo[] {
  const rows = catalogue()
  return Array.from(findings, ({ id, code }) => rows.find((row) => row.id === id && row.code === code)!)
}

const GENERAL = ['missing-member', 'member-type', 'empty-value', 'enum-value', 'value-pattern', 'number-range']

/** The findings of shapes: those that a schema or its formats name, and the general ones. */
export function shapeFindings({ words }: { readonly words: Words }, schema: object): readonly FindingKind[] {
  const named = Array.from(JSON.stringify(schema).matchAll(/"x-rule":"([^"]+)"/g), ([, id]) => id!)
  const ids = new Set([...GENERAL, ...named, ...Object.values(words.byFormat ?? {})])
  return [...ids].flatMap((id) => words.rules.get(id) ?? [])
}
