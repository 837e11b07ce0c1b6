import { suggestTag } from '../../../bindings/card/tags.ts'
import { defineCommand } from '../../command.ts'
import { neededTags, writeRows } from '../../tag-rows.ts'

export const command = defineCommand({
  usage: 'TAG...',
  details: ['Writes each tag and the standard tag that was probably meant.'],
  options: {},
  examples: ['blazon tags suggest pyhton'],
  run(context) {
    const tags = neededTags(context.name, context.positionals)
    return writeRows(
      tags.map((tag) => ({ tag, suggestion: suggestTag(tag) ?? null })),
      context,
    )
  },
})
