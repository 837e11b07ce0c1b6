import { checkTag } from './normalize.ts'

/**
 * True when a query tag matches a tag (Agent Card section 3.6.1): the tag itself or anything below it. A trailing `/*`
 * changes nothing, because `nlp` already matches `nlp/translation`. A star elsewhere is an ordinary character.
 * Characters are compared exactly. The index of a directory gives the same results.
 *
 * @example
 * matchTag('nlp', 'nlp/translation') // true: parent match
 * matchTag('nlp/*', 'nlp/text-analysis/sentiment') // true: prefix match
 * matchTag('nlp/translation', 'nlp') // false: a general skill does not imply a specific one
 *
 * @throws {TypeError} when an argument is not a string.
 */
export function matchTag(query: string, tag: string): boolean {
  checkTag('query', query)
  checkTag('tag', tag)
  const path = query.length > 2 && query.endsWith('/*') ? query.slice(0, -2) : query
  return path !== '' && tag.startsWith(path) && (tag.length === path.length || tag[path.length] === '/')
}
