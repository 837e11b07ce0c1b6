import { matchTag, normalizeTag } from '../../../bindings/card/tags.ts'
import { defineCommand } from '../../command.ts'
import { counted } from '../../report/words.ts'
import { beforeDashes } from '../../run.ts'
import { neededTags, writeRows } from '../../tag-rows.ts'
import { EXIT, UsageError } from '../../usage.ts'

export const command = defineCommand({
  usage: 'QUERY... -- TAG...',
  details: ['Writes each tag and the first query that matches it. Exits 1 if a tag has no', 'matching query.'],
  options: { normalize: { about: 'normalize queries and tags first' } },
  examples: ["blazon tags match 'nlp/*' -- nlp/translation"],
  run(context) {
    const { name, options, rest } = context
    const queries = neededTags(name, beforeDashes(context))
    if (rest === undefined || rest.length === 0) {
      throw new UsageError('missing-argument', `${name}: expected -- and a TAG after the queries`, 'as in -- python')
    }
    const spelled = options.normalize ? normalizeTag : (tag: string) => tag
    const asks = (tag: string) => queries.find((query) => matchTag(spelled(query), spelled(tag))) ?? null
    const rows = rest.map((tag) => ({ tag, query: asks(tag) }))
    const unasked = rows.filter(({ query }) => query === null).length
    const reason = `no query matches ${unasked} of ${counted(rows.length, 'tag')}`
    return { ...writeRows(rows, context), ...(unasked > 0 && { exit: EXIT.findings, reason }) }
  },
})
