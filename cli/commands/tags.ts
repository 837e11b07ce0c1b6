import {
  ALIASES,
  matchTag,
  normalizeTag,
  STANDARD_TAGS,
  suggestTag,
  TAG_CATEGORIES,
} from '../../bindings/card/index.ts'
import { visible } from '../../bindings/document/hidden.ts'
import type { Context, Outcome } from '../context.ts'
import { EXIT, type ExitCode } from '../exit.ts'
import { UsageError } from '../usage.ts'
import { chooseVerb } from '../verbs.ts'

/** What a subverb comes to: a row is what stands in a line, and the members of a result. */
interface Rows {
  readonly rows: readonly Readonly<Record<string, string | null>>[]
  readonly exit?: ExitCode
}

type Verb = (context: Context, operands: readonly string[]) => Rows

const VERBS: Readonly<Record<string, Verb>> = { list, match, normalize, suggest: suggestions }

/** `blazon tags`: a line for each tag, its columns with tabs between. */
export function run(context: Context): Outcome {
  const { verb, operands } = chooseVerb(context, VERBS, 'blazon tags list')
  const { rows, exit } = verb(context, operands)
  const show = context.host.stdout.isTTY ? visible : (text: string) => text
  return {
    results: rows.map((row) => ({ file: null, kind: null, valid: true, diagnostics: [], ...row })),
    output: rows.map(
      (row) =>
        `${Object.values(row)
          .map((text) => show(text ?? ''))
          .join('\t')}\n`,
    ),
    ...(exit !== undefined && { exit }),
  }
}

function list(): Rows {
  return {
    rows: [
      ...TAG_CATEGORIES.map(({ name, description }) => ({ tag: name, group: 'category', about: description })),
      ...TAG_CATEGORIES.flatMap(({ name, examples }) =>
        examples.map((tag) => ({ tag, group: name, about: 'example' })),
      ),
      ...Object.entries(STANDARD_TAGS).flatMap(([group, tags]) =>
        tags.map((tag) => ({ tag, group, about: 'standard' })),
      ),
      ...[...ALIASES].map(([alias, tag]) => ({ tag: alias, group: 'alias', about: tag })),
    ],
  }
}

function normalize(_: Context, operands: readonly string[]): Rows {
  return { rows: needed('normalize', operands).map((tag) => ({ tag, normal: normalizeTag(tag) })) }
}

function suggestions(_: Context, operands: readonly string[]): Rows {
  return { rows: needed('suggest', operands).map((tag) => ({ tag, suggestion: suggestTag(tag) ?? null })) }
}

/** The first query that asks for each tag. */
function match({ options, rest }: Context, operands: readonly string[]): Rows {
  const queries = needed('match', operands)
  if (rest === undefined || rest.length === 0) {
    throw new UsageError('missing-argument', 'tags match: expected -- and a TAG behind the queries', 'as in -- python')
  }
  const spelled = options.has('normalize') ? normalizeTag : (tag: string) => tag
  const rows = rest.map((tag) => ({
    tag,
    query: queries.find((query) => matchTag(spelled(query), spelled(tag))) ?? null,
  }))
  return { rows, exit: rows.every(({ query }) => query !== null) ? EXIT.clean : EXIT.findings }
}

function needed(verb: string, operands: readonly string[]): readonly string[] {
  if (operands.length > 0) return operands
  throw new UsageError('missing-argument', `tags ${verb}: expected a tag`, `as in blazon tags ${verb} python`)
}
