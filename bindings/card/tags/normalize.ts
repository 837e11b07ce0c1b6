import { ALIASES } from './vocabulary.ts'

/**
 * The one spelling of a tag: in small letters, hyphens for white space, without empty segments; a flat tag that is an
 * alias becomes what it stands for. Of a query tag `/*` at the end stays. Empty for what has no segment.
 *
 * Matching does not normalize: normalize both, or neither.
 *
 * @example
 * normalizeTag(' ML ') // 'machine-learning'
 * normalizeTag('NLP//Text Analysis/') // 'nlp/text-analysis'
 * normalizeTag('ops/deployment') // 'ops/deployment', though the flat tag ops is an alias of devops
 *
 * @throws {TypeError} when the tag is no string.
 */
export function normalizeTag(tag: string): string {
  checkTag('tag', tag)
  const segments = tag
    .toLowerCase()
    .split('/')
    .map((segment) => segment.trim().replace(/\s+/g, '-'))
    .filter((segment) => segment !== '')
  const path = segments.join('/')
  return segments.length === 1 ? (ALIASES.get(path) ?? path) : path
}

/** Throws for a value that is not a string. */
export function checkTag(name: string, tag: unknown): void {
  if (typeof tag !== 'string') throw new TypeError(`${name}: expected a string, got ${typeof tag}`)
}
