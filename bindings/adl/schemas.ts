import { ReadSchema } from '../schema/schema.ts'
import type { JsonObject } from '../text/members.ts'
import type { Agent } from './agent.ts'
import { once } from './places.ts'

const read = once(() => new Map<JsonObject, ReadSchema>())

/** A JSON Schema of an agent, looked through once: whether it is one and whether examples fit it are questions of two rules. */
export function schemaOf(agent: Agent, schema: JsonObject): ReadSchema {
  const known = read(agent)
  let found = known.get(schema)
  if (found === undefined) {
    found = new ReadSchema(schema)
    known.set(schema, found)
  }
  return found
}
