import { ReadSchema } from '../schema/schema.ts'
import { type JsonObject, objectMember, type PlacedObject } from '../text/members.ts'
import type { Report } from './rule.ts'

/** More problems of one schema than these are not told: the first ones lead to them. */
const MOST = 10

/** Reports the reasons that a member is not a JSON Schema; a value that is not an object is the matter of others. */
export function reportSchema(
  owner: PlacedObject,
  name: string,
  report: Report,
  read: (schema: JsonObject) => ReadSchema = (schema) => new ReadSchema(schema),
): void {
  const schema = objectMember(owner, name)
  if (schema === undefined) return
  const problems = read(schema.value).check()
  for (const { pointer, reason, message } of problems.slice(0, MOST)) {
    // A fault in a resource of its own is named by a URI and not by a pointer.
    report(
      schema.pointer + (pointer.startsWith('/') ? pointer : ''),
      `'${name}' ${reason === 'dialect' ? 'cannot be judged' : 'is no JSON Schema'}: ${message}`,
    )
  }
}
