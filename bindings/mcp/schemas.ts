import { isObject, type JsonObject, member } from '../text/members.ts'
import { HANDSHAKE_VERSION, type McpVersion } from './messages.ts'

/**
 * A schema in the form that MCP requires for tools: of type object. Up to 2025-11-25, schemas of properties must be
 * objects.
 */
export function toolSchema(schema: JsonObject, version: McpVersion): JsonObject {
  const properties = member(schema, 'properties')
  if (version !== HANDSHAKE_VERSION || !isObject(properties)) return { ...schema, type: 'object' }
  const entries = Object.entries(properties).map(([name, value]) => [
    name,
    isObject(value) ? value : value === false ? { not: {} } : {},
  ])
  return { ...schema, type: 'object', properties: Object.fromEntries(entries) }
}

/** Converts a schema to the arguments of an MCP prompt, which are named texts. */
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

/** Converts arguments of an MCP prompt to a schema. */
export function argumentsSchema(list: readonly JsonObject[]): JsonObject {
  const names = list.filter((argument) => typeof member(argument, 'name') === 'string')
  const properties = names.map((argument) => {
    const description = member(argument, 'description')
    return [argument['name'], { type: 'string', ...(typeof description === 'string' && { description }) }]
  })
  const required = names.filter((argument) => member(argument, 'required') === true).map((argument) => argument['name'])
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}
