import { ALIASES, matchTag, normalizeTag, STANDARD_TAGS, suggestTag, TAG_CATEGORIES } from '../../bindings/card/tags.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { answer, defineCommand, EXIT, type Outcome, type Tools, UsageError } from '../command.ts'
import { counted } from '../report/report.ts'
import { beforeDashes } from '../run.ts'

export const list = defineCommand({ options: {}, operands: [], run: (context) => writeRows(ROWS, context) })

const ROWS = [
  ...TAG_CATEGORIES.map(({ name, description }) => ({ tag: name, group: 'category', about: description })),
  ...TAG_CATEGORIES.flatMap(({ name, examples }) => examples.map((tag) => ({ tag, group: name, about: 'example' }))),
  ...Object.entries(STANDARD_TAGS).flatMap(([group, tags]) => tags.map((tag) => ({ tag, group, about: 'standard' }))),
  ...[...ALIASES].map(([alias, tag]) => ({ tag: alias, group: 'alias', about: tag })),
]

export const match = defineCommand({
  options: { normalize: { about: 'normalize queries and tags first' } },
  run(context) {
    const { name, options, rest } = context
    const queries = neededTags(name, beforeDashes(context))
    if (rest === undefined || rest.length === 0)
      throw new UsageError('missing-argument', `${name}: expected -- and a TAG after the queries`, 'as in -- python')
    const spelled = options.normalize ? normalizeTag : (tag: string) => tag
    const asks = (tag: string) => queries.find((query) => matchTag(spelled(query), spelled(tag))) ?? null
    const rows = rest.map((tag) => ({ tag, query: asks(tag) }))
    const unasked = rows.filter(({ query }) => query === null).length
    const reason = `no query matches ${unasked} of ${counted(rows.length, 'tag')}`
    return { ...writeRows(rows, context), ...(unasked > 0 && { exit: EXIT.findings, reason }) }
  },
})

/** A command that prints a row for each tag. */
const rowForEach = (rowOf: (tag: string) => Row) =>
  defineCommand({
    options: {},
    run: (context) => writeRows(neededTags(context.name, context.positionals).map(rowOf), context),
  })

export const normalize = rowForEach((tag) => ({ tag, normal: normalizeTag(tag) }))

export const suggest = rowForEach((tag) => ({ tag, suggestion: suggestTag(tag) ?? null }))

// Rows for the `tags` commands: one per line, with columns separated by tabs.

type Row = Readonly<Record<string, string | null>>

/** Writes rows and returns their outcome: each result has the members of its row. */
function writeRows(rows: readonly Row[], { host, print }: Tools): Outcome {
  const show = host.stdout.isTTY ? visible : (text: string) => text
  for (const row of rows)
    print(
      `${Object.values(row)
        .map((text) => show(text ?? ''))
        .join('\t')}\n`,
    )
  return { results: rows.map(answer) }
}

function neededTags(name: string, tags: readonly string[]): readonly string[] {
  if (tags.length > 0) return tags
  throw new UsageError('missing-argument', `${name}: expected a tag`, `as in blazon ${name} python`)
}
