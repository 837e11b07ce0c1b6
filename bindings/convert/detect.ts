import type { Document } from '../document/document.ts'
import { detectKind } from '../document/kind.ts'
import { isObject, type JsonObject, member } from '../document/members.ts'
import { DESCRIPTOR } from './oasf/descriptor.ts'
import type { Format } from './types.ts'

/** What a document is, by members that no other format has; undefined when nothing tells. */
export function detect(document: Document, members: JsonObject): Format | undefined {
  const has = (name: string) => isObject(member(members, name))
  const kind = detectKind(document)
  switch (kind) {
    case 'a2a':
      return Object.hasOwn(members, 'supportedInterfaces') ? 'a2a-1.0' : 'a2a-0.3'
    case 'adl':
    case 'card':
    case 'mcp-server':
    case 'wellknown':
      return kind
    default:
      if (has('mcpServers')) return 'mcp-client'
      if (typeof member(members, 'schema_version') === 'string' && Array.isArray(member(members, 'skills')))
        return 'oasf-record'
      if (member(members, 'kind') === DESCRIPTOR && has('metadata') && has('spec')) return 'oasf-descriptor'
      if (has('server/discover')) return 'mcp-2026-07-28'
      return has('initialize') ? 'mcp-2025-11-25' : undefined
  }
}
