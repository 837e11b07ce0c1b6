// An MCP server as what it answers: one result of the protocol for each method.
import { isObject, type JsonObject, member, objectMember, type PlacedObject } from '../../document/members.ts'
import { escapeToken } from '../../document/pointer.ts'
import { META } from '../baggage.ts'
import { child, type Made } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'

export type Version = '2025-11-25' | '2026-07-28'

/** The member of a definition that has what MCP says and a definition does not. */
export const OWN = 'x_mcp'

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'

/** The methods whose results say what a server has, and the member of each result. */
export const LISTS = { tools: 'tools/list', resources: 'resources/list', prompts: 'prompts/list' } as const
export type ListName = keyof typeof LISTS

export const GET_PROMPT = 'prompts/get'

/** What every result of 2026-07-28 has; nothing is said about caching that the definition does not know. */
export function resultOf(version: Version, cacheable = true): Made {
  if (version === '2025-11-25') return {}
  return { resultType: 'complete', ...(cacheable && { ttlMs: 0, cacheScope: 'private' }) }
}

/** The method that tells what the server is, and where its answer has name and version. */
export function introduction(version: Version): { readonly method: string; readonly info: readonly string[] } {
  return version === '2025-11-25'
    ? { method: 'initialize', info: ['serverInfo'] }
    : { method: 'server/discover', info: ['_meta', SERVER_INFO] }
}

/** A bundle with what MCP says of itself, and where name and version go. */
export function openBundle(version: Version, ledger: Ledger) {
  const { method, info } = introduction(version)
  const start: Made = version === '2025-11-25' ? { protocolVersion: version } : { supportedVersions: [version] }
  Object.assign(start, resultOf(version), { capabilities: {} })
  const bundle: Made = { [method]: start }
  const at = `/${escapeToken(method)}`
  ledger.added(at, `what MCP ${version} says of itself`)
  const implementation = info.reduce(child, start)
  return { bundle, start, at, implementation, infoAt: [at, ...info.map(escapeToken)].join('/') }
}

/** What is carried in an object's `_meta`: of a definition, or of a card. */
export function carriedIn(object: PlacedObject | undefined, name: string = META): PlacedObject | undefined {
  return objectMember(objectMember(object, '_meta'), name)
}

/** Puts what is carried there. */
export function metaCarrier(owner: Made, pointer: string, name: string = META): Carrier {
  return {
    target: `${pointer}/_meta/${escapeToken(name)}`,
    take(residue) {
      child(owner, '_meta')[name] = residue
    },
  }
}

/** The URI of a resource that has none of its own. */
export const resourceUri = (name: string) => `adl://resource/${encodeURIComponent(name)}`

/**
 * A schema as MCP wants a tool's: of type object, and up to 2025-11-25 with objects alone for schemas of properties.
 */
export function toolSchema(schema: JsonObject, version: Version): JsonObject {
  const made: Made = { ...schema, type: 'object' }
  const properties = member(schema, 'properties')
  if (version === '2025-11-25' && isObject(properties)) {
    const entries = Object.entries(properties).map(([name, value]) => [
      name,
      isObject(value) ? value : value === false ? { not: {} } : {},
    ])
    made['properties'] = Object.fromEntries(entries)
  }
  return made
}

/** The arguments of a prompt as MCP lists them: names of texts. */
export function listArguments(schema: JsonObject): Made[] {
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
export function argumentsSchema(list: readonly JsonObject[]): Made {
  const names = list.filter((argument) => typeof member(argument, 'name') === 'string')
  const properties = names.map((argument) => {
    const description = member(argument, 'description')
    return [argument['name'], { type: 'string', ...(typeof description === 'string' && { description }) }]
  })
  const required = names.filter((argument) => member(argument, 'required') === true).map((argument) => argument['name'])
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}
