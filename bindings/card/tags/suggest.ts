import { suggest } from '../../text/suggest.ts'
import { normalizeTag } from './normalize.ts'
import { ALIASES, STANDARD_TAGS, TAG_CATEGORIES } from './vocabulary.ts'

const FLAT = Object.values(STANDARD_TAGS).flat()
const CATEGORIES = TAG_CATEGORIES.map(({ name }) => name)
const PATHS = TAG_CATEGORIES.flatMap(({ examples }) => examples)
/** The segments that may follow a category. */
const SEGMENTS = [...new Set([...FLAT, ...PATHS.flatMap((path) => path.split('/').slice(1))])]

/** Bounds the input: even with all tolerated mistakes, tags of the vocabulary are shorter. */
const LONGEST = 100

/**
 * "did you mean": returns the tag of the standard vocabulary that was probably meant, in its canonical spelling.
 * Undefined for a tag that is already standard, and for one that resembles none. Any other tag is allowed as well.
 *
 * @example
 * suggestTag('pyhton') // 'python'
 * suggestTag('ML') // 'machine-learning'
 * suggestTag('npl/tranlation') // 'nlp/translation'
 *
 * @throws {TypeError} when the tag is not a string.
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
  // An unknown segment stays: it belongs to the agent.
  return category && [category, ...others.map((segment) => known(segment, SEGMENTS) ?? segment)].join('/')
}

/** Returns the word itself if the list has it, otherwise the most similar one. */
function known(word: string, list: readonly string[]): string | undefined {
  return list.includes(word) ? word : suggest(word, list)
}

const standsFor = (alias: string | undefined) => (alias === undefined ? undefined : ALIASES.get(alias))
