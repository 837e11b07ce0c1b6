import { ReadSchema } from '../schema/schema.ts'
import {
  type JsonObject,
  objectMember,
  type PlacedObject,
  parsePointer,
  repetitions,
  textsOf,
} from '../text/members.ts'
import { quoted } from '../text/words.ts'
import type { Report } from './subject.ts'

/** Reports at most this many problems of one schema: the first ones lead to the rest. */
const MOST = 10

type SchemaReader = (schema: JsonObject) => ReadSchema

/** Reports why a member is not a valid JSON Schema; other rules report a value that is not an object. */
export function reportSchema(
  owner: PlacedObject,
  name: string,
  report: Report,
  read: SchemaReader = (schema) => new ReadSchema(schema),
): void {
  const schema = objectMember(owner, name)
  if (schema === undefined) return
  for (const { pointer, reason, message } of read(schema.value).check().slice(0, MOST)) {
    const why = reason === 'dialect' ? 'cannot be judged' : 'is not a JSON Schema'
    report(placeIn(schema, pointer), `'${name}' ${why}: ${message}`)
  }
}

/** Reports references from a JSON Schema member to other documents. */
export function reportReferences(owner: PlacedObject, name: string, report: Report, read: SchemaReader): void {
  const schema = objectMember(owner, name)
  if (schema === undefined) return
  const fix = { hint: "put the schemas that it refers to into its '$defs'" }
  for (const { pointer, message } of read(schema.value).leadingOut().slice(0, MOST)) {
    report(placeIn(schema, pointer), `Nothing can be held against '${name}': ${message}`, { fix })
  }
}

/** A fault in an embedded resource is located by a URI instead of a pointer. */
const placeIn = (schema: PlacedObject, pointer: string) => schema.pointer + (pointer.startsWith('/') ? pointer : '')

/** Reports each entry of a list that repeats an earlier entry's name. */
export function reportRepeated(kind: string, list: readonly PlacedObject[], report: Report): void {
  for (const [{ pointer, value }, first] of repetitions(textsOf(list, 'name'), ({ value }) => value)) {
    const index = parsePointer(first.pointer)!.at(-2)
    const related = [{ pointer: first.pointer, message: `the first ${kind} with this name` }]
    const what = `${kind[0]!.toUpperCase()}${kind.slice(1)} name ${quoted(value)}`
    report(pointer, `${what} already defined at index ${index}`, { related })
  }
}
