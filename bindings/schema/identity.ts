import type { Draft } from './dialect.ts'
import { type Members, own } from './shapes.ts'

/** The names that a schema declares for itself. */
interface Identity {
  /** The URI of the resource that begins here. */
  readonly id?: string
  readonly anchor?: string
}

const NONE: Identity = {}

/**
 * Before 2019-09 an anchor is the fragment of `$id`, and keywords next to `$ref` are ignored (draft-07 core sections
 * 8.2.3, 8.3).
 */
export function identityOf(schema: Members, draft: Draft): Identity {
  const id = own(schema, '$id')
  if (typeof id !== 'string') return NONE
  if (draft > 7) return { id }
  if (Object.hasOwn(schema, '$ref')) return NONE
  const hash = id.indexOf('#')
  const fragment = hash < 0 ? '' : id.slice(hash + 1)
  return {
    ...(hash !== 0 && { id: hash < 0 ? id : id.slice(0, hash) }),
    ...(fragment !== '' && !fragment.startsWith('/') && { anchor: fragment }),
  }
}
