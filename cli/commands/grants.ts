import { grants } from '../../bindings/adl/policy.ts'
import type { Grant } from '../../bindings/policy/policy.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { defineCommand } from '../command.ts'
import { readKeys, TRUSTED_KEYS } from '../keys.ts'
import { verifier } from '../proof.ts'
import type { Readable } from '../reader.ts'

const HEAD = ['effect', 'domain', 'subject', 'detail', 'where'] as const

/** A row of a table; notes follow it. */
interface Row {
  readonly cells: readonly string[]
  readonly notes?: readonly string[]
}

/** `blazon grants`: tables of the permissions that definitions grant, and of what AgentLang agents ask for. */
export const command = defineCommand({
  usage: '[FILE...|-] [--markdown]',
  details: [
    'Writes a row for each grant, denial and limit, and for each domain that is',
    'denied because nothing grants it, with notes on surprises. Signatures are',
    'verified first: a definition that cannot be trusted permits nothing. For an',
    'AgentLang agent, writes a row for each capability that it asks for, and for each',
    'limit, server, tool, model and secret.',
  ],
  options: { markdown: { about: 'write Markdown tables' }, key: TRUSTED_KEYS },
  examples: ['blazon grants agent.adl.yaml', 'blazon grants agents --markdown > grants.md'],
  async run(context) {
    const { options, positionals, reader, print } = context
    const table = options.markdown ? markdownTable : plainTable
    const prove = await verifier(options.key, false, context)
    const inputs = await reader.inputs(positionals, { names: 'agents' })
    let between = ''
    const write = (file: string, head: readonly string[], rows: readonly Row[]) => {
      print(between, inputs.length > 1 ? `${title(file, options.markdown)}\n\n` : '', table(head, rows))
      between = '\n'
    }
    const show = async (read: Readable) => {
      const { file, document, diagnostics } = read
      if (read.kind !== 'adl') {
        const { ASK_HEAD, agentGrants } = await import('../agentlang/grants.ts')
        const { rows, result } = await agentGrants(read, await readKeys(options.key, context))
        if (result.valid)
          write(
            file,
            ASK_HEAD,
            rows.map((cells) => ({ cells })),
          )
        return result
      }
      const { rows } = grants(document, { proof: await prove(document) })
      write(
        file,
        HEAD,
        rows.map((row) => ({ cells: cellsOf(row), notes: row.notes })),
      )
      const json = rows.map(({ pointer = null, ...row }) => ({ ...row, pointer }))
      return { file, kind: 'adl', valid: true, diagnostics, grants: json }
    }
    return { results: await reader.results(inputs, show, { only: ['adl', 'agentlang', 'container'] }) }
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

/** Aligns the columns. */
function plainTable(head: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map(({ cells }) => cells.map(visible))
  const widths = head.map((name, i) => lines.reduce((most, cells) => Math.max(most, cells[i]!.length), name.length))
  const line = (cells: readonly string[]) =>
    cells
      .map((text, i) => text.padEnd(widths[i]!))
      .join('  ')
      .trimEnd()
  const body = rows.flatMap(({ notes = [] }, i) => [
    line(lines[i]!),
    ...notes.map((note) => `  note: ${visible(note)}`),
  ])
  return `${[line(head), ...body].join('\n')}\n`
}

function markdownTable(head: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map(({ cells, notes = [] }) => [...cells, notes.join('; ')].map(cell))
  const table = [[...head, 'notes'], [...head, 'notes'].map(() => '---'), ...lines]
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

/** Escapes text so that Markdown shows it as it is. */
function cell(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]<>|#&~]/g, (character) => `\\${character}`)
}
