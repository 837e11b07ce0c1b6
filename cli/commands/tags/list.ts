import { ALIASES, STANDARD_TAGS, TAG_CATEGORIES } from '../../../bindings/card/tags.ts'
import { defineCommand } from '../../command.ts'
import { writeRows } from '../../tag-rows.ts'

export const command = defineCommand({
  usage: '',
  details: ['Writes the categories of the Agent Card, the standard tags and their aliases.'],
  options: {},
  operands: [],
  examples: ['blazon tags list'],
  run: (context) => writeRows(ROWS, context),
})

const ROWS = [
  ...TAG_CATEGORIES.map(({ name, description }) => ({ tag: name, group: 'category', about: description })),
  ...TAG_CATEGORIES.flatMap(({ name, examples }) => examples.map((tag) => ({ tag, group: name, about: 'example' }))),
  ...Object.entries(STANDARD_TAGS).flatMap(([group, tags]) => tags.map((tag) => ({ tag, group, about: 'standard' }))),
  ...[...ALIASES].map(([alias, tag]) => ({ tag: alias, group: 'alias', about: tag })),
]
