import { ReadSchema } from '../schema/schema.ts'
import { type JsonObject, objectMember, type PlacedObject } from '../text/members.ts'
import type { Report } from './rule.ts'

/** More problems of one schema than these are not told: the first ones lead to them. */
const MOST = 10

type Read = (schema: JsonObject) => ReadSchema

/** Reports the reasons that a member is not a JSON Schema; a value that is not an object is the matter of others. */
export function reportSchema(
  owner: PlacedObject,
  name: string,
  report: Report,
  read: Read = (schema) => new ReadSchema(schema),
): void {
  const schema = objectMember(owner, name)
  if (schema === undefined) return
  for (const { pointer, reason, message } of read(schema.value).check().slice(0, MOST)) {
    const why = reason === 'dialect' ? 'cannot be judged' : 'is no JSON Schema'
    report(placeIn(schema, pointer), `'${name}' ${why}: ${message}`)
  }
}

/** Reports the references of a member that is a JSON Schema to documents that are not in it. */
export function reportReferences(owner: PlacedObject, name: string, report: Report, read: Read): void {
  const schema = objectMember(owner, name)
  if (schema === undefined) return
  const fix = { hint: "put the schemas that it refers to into its '$defs'" }
  for (const { pointer, message } of read(schema.value).leadingOut().slice(0, MOST)) {
    report(placeIn(schema, pointer), `Nothing can be held against '${name}': ${message}`, { fix })
  }
}

/** A fault in a resource of its own is named by a URI and not by a pointer. */
const placeIn = (schema: PlacedObject, pointer: string) => schema.pointer + (pointer.startsWith('/') ? pointer : '')
