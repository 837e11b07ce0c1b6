import { normalizeTag } from '../../../bindings/card/tags.ts'
import { defineCommand } from '../../command.ts'
import { neededTags, writeRows } from '../../tag-rows.ts'

export const command = defineCommand({
  usage: 'TAG...',
  details: ['Writes each tag and its normalized spelling.'],
  options: {},
  examples: ['blazon tags normalize ML "Text Analysis"'],
  run(context) {
    const tags = neededTags(context.name, context.positionals)
    return writeRows(
      tags.map((tag) => ({ tag, normal: normalizeTag(tag) })),
      context,
    )
  },
})
