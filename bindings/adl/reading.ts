import type { ReadOptions } from '../document/read-format.ts'
import { limitsOf } from './limits.ts'
import type { ValidateOptions } from './validate.ts'

/** How a definition is read: within the limits of ADL section 18.5, and a byte order mark is only worth a warning. */
export function readingOf({ file, format, limits }: ValidateOptions): ReadOptions {
  const { depth, documentBytes } = limitsOf(limits)
  const named = { ...(file !== undefined && { file }), ...(format !== undefined && { format }) }
  return { ...named, maxDepth: depth, maxBytes: documentBytes, bom: 'warn' }
}
