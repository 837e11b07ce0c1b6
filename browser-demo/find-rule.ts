import { catalogue } from '../bindings/catalogue.ts'
import type { FindingInfo } from '../bindings/document/finding.ts'

let byName: ReadonlyMap<string, FindingInfo> | undefined

/** A finding with its explanation; undefined for an unknown one. Specifications share ids, but not codes. */
export function findRule(id: string, code: string): FindingInfo | undefined {
  byName ??= new Map(catalogue().map((row) => [`${row.code} ${row.id}`, row]))
  return byName.get(`${code} ${id}`)
}
