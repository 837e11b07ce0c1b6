import type { Document } from '../document/document.ts'
import { isObject, objectMember, type PlacedObject } from '../text/members.ts'
import { parsePointer } from '../text/pointer.ts'

/** From the least protected to the most protected (ADL 10.4). */
export const SENSITIVITIES = ['public', 'internal', 'confidential', 'restricted'] as const

export type Sensitivity = (typeof SENSITIVITIES)[number]

/** True for the levels that the specification protects specially: confidential and restricted. */
export function isSensitive(level: unknown): level is 'confidential' | 'restricted' {
  return level === 'confidential' || level === 'restricted'
}

/**
 * The classification of data that applies at a place: that of the tool or resource around it, or else the document's
 * (ADL 10.4). Undefined when there is neither.
 *
 * @example
 * const { document } = parse('{"data_classification": {"sensitivity": "internal"}, "tools": [{"name": "a"}]}')
 * classificationOf(document, '/tools/0/parameters')
 * // { pointer: '/data_classification', value: { sensitivity: 'internal' } }
 *
 * @throws {RangeError} for a malformed pointer.
 */
export function classificationOf(document: Document, pointer: string): PlacedObject | undefined {
  const path = parsePointer(pointer)
  if (path === undefined) throw new RangeError(`pointer: expected a JSON Pointer, got ${JSON.stringify(pointer)}`)
  const { value } = document
  if (!isObject(value)) return undefined
  const own = objectMember({ pointer: '', value }, 'data_classification')
  const [list, index] = path
  if ((list !== 'tools' && list !== 'resources') || index === undefined) return own
  const items = Object.hasOwn(value, list) ? value[list] : undefined
  const item: unknown = Array.isArray(items) && Object.hasOwn(items, index) ? items[Number(index)] : undefined
  if (!isObject(item)) return own
  return objectMember({ pointer: `/${list}/${index}`, value: item }, 'data_classification') ?? own
}
