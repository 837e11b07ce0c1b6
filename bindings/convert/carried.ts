// Finds the members of a definition or Agent Card that a document carries from its source.
import { LISTS, type ListName, type McpVersion } from '../mcp/messages.ts'
import { elements, isObject, type JsonObject, objectMember, type PlacedObject } from '../text/members.ts'
import { publishedIn } from './adl-mcp/server.ts'
import { CARD_EXTENSION, CARD_META, EXTENSION, META } from './baggage.ts'
import type { SourceFormat } from './formats.ts'
import type { Hub } from './pairs.ts'
import { extensionOf } from './sides/a2a.ts'
import { carriedIn, readBundle } from './sides/bundle.ts'

interface Marks {
  /** The URI of the extension in A2A. */
  readonly extension: string
  /** The member of `_meta` in MCP. */
  readonly meta: string
}

const MARKS: Readonly<Record<Hub, Marks>> = {
  adl: { extension: EXTENSION, meta: META },
  card: { extension: CARD_EXTENSION, meta: CARD_META },
}

type Carries = (root: PlacedObject, marks: Marks) => boolean

const inExtension: Carries = (root, { extension }) => extensionOf(root, extension).params !== undefined

const inBundle =
  (version: McpVersion): Carries =>
  (root, { meta }) => {
    const lists = (Object.keys(LISTS) as ListName[]).flatMap((name) =>
      elements(objectMember(root, LISTS[name]), name, isObject),
    )
    return [readBundle(root, version).start, ...lists].some((part) => carriedIn(part, meta) !== undefined)
  }

/** The formats that carry members of a source; cards and definitions restore them on any route. */
const CARRIES: Readonly<Partial<Record<SourceFormat, Carries>>> = {
  'a2a-1.0': inExtension,
  'a2a-0.3': inExtension,
  'mcp-2025-11-25': inBundle('2025-11-25'),
  'mcp-2026-07-28': inBundle('2026-07-28'),
  'mcp-server': (root, { meta }) => publishedIn(root, meta) !== undefined,
}

/** The kinds of source whose members a document carries. */
export function carriedBy(format: SourceFormat, value: JsonObject): readonly Hub[] {
  const root = { pointer: '', value }
  return (Object.keys(MARKS) as Hub[]).filter((hub) => CARRIES[format]?.(root, MARKS[hub]) === true)
}
