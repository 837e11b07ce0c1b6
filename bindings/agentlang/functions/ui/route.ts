import { CompiledSchema } from '../../../schema/run.ts'
import { compileSchema } from '../../../schema/schema.ts'
import { isObject, type JsonObject, member, objectOf } from '../../../text/members.ts'

/** The component whose props accept a result; of several, the one that declares most members of the result. */
export function routeResult(result: unknown, components: JsonObject): string | undefined {
  let [best, most] = [undefined as string | undefined, -1]
  for (const name of Object.keys(components)) {
    const schema = compileSchema(components[name])
    const declared = objectOf(member(objectOf(components[name]), 'properties'))
    const count = isObject(result) ? Object.keys(result).filter((member) => Object.hasOwn(declared, member)).length : 0
    if (count <= most || !(schema instanceof CompiledSchema) || schema.validate(result).length > 0) continue
    best = name
    most = count
  }
  return best
}
