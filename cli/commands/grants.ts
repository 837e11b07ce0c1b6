import { grants } from '../../bindings/adl/policy.ts'
import type { Grant } from '../../bindings/policy/grants.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { defineCommand } from '../command.ts'
import { TRUSTED_KEYS } from '../keys.ts'
import { verifier } from '../proof.ts'
import type { Readable } from '../reader.ts'

const HEAD = ['effect', 'domain', 'subject', 'detail', 'where'] as const

/** `blazon grants`: tables of the permissions that definitions grant. */
export const command = defineCommand({
  usage: '[FILE...|-] [--markdown]',
  details: [
    'Writes a row for each grant, denial and limit, and for each domain that is',
    'denied because nothing grants it, with notes on surprises. Signatures are',
    'verified first: a definition that cannot be trusted permits nothing.',
  ],
  options: { markdown: { about: 'write Markdown tables' }, key: TRUSTED_KEYS },
  examples: ['blazon grants agent.adl.yaml', 'blazon grants agents --markdown > grants.md'],
  async run(context) {
    const { options, positionals, reader, print } = context
    const table = options.markdown ? markdownTable : plainTable
    const prove = await verifier(options.key, false, context)
    const inputs = await reader.inputs(positionals)
    let between = ''
    const show = async ({ file, document, diagnostics }: Readable) => {
      const { rows } = grants(document, { proof: await prove(document) })
      print(between, inputs.length > 1 ? `${title(file, options.markdown)}\n\n` : '', table(rows))
      between = '\n'
      const json = rows.map(({ pointer = null, ...row }) => ({ ...row, pointer }))
      return { file, kind: 'adl', valid: true, diagnostics, grants: json }
    }
    return { results: await reader.results(inputs, show, { only: ['adl'] }) }
  },
})

const title = (file: string, markdown: boolean) => (markdown ? `## ${cell(file)}` : visible(file))

const cellsOf = ({ effect, domain, subject, detail, pointer }: Grant) => [
  effect,
  domain,
  subject,
  detail,
  pointer ?? '',
]

/** Aligns the columns; notes follow the row they belong to. */
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

/** Escapes text so that Markdown shows it as it is. */
function cell(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]<>|#&~]/g, (character) => `\\${character}`)
}
