import { ReadSchema } from '../schema/schema.ts'
import type { JsonObject } from '../text/members.ts'
import type { Agent } from './agent.ts'
import { once } from './places.ts'

const read = once(() => new Map<JsonObject, ReadSchema>())

/**
 * The compiled JSON Schema of an agent. It is read once, because two rules use it: one checks the schema, one the
 * examples.
 */
export function schemaOf(agent: Agent, schema: JsonObject): ReadSchema {
  const known = read(agent)
  let found = known.get(schema)
  if (found === undefined) {
    found = new ReadSchema(schema)
    known.set(schema, found)
  }
  return found
}
