// What the member at a place of a document means.
import type { Document } from '../../document/parse.ts'
import { parsePointer } from '../../text/members.ts'
import type { ShapedValue } from '../specification.ts'
import { shapesAt } from './complete.ts'

/** The path of the member that contains a byte, and the bytes of its name, or of the element. */
export function memberAt(document: Document, offset: number) {
  const pointer = document.pointerAt(offset)
  const { start, end, keyStart = start, keyEnd = end } = document.range(pointer)!
  return { path: parsePointer(pointer)!, start: keyStart, end: keyEnd }
}

export interface MemberText {
  readonly name: string
  /** The types of its value, then the values that are possible, between backticks. */
  readonly type: string
  readonly about: string | undefined
}

/** Describes the member at a path as the schema of its kind does. */
export function describeMember(shaped: readonly ShapedValue[], path: readonly string[]): MemberText | undefined {
  const shapes = shapesAt(shaped, path)
  const shape = shapes.find(({ about }) => about !== undefined) ?? shapes[0]
  const name = path.at(-1)
  if (shape === undefined || name === undefined) return undefined
  const { about, types, options = [] } = shape
  const type = [...(types.length > 0 ? [types.join(' or ')] : []), ...options.map((one) => `\`${one}\``)].join(', ')
  return { name, type, about }
}
