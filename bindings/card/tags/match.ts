import { checkTag } from './normalize.ts'

/**
 * True when a query tag asks for a tag (Agent Card section 3.6.1): for itself, and for everything below it. `/*` at the end
 * changes nothing, for `nlp` asks for `nlp/translation` already; a star anywhere else is a character of the tag. Characters
 * are compared as they are. The index of a directory answers the same.
 *
 * @example
 * matchTag('nlp', 'nlp/translation') // true: parent match
 * matchTag('nlp/*', 'nlp/text-analysis/sentiment') // true: prefix match
 * matchTag('nlp/translation', 'nlp') // false: who can do anything of nlp need not translate
 *
 * @throws {TypeError} when an argument is no string.
 */
export function matchTag(query: string, tag: string): boolean {
  checkTag('query', query)
  checkTag('tag', tag)
  const path = query.length > 2 && query.endsWith('/*') ? query.slice(0, -2) : query
  return path !== '' && tag.startsWith(path) && (tag.length === path.length || tag[path.length] === '/')
}
