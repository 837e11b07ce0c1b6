import type { Grant } from '../../bindings/adl/permissions/grant-rows.ts'
import { grants } from '../../bindings/adl/permissions/grants.ts'
import { visible } from '../../bindings/document/hidden.ts'
import type { Context, Outcome, Result } from '../context.ts'
import { verifier } from '../proof.ts'

const HEAD = ['effect', 'domain', 'subject', 'detail', 'where'] as const

/** `blazon grants`: what definitions grant, as tables. */
export async function run(context: Context): Promise<Outcome> {
  const { options, positionals, reader } = context
  const format = options.has('markdown') ? markdownTable : plainTable
  const prove = await verifier(context)
  const results: Result[] = []
  const tables: string[] = []
  const inputs = await reader.inputs(positionals)
  for await (const { file, document, diagnostics } of reader.documents(inputs)) {
    if (document === undefined) {
      results.push({ file, kind: null, valid: false, diagnostics })
      continue
    }
    const rows = grants(document, { proof: await prove(document) })
    const json = rows.map(({ pointer = null, ...row }) => ({ ...row, pointer }))
    results.push({ file, kind: 'adl', valid: true, diagnostics, grants: json })
    tables.push(inputs.length > 1 ? `${title(file, options.has('markdown'))}\n\n${format(rows)}` : format(rows))
  }
  return { results, output: [tables.join('\n')] }
}

const title = (file: string, markdown: boolean) => (markdown ? `## ${cell(file)}` : visible(file))

const cellsOf = ({ effect, domain, subject, detail, pointer }: Grant) => [
  effect,
  domain,
  subject,
  detail,
  pointer ?? '',
]

/** Columns side by side; notes below the row that they are about. */
function plainTable(rows: readonly Grant[]): string {
  const lines = rows.map((row) => cellsOf(row).map(visible))
  const widths = HEAD.map((head, i) => Math.max(head.length, ...lines.map((cells) => cells[i]!.length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((text, i) => text.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  const body = rows.flatMap(({ notes }, i) => [line(lines[i]!), ...notes.map((note) => `  note: ${visible(note)}`)])
  return `${[line(HEAD), ...body].join('\n')}\n`
}

function markdownTable(rows: readonly Grant[]): string {
  const lines = rows.map((row) => [...cellsOf(row), row.notes.join('; ')].map(cell))
  const table = [[...HEAD, 'notes'], [...HEAD, 'notes'].map(() => '---'), ...lines]
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

/** Text that Markdown shows as it is. */
function cell(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]<>|#&~]/g, (character) => `\\${character}`)
}
