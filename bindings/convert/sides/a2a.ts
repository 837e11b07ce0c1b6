// Reads and writes A2A cards, for all conversions with them.
import {
  elements,
  isObject,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
  type PlacedValue,
} from '../../text/members.ts'
import { textOf } from '../job.ts'
import { isTexts, type MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'

export type Version = '1.0' | '0.3'

/** The member of a definition that keeps a card's members without a counterpart. */
export const OWN = 'x_a2a'

/** The skill of an agent without tools: no tool can have such a name. */
export const ITSELF = 'agent-itself'

/** The most tags that every skill gets: thousands of skills with thousands of tags would make gigabytes. */
const MOST_COMMON = 20
const MOST_COMMON_CHARACTERS = 1 << 20

/** The first of the texts, as many as fit into this many skills. */
export function commonTexts(texts: ReadonlySet<string>, skills: number): readonly string[] {
  const common: string[] = []
  let characters = 0
  for (const text of texts) {
    characters += text.length * skills
    if (text === '' || characters > MOST_COMMON_CHARACTERS) continue
    common.push(text)
    if (common.length === MOST_COMMON) break
  }
  return common
}

/** Begins a card, with its A2A version if the format has a member for it. */
export function beginA2a(version: Version, ledger: Ledger): MutableObject {
  if (version === '1.0') return {}
  ledger.added('/protocolVersion', 'the version of A2A')
  return { protocolVersion: '0.3.0' }
}

/** Collects the tags of the agent, which every skill gets. */
export function writeTags(list: readonly PlacedValue<string>[], pointer: string, skills: number, ledger: Ledger) {
  const tags = new Set(list.map(({ value }) => value))
  tags.delete('')
  const common = commonTexts(tags, skills)
  const [detail, outcome] =
    tags.size > common.length ? ([`the first ${common.length}`, 'changed'] as const) : (['all', 'renamed'] as const)
  if (common.length > 0) ledger.shown(pointer, '/skills/0/tags', `${detail}, in every skill`, outcome)
  return common
}

/** The only skill of an agent without tools. */
export function skillOfItself(
  { name, description }: MutableObject,
  tags: readonly string[],
  ledger: Ledger,
): MutableObject {
  ledger.added('/skills/0', 'the agent itself, because a card must have a skill')
  return { id: ITSELF, name, description, tags: tags.length > 0 ? tags : ['agent'] }
}

/** The named lists of a skill, if they are lists of strings. */
export function textLists(skill: PlacedObject | undefined, names: readonly string[]): MutableObject {
  const lists = names.flatMap((name) => {
    const value = member(skill?.value, name)
    return isTexts(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(lists)
}

/** Finds the extension of a card with that URI, and its params. */
export function extensionOf(root: PlacedObject, uri: string) {
  const extension = elements(objectMember(root, 'capabilities'), 'extensions', isObject).find(
    ({ value }) => member(value, 'uri') === uri,
  )
  return { extension, params: objectMember(extension, 'params') }
}

/** Marks the other members of that extension as implied. */
export function skipExtension({ pointer, value }: PlacedObject, of: string, ledger: Ledger): void {
  for (const name of Object.keys(value)) {
    if (name !== 'params') ledger.implied(`${pointer}/${name}`, `says that the params are members of ${of}`)
  }
}

/** Output formats (ADL 11.2) and their media types. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
}

/** The members for the URLs of an agent, in both versions. */
export const INTERFACES = ['supportedInterfaces', 'url', 'preferredTransport', 'additionalInterfaces'] as const

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export interface Interface {
  readonly url: string
  readonly binding: string
  /** The version of A2A in the card; absent if the caller said that A2A is spoken there. */
  readonly version?: string
}

/**
 * The interfaces that a card of this version may name. Those of 1.0 have their own version, all of 0.3 are 0.3. For one
 * without a version, nothing shows what is spoken there.
 */
export function speaking(interfaces: readonly Interface[], version: Version): readonly Interface[] {
  return interfaces.filter(({ version: own }) => own !== undefined && (version === '1.0' || own.startsWith('0.3')))
}

/** Writes the interfaces of the agent; at least one is required. */
export function putInterfaces(card: MutableObject, version: Version, interfaces: readonly Interface[]): void {
  if (version === '1.0') {
    card['supportedInterfaces'] = interfaces.map(({ url, binding, version: own = '1.0' }) => ({
      url,
      protocolBinding: binding,
      protocolVersion: own,
    }))
    return
  }
  const [first, ...others] = interfaces
  card['url'] = first!.url
  card['preferredTransport'] = first!.binding
  if (others.length === 0) return
  card['additionalInterfaces'] = others.map(({ url, binding }) => ({ url, transport: binding }))
}

/** Reports the interface members that the source does not have. */
export function tellAdded(card: MutableObject, names: readonly string[], detail: string, ledger: Ledger): void {
  for (const name of names) if (Object.hasOwn(card, name)) ledger.added(`/${name}`, detail)
}

/** The pointers to an interface in a card. */
export function placesOf(version: Version, index: number): { readonly url: string; readonly binding: string } {
  if (version === '0.3' && index === 0) return { url: '/url', binding: '/preferredTransport' }
  const [at, binding] =
    version === '1.0'
      ? [`/supportedInterfaces/${index}`, 'protocolBinding']
      : [`/additionalInterfaces/${index - 1}`, 'transport']
  return { url: `${at}/url`, binding: `${at}/${binding}` }
}

/** Reads the interfaces of a card in either version; empty if one of them is malformed. */
export function interfacesOf(card: JsonObject): readonly Interface[] {
  const current = list(card, 'supportedInterfaces', 'protocolBinding')
  if (current.length > 0) return current
  const url = member(card, 'url')
  if (!isText(url)) return []
  const binding = member(card, 'preferredTransport')
  const first = { url, binding: isText(binding) ? binding : 'JSONRPC', version: '0.3' }
  const others = list(card, 'additionalInterfaces', 'transport').map((other) => ({ ...other, version: '0.3' }))
  return [first, ...others.filter((other) => other.url !== first.url || other.binding !== first.binding)]
}

function list(card: JsonObject, name: string, bindingName: string): readonly Interface[] {
  const entries = member(card, name)
  if (!Array.isArray(entries)) return []
  const found = entries.map((entry: unknown) => {
    const object = isObject(entry) ? entry : undefined
    const version = member(object, 'protocolVersion')
    return { url: member(object, 'url'), binding: member(object, bindingName), ...(isText(version) && { version }) }
  })
  return found.every((entry): entry is Interface => isText(entry.url) && isText(entry.binding)) ? found : []
}

// A2A authentication schemes in both versions.

export interface Scheme {
  /** Its name in the card. */
  readonly name: string
  /** The form of A2A 1.0: one member, which names the kind, and its value. */
  readonly kind: string
  readonly value: MutableObject
  readonly scopes: readonly string[]
}

/** The names of kinds in OpenAPI and A2A 0.3. */
const TYPES: Readonly<Record<string, string>> = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
}

/** The inverse of `TYPES`. */
export const KINDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TYPES).map(([kind, type]) => [type, kind]),
)

/** Writes how a client authenticates, and whether that is required. */
export function putScheme(card: MutableObject, version: Version, scheme: Scheme, required: boolean): void {
  const { name, kind, value, scopes } = scheme
  if (version === '1.0') card['securitySchemes'] = { [name]: { [kind]: value } }
  else {
    const { location, ...others } = value
    card['securitySchemes'] = {
      [name]: { type: TYPES[kind], ...(location !== undefined && { in: location }), ...others },
    }
  }
  if (!required) return
  if (version === '1.0') card['securityRequirements'] = [{ schemes: { [name]: { list: scopes } } }]
  else card['security'] = [{ [name]: scopes }]
}

/** The first required scheme, or else the first one; ADL and Agent Cards have room for one. */
export function firstScheme(
  root: PlacedObject,
): { readonly scheme: PlacedObject; readonly required: boolean } | undefined {
  const schemes = objectMember(root, 'securitySchemes')
  const list = member(root.value, 'securityRequirements') ?? member(root.value, 'security')
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const requirement = isObject(first)
    ? (objectMember({ pointer: '', value: first }, 'schemes')?.value ?? first)
    : undefined
  const required = Object.keys(requirement ?? {})[0]
  const name = required ?? Object.keys(schemes?.value ?? {})[0]
  const scheme = name === undefined ? undefined : objectMember(schemes, name)
  return scheme === undefined ? undefined : { scheme, required: required !== undefined }
}

/** Reads the kind of a scheme in the terms of A2A 0.3, and its members, from both versions. */
export function openScheme(scheme: PlacedObject): { readonly kind: string; readonly inner: PlacedObject | undefined } {
  const type = textOf(scheme, 'type')
  if (type !== undefined) return { kind: type, inner: scheme }
  const [name = ''] = Object.keys(scheme.value)
  return { kind: Object.hasOwn(TYPES, name) ? TYPES[name]! : name, inner: objectMember(scheme, name) }
}
