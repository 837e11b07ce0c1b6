// What programs offer at a place of a document in addition to the schemas of its kind.
import { IMPLICIT_TOOLS, TABLE_TOOLS } from './agentlang/tool-names.ts'
import { STANDARD_TAGS } from './card/tags.ts'
import type { Kind } from './kinds.ts'

/** The names that every document of a kind may use at a path. */
export function standardNames(kind: Kind, path: readonly string[]): readonly string[] {
  const at = path.join('/')
  if (kind === 'agentlang' && /^tools\/\d+\/name$/.test(at)) return [...IMPLICIT_TOOLS, ...TABLE_TOOLS]
  if (kind === 'card' && /^skills\/\d+$/.test(at)) return Object.values(STANDARD_TAGS).flat()
  return []
}
