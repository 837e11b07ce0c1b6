// Finds all places in a document that hold the same kind of value.
import type { Document } from '../document/parse.ts'
import {
  elements,
  escapeToken,
  isObject,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  parsePointer,
  textMember,
  valueIn,
} from '../text/members.ts'
import type { Agent } from './subject.ts'

let count = 0

/** Computes a result once for each agent, for several rules that need it. */
export function once<Found extends object | null>(find: (agent: Agent) => Found): (agent: Agent) => Found {
  const at = count++
  return (agent) => {
    const { found } = agent
    if (found[at] === undefined) found[at] = find(agent)
    return found[at] as Found
  }
}

/** Every `data_classification`: that of the document, then those of tools and resources (ADL 10.4). */
export const classifications = once(({ classification, tools, resources }): readonly PlacedObject[] => {
  const found: PlacedObject[] = classification === undefined ? [] : [classification]
  for (const list of [tools, resources]) {
    for (const entry of list) {
      const own = objectMember(entry, 'data_classification')
      if (own !== undefined) found.push(own)
    }
  }
  return found
})

/** The kinds of permission patterns (ADL 9.2 to 9.5). */
export type PermissionKind = 'host' | 'path' | 'env' | 'command'

/** The arrays of permission patterns: the kind, the domain, and the member's name. */
export const PATTERN_LISTS: readonly (readonly [kind: PermissionKind, domain: string, name: string])[] = [
  ['host', 'network', 'allowed_hosts'],
  ['path', 'filesystem', 'allowed_paths'],
  ['path', 'filesystem', 'denied_paths'],
  ['env', 'environment', 'allowed_variables'],
  ['env', 'environment', 'denied_variables'],
  ['command', 'execution', 'allowed_commands'],
  ['command', 'execution', 'denied_commands'],
]

/** A permission pattern. */
export interface PlacedPattern extends PlacedValue<string> {
  readonly kind: PermissionKind
  readonly isAllowing: boolean
}

/** All permission patterns. */
export const patterns = once(({ permissions }): readonly PlacedPattern[] => {
  if (permissions === undefined) return NONE
  const found: PlacedPattern[] = []
  for (const [kind, domain, name] of PATTERN_LISTS) {
    const list = valueIn(permissions, domain, name)
    if (!Array.isArray(list)) continue
    const isAllowing = name.startsWith('allowed')
    const isEntry = name === 'allowed_paths'
    for (let i = 0; i < list.length; i++) {
      const value: unknown = isEntry && isObject(list[i]) ? member(list[i], 'path') : list[i]
      if (typeof value !== 'string') continue
      found.push({ pointer: `/permissions/${domain}/${name}/${i}${isEntry ? '/path' : ''}`, value, kind, isAllowing })
    }
  }
  return found
})

const NONE: readonly never[] = []

/** A member that holds a URI. */
export interface PlacedUri extends PlacedValue<string> {
  /** It identifies an agent or the party that vouches for it, so a DID is allowed. */
  readonly isIdentity: boolean
}

/** The members that hold URIs (ADL 18.7). */
export const uris = once((agent): readonly PlacedUri[] => {
  const found: PlacedUri[] = []
  const add = (of: PlacedObject | undefined, name: string, isIdentity = false) => {
    const text = textMember(of, name)
    if (text !== undefined) found.push({ pointer: text.pointer, value: text.value, isIdentity })
  }
  add(agent.root, '$schema')
  add(agent.root, 'id', true)
  add(agent.lifecycle, 'successor', true)
  add(agent.provider, 'url')
  for (const tool of agent.tools) add(objectMember(tool, 'annotations'), 'openapi_ref')
  for (const resource of agent.resources) add(resource, 'uri')
  add(objectMember(agent.security, 'authentication'), 'token_endpoint')
  add(agent.attestation, 'issuer', true)
  for (const classification of classifications(agent)) add(objectMember(classification, 'retention'), 'policy_uri')
  for (const author of elements(agent.metadata, 'authors', isObject)) add(author, 'url')
  add(agent.metadata, 'documentation')
  add(agent.metadata, 'repository')
  return found
})

/** From the least protected to the most protected (ADL 10.4). */
export const SENSITIVITIES = ['public', 'internal', 'confidential', 'restricted'] as const

export type Sensitivity = (typeof SENSITIVITIES)[number]

/** True for the levels that the specification protects specially: confidential and restricted. */
export function isSensitive(level: unknown): level is 'confidential' | 'restricted' {
  return level === 'confidential' || level === 'restricted'
}

/**
 * The classification of data that applies at a place: that of the tool or resource around it, or else the document's
 * (ADL 10.4). Undefined when there is neither.
 *
 * @example
 * const { document } = parse('{"data_classification": {"sensitivity": "internal"}, "tools": [{"name": "a"}]}')
 * classificationOf(document, '/tools/0/parameters')
 * // { pointer: '/data_classification', value: { sensitivity: 'internal' } }
 *
 * @throws {RangeError} for a malformed pointer.
 */
export function classificationOf(document: Document, pointer: string): PlacedObject | undefined {
  const path = parsePointer(pointer)
  if (path === undefined) throw new RangeError(`pointer: expected a JSON Pointer, got ${JSON.stringify(pointer)}`)
  const { value } = document
  if (!isObject(value)) return undefined
  const own = objectMember({ pointer: '', value }, 'data_classification')
  const [list, index] = path
  if ((list !== 'tools' && list !== 'resources') || index === undefined) return own
  const items = Object.hasOwn(value, list) ? value[list] : undefined
  const item: unknown = Array.isArray(items) && Object.hasOwn(items, index) ? items[Number(index)] : undefined
  if (!isObject(item)) return own
  return objectMember({ pointer: `/${list}/${index}`, value: item }, 'data_classification') ?? own
}

/** Members whose content is not part of the definition: inside them, `x_` has no special meaning. */
const FOREIGN = new Set([
  'parameters',
  'returns',
  'schema',
  'arguments',
  'input',
  'output',
  'variables',
  'default',
  'annotations',
])

/** The JSON Pointers of extension members (ADL 4.3), only the outermost ones. */
export function extensions(agent: Agent): string[] {
  const found: string[] = []
  const stack: { readonly value: JsonObject | readonly unknown[]; readonly pointer: string }[] = [agent.root]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, pointer } = next
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value)) {
      const place = `${pointer}/${isList ? name : escapeToken(name)}`
      if (!isList && name.startsWith('x_')) found.push(place)
      else if ((isObject(inner) || Array.isArray(inner)) && (isList || !FOREIGN.has(name)))
        stack.push({ value: inner, pointer: place })
    }
  }
  return found
}
