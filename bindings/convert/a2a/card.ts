// What both directions know of Agent Cards.
import { isObject, type JsonObject, member } from '../../document/members.ts'

export type Version = '1.0' | '0.3'

/** The member of a definition that has what a card says and a definition does not. */
export const OWN = 'x_a2a'

/** The skill of an agent without tools: no tool can have such a name. */
export const ITSELF = 'agent-itself'

/** Output formats (ADL 11.2) and their media types. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  json: 'application/json',
  markdown: 'text/markdown',
  html: 'text/html',
}

export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '')

/** The members that say where an agent is reached, in both versions. */
export const INTERFACES = ['supportedInterfaces', 'url', 'preferredTransport', 'additionalInterfaces'] as const

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

export interface Interface {
  readonly url: string
  readonly binding: string
}

/** Where a card says that the agent is reached, in either version; empty unless all of it is well-formed. */
export function interfacesOf(card: JsonObject): readonly Interface[] {
  const current = list(card, 'supportedInterfaces', 'protocolBinding')
  if (current.length > 0) return current
  const url = member(card, 'url')
  if (!isText(url)) return []
  const binding = member(card, 'preferredTransport')
  const first = { url, binding: isText(binding) ? binding : 'JSONRPC' }
  const others = list(card, 'additionalInterfaces', 'transport')
  return [first, ...others.filter((other) => other.url !== first.url || other.binding !== first.binding)]
}

function list(card: JsonObject, name: string, bindingName: string): readonly Interface[] {
  const entries = member(card, name)
  if (!Array.isArray(entries)) return []
  const found = entries.map((entry: unknown) => {
    const object = isObject(entry) ? entry : undefined
    return { url: member(object, 'url'), binding: member(object, bindingName) }
  })
  return found.every((entry): entry is Interface => isText(entry.url) && isText(entry.binding)) ? found : []
}
