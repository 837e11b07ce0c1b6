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

export const command = defineCommand({
  options: { markdown: { about: 'write Markdown tables' }, key: TRUSTED_KEYS },
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
        const { ASK_HEAD, agentGrants } = await import('../agentlang/agent.ts')
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
const cell = (text: string): string => visible(text).replace(/[\\`*_{}[\]<>|#&~]/g, (character) => `\\${character}`)
