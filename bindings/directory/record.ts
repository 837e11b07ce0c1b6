// The part of a card that is indexed: normalized tags, and words, repeated by the weight of their member.

import type { AgentCard } from '../card/subject.ts'
import { normalizeTag } from '../card/tags.ts'
import { utf8Length } from '../wasm/utf8.ts'
import type { TextFields } from './ranking.ts'
import { wordsOf } from './text/words.ts'

/** The limits of the index (docs/guide/abi/rank.md). Only the first tags and words of a larger card are indexed. */
const MOST_TAGS = 256
const MOST_LEVELS = 16
const LONGEST_TAG = 255
/**
 * A record has 65,535 bytes for an id of up to 2,048, tags and words. Each tag and word takes four more bytes for its
 * length.
 */
const TAG_BYTES = 16_384
const WORD_BYTES = 46_000

const BETWEEN_WORDS_OF_A_NAME = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu

/** The indexed tags of a card, each with its spelling in the card. */
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

/**
 * The words of a card, each repeated by the weight of its member. Words of members with the highest weight come first.
 */
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
  // Line ends prevent pairs of neighbouring characters across two labels.
  skills: ({ skills = [] }) => skills.join('\n'),
  tools: ({ tools = [] }) =>
    tools
      .map(({ name, description = '' }) => `${name.replace(BETWEEN_WORDS_OF_A_NAME, ' ')}\n${description}`)
      .join('\n'),
}
