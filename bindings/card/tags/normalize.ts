import { ALIASES } from './vocabulary.ts'

/** Tags that are in their canonical spelling, except aliases: most are. */
const PLAIN = /^[a-z\d-]+(?:\/[a-z\d-]+)*$/

/**
 * Returns the canonical spelling of a tag: lower case, hyphens for white space, no empty segments. A flat tag that is
 * an alias is replaced by its standard tag. A query tag keeps a trailing `/*`. Empty when the tag has no segment.
 *
 * Matching does not normalize: normalize both, or neither.
 *
 * @example
 * normalizeTag(' ML ') // 'machine-learning'
 * normalizeTag('NLP//Text Analysis/') // 'nlp/text-analysis'
 * normalizeTag('ops/deployment') // 'ops/deployment', though the flat tag ops is an alias of devops
 *
 * @throws {TypeError} when the tag is not a string.
 */
export function normalizeTag(tag: string): string {
  checkTag('tag', tag)
  if (PLAIN.test(tag)) return ALIASES.get(tag) ?? tag
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
