import { isObject, type JsonObject, member } from '../text/members.ts'
import { HANDSHAKE_VERSION, type McpVersion } from './messages.ts'

/** A schema as MCP wants a tool's: of type object, and up to 2025-11-25 with objects alone for schemas of properties. */
export function toolSchema(schema: JsonObject, version: McpVersion): JsonObject {
  const properties = member(schema, 'properties')
  if (version !== HANDSHAKE_VERSION || !isObject(properties)) return { ...schema, type: 'object' }
  const entries = Object.entries(properties).map(([name, value]) => [
    name,
    isObject(value) ? value : value === false ? { not: {} } : {},
  ])
  return { ...schema, type: 'object', properties: Object.fromEntries(entries) }
}

/** The arguments of a prompt that a schema describes, as MCP lists them: names of texts. */
export function promptArguments(schema: JsonObject): JsonObject[] {
  const properties = member(schema, 'properties')
  const required = member(schema, 'required')
  return Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const description = member(isObject(property) ? property : undefined, 'description')
    return {
      name,
      ...(typeof description === 'string' && { description }),
      ...(Array.isArray(required) && required.includes(name) && { required: true }),
    }
  })
}

/** The schema that such a list stands for. */
export function argumentsSchema(list: readonly JsonObject[]): JsonObject {
  const names = list.filter((argument) => typeof member(argument, 'name') === 'string')
  const properties = names.map((argument) => {
    const description = member(argument, 'description')
    return [argument['name'], { type: 'string', ...(typeof description === 'string' && { description }) }]
  })
  const required = names.filter((argument) => member(argument, 'required') === true).map((argument) => argument['name'])
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}
