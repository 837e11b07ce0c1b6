// What both directions know of Agent Cards.
import { isObject, type JsonObject, member } from '../../document/members.ts'
import type { Made } from '../json.ts'
import type { Ledger } from '../ledger.ts'

export type Version = '1.0' | '0.3'

/** The member of a definition that has what a card says and a definition does not. */
export const OWN = 'x_a2a'

/** The skill of an agent without tools: no tool can have such a name. */
export const ITSELF = 'agent-itself'

/** Thousands of skills and of tags that each of them has would make a card of gigabytes. */
const MOST_COMMON = 20
const MOST_COMMON_CHARACTERS = 1 << 20

/** The first of the texts that every one of so many skills has. */
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

/** Says where the agent is reached; there has to be one interface at least. */
export function putInterfaces(
  card: Made,
  version: Version,
  interfaces: readonly Interface[],
  detail: string,
  ledger: Ledger,
): void {
  if (version === '1.0') {
    card['supportedInterfaces'] = interfaces.map(({ url, binding }) => ({
      url,
      protocolBinding: binding,
      protocolVersion: '1.0',
    }))
    ledger.added('/supportedInterfaces', detail)
    return
  }
  const [first, ...others] = interfaces
  card['url'] = first!.url
  card['preferredTransport'] = first!.binding
  ledger.added('/url', detail)
  ledger.added('/preferredTransport', detail)
  if (others.length === 0) return
  card['additionalInterfaces'] = others.map(({ url, binding }) => ({ url, transport: binding }))
  ledger.added('/additionalInterfaces', detail)
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
