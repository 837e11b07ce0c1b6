// Messages of the Model Context Protocol. 2025-11-25 begins with a handshake, 2026-07-28 has none.
import { isObject, type JsonObject, member, objectOf } from '../text/members.ts'

export type McpVersion = '2025-11-25' | '2026-07-28'
export const HANDSHAKE_VERSION = '2025-11-25'
export const STATELESS_VERSION = '2026-07-28'

/** Names in `_meta` that MCP reserves. */
const own = (name: string) => `io.modelcontextprotocol/${name}`

/** The methods that list what a server offers, and the member of each result. */
export const LISTS = { tools: 'tools/list', resources: 'resources/list', prompts: 'prompts/list' } as const
export type ListName = keyof typeof LISTS

export const GET_PROMPT = 'prompts/get'
export const INITIALIZE = 'initialize'
export const INITIALIZED = 'notifications/initialized'
export const CALL_TOOL = 'tools/call'
export const CANCELLED = 'notifications/cancelled'
export const TOOLS_CHANGED = 'notifications/tools/list_changed'
/** Asks a server of 2026-07-28 for notifications; its answer is the end of them. */
export const LISTEN = 'subscriptions/listen'
export const PING = 'ping'
const DISCOVER = 'server/discover'

/** The method that describes the server, and the path to name and version in its result. */
export function introduction(version: McpVersion): { readonly method: string; readonly info: readonly string[] } {
  return version === HANDSHAKE_VERSION
    ? { method: INITIALIZE, info: ['serverInfo'] }
    : { method: DISCOVER, info: ['_meta', own('serverInfo')] }
}

/** The members of that result that give the protocol version. */
export function versionMembers(version: McpVersion): JsonObject {
  return version === HANDSHAKE_VERSION ? { protocolVersion: version } : { supportedVersions: [version] }
}

/** Members of every result of a version. Cacheable results get a lifetime of 0, because their validity is unknown. */
export function resultOf(version: McpVersion, cacheable = true): JsonObject {
  if (version === HANDSHAKE_VERSION) return {}
  return { resultType: 'complete', ...(cacheable && { ttlMs: 0, cacheScope: 'private' }) }
}

/** The version that a request without a handshake has in its parameters. */
export const versionOf = (params: JsonObject): unknown => objectOf(member(params, '_meta'))[own('protocolVersion')]

/** Parameters of the handshake. */
export const greeting = (client: JsonObject): JsonObject => ({
  protocolVersion: HANDSHAKE_VERSION,
  capabilities: {},
  clientInfo: client,
})

/** Parameters of every request without a handshake. */
export const stateless = (client: JsonObject): JsonObject => ({
  _meta: {
    [own('protocolVersion')]: STATELESS_VERSION,
    [own('clientCapabilities')]: {},
    [own('clientInfo')]: client,
  },
})

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
  const required = member(schema, 'required')
  return Object.entries(objectOf(member(schema, 'properties'))).map(([name, property]) => {
    const description = member(objectOf(property), 'description')
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
