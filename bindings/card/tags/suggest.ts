import { suggest } from '../../text/suggest.ts'
import { normalizeTag } from './normalize.ts'
import { ALIASES, STANDARD_TAGS, TAG_CATEGORIES } from './vocabulary.ts'

const FLAT = Object.values(STANDARD_TAGS).flat()
const CATEGORIES = TAG_CATEGORIES.map(({ name }) => name)
const PATHS = TAG_CATEGORIES.flatMap(({ examples }) => examples)
/** The segments that may follow a category. */
const SEGMENTS = [...new Set([...FLAT, ...PATHS.flatMap((path) => path.split('/').slice(1))])]

/** A tag of the vocabulary with every mistake that is forgiven is shorter. */
const LONGEST = 100

/**
 * "did you mean": the tag of the standard vocabulary that a tag was probably meant to be, in its one spelling; undefined
 * for a tag that is in it already, and for one that is like none in it. Any other tag is allowed as well.
 *
 * @example
 * suggestTag('pyhton') // 'python'
 * suggestTag('ML') // 'machine-learning'
 * suggestTag('npl/tranlation') // 'nlp/translation'
 *
 * @throws {TypeError} when the tag is no string.
 */
export function suggestTag(tag: string): string | undefined {
  const meant = nearest(normalizeTag(tag))
  return meant === tag ? undefined : meant
}

function nearest(tag: string): string | undefined {
  if (tag.length > LONGEST) return undefined
  const [first, ...others] = tag.split('/')
  if (others.length === 0) return known(tag, [...FLAT, ...CATEGORIES]) ?? standsFor(suggest(tag, [...ALIASES.keys()]))
  const category = known(first!, CATEGORIES)
  // An unknown segment is the agent's own: it stays.
  return category && [category, ...others.map((segment) => known(segment, SEGMENTS) ?? segment)].join('/')
}

/** The word itself when it is one of them, else the one that it is like. */
function known(word: string, list: readonly string[]): string | undefined {
  return list.includes(word) ? word : suggest(word, list)
}

const standsFor = (alias: string | undefined) => (alias === undefined ? undefined : ALIASES.get(alias))
