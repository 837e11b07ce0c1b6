// The part of a card that the index has: tags in their one spelling, and words as often as they count.
import { normalizeTag } from '../card/tags/normalize.ts'
import type { AgentCard } from '../card/types.ts'
import { utf8Length } from '../wasm/utf8.ts'
import { wordsOf } from './text/words.ts'
import type { TextFields } from './types.ts'

/** The bounds of the index (docs/abi/rank.md). A card with more is found by the first of them. */
const MOST_TAGS = 256
const MOST_LEVELS = 16
const LONGEST_TAG = 255
/** A record has 65,535 bytes, which an id of 2,048, tags and words share; each tag and word takes four bytes for its length. */
const TAG_BYTES = 16_384
const WORD_BYTES = 46_000

const BETWEEN_WORDS_OF_A_NAME = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu

/** The tags of a card that the index knows, each with how the card writes it. */
export function tagsOf(skills: readonly string[]): Map<string, string> {
  const tags = new Map<string, string>()
  let bytes = 0
  for (const value of skills) {
    const tag = normalizeTag(value)
    const length = utf8Length(tag)
    if (tag === '' || tags.has(tag) || length > LONGEST_TAG || tag.split('/').length > MOST_LEVELS) continue
    bytes += length + 4
    if (tags.size === MOST_TAGS || bytes > TAG_BYTES) break
    tags.set(tag, value)
  }
  return tags
}

/** The words of a card, each as often as its member counts; those of the members that count most come first. */
export function cardWords(card: AgentCard, fields: TextFields, written?: Map<string, string>): string[] {
  const words: string[] = []
  let bytes = 0
  const parts = Object.entries(fields)
    .filter(([, weight]) => weight > 0)
    .sort(([, a], [, b]) => b - a)
  for (const [field, weight] of parts) {
    for (const word of wordsOf(TEXTS[field as keyof TextFields](card), written)) {
      bytes += weight * (utf8Length(word) + 4)
      if (bytes > WORD_BYTES) return words
      for (let i = 0; i < weight; i++) words.push(word)
    }
  }
  return words
}

const TEXTS: Readonly<Record<keyof TextFields, (card: AgentCard) => string>> = {
  name: ({ name }) => name,
  description: ({ description = '' }) => description,
  // Line ends keep a pair of neighbours from being made across two labels.
  skills: ({ skills = [] }) => skills.join('\n'),
  tools: ({ tools = [] }) =>
    tools
      .map(({ name, description = '' }) => `${name.replace(BETWEEN_WORDS_OF_A_NAME, ' ')}\n${description}`)
      .join('\n'),
}
