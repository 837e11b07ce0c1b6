// Rows for the `tags` commands: one per line, with columns separated by tabs.
import { visible } from '../bindings/text/hidden.ts'
import type { Tools } from './command.ts'
import { answer, type Outcome } from './outcome.ts'
import { UsageError } from './usage.ts'

/** Writes rows and returns their outcome: each result has the members of its row. */
export function writeRows(rows: readonly Readonly<Record<string, string | null>>[], { host, print }: Tools): Outcome {
  const show = host.stdout.isTTY ? visible : (text: string) => text
  for (const row of rows)
    print(
      `${Object.values(row)
        .map((text) => show(text ?? ''))
        .join('\t')}\n`,
    )
  return { results: rows.map(answer) }
}

/** The tags that a command requires. */
export function neededTags(name: string, tags: readonly string[]): readonly string[] {
  if (tags.length > 0) return tags
  throw new UsageError('missing-argument', `${name}: expected a tag`, `as in blazon ${name} python`)
}
