/** Escapes one reference token for a JSON Pointer (RFC 6901 section 3). */
export function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token
}

/**
 * The tokens of a JSON Pointer (RFC 6901 section 3), unescaped; undefined when it is malformed.
 *
 * @example
 * parsePointer('/a~1b/0') // ['a/b', '0']
 */
export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (pointer[0] !== '/' || /~(?![01])/.test(pointer)) return undefined
  const tokens = pointer.slice(1).split('/')
  return pointer.includes('~') ? tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')) : tokens
}

/**
 * The JSON Pointer of a list of member names and array indices.
 *
 * @example
 * formatPointer(['a/b', 0]) // '/a~1b/0'
 */
export function formatPointer(tokens: readonly (string | number)[]): string {
  let pointer = ''
  for (const token of tokens) pointer += `/${escapeToken(String(token))}`
  return pointer
}

/** The array index that a token denotes (RFC 6901 section 4: no leading zeros), or -1. */
export function arrayIndex(token: string): number {
  return /^(0|[1-9]\d*)$/.test(token) ? Number(token) : -1
}
