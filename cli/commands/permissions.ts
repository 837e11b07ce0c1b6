import { definitionGranting } from '../../bindings/adl/granting.ts'
import {
  differs,
  type Granting,
  type MatrixRow,
  OUTCOME_WORDS,
  permissionMatrix,
  shortPaths,
} from '../../bindings/policy/matrix.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { withoutSecrets } from '../../bindings/text/secret-shapes.ts'
import { defineCommand } from '../command.ts'
import { TRUSTED_KEYS } from '../keys.ts'
import { verifier } from '../proof.ts'
import type { Readable } from '../reader.ts'
import { counted } from '../report/report.ts'
import { GRANTING, placesOf, type Runner, refusedSettings, runnerOf } from '../settings.ts'

export const command = defineCommand({
  options: {
    project: { value: 'FOLDER', about: 'for settings: the folder of the project (default: that of the first ones)' },
    key: TRUSTED_KEYS,
    windows: { about: 'read paths and programs as on Windows' },
    'ignore-case': { about: 'the file system ignores case' },
  },
  async run(context) {
    const { options, positionals, reader, print, host } = context
    const { windows, 'ignore-case': caseInsensitive } = options
    const prove = await verifier(options.key, false, context)
    const inputs = await reader.inputs(positionals, { names: 'definitions' })
    const reads: (Readable & { readonly runner: Runner | undefined })[] = []
    const results = await reader.results(
      inputs,
      async (read) => {
        const { file, kind = null } = read
        const runner = await runnerOf(read)
        const refused = runner === undefined ? undefined : await refusedSettings(read)
        if (refused !== undefined) return refused
        reads.push({ ...read, runner })
        return { file, kind, valid: true, diagnostics: read.diagnostics }
      },
      GRANTING,
    )
    const settings = reads.find(({ runner }) => runner !== undefined)
    const places = placesOf(settings?.file ?? '', options.project, host)
    const open = async ({ runner, document }: (typeof reads)[number]): Promise<Granting> => {
      if (runner !== undefined) return runner.granting(document, places)
      return definitionGranting(document, { proof: await prove(document), windows, caseInsensitive })
    }
    const documents: Granting[] = []
    for (const read of reads) documents.push(await open(read))
    if (documents.length === 0) return { results }
    const { rows, leftOut } = permissionMatrix(documents)
    const shorten = settings === undefined ? (text: string) => text : shortPaths(places.root, places.home)
    const subjects = rows.map(({ subject }) => visible(withoutSecrets(shorten(subject))))
    print(tables(reads, rows, subjects), leftOut === 0 ? '' : `${counted(leftOut, 'more row')} left out\n`)
    const notes = settings === undefined ? [] : ['by these files alone: other settings and hooks count as well']
    const cellsOf = (column: number) =>
      rows.map(({ what, subject, request, cells }) => {
        const { outcome, reason, decidedBy = null } = cells[column]!
        return { what, subject, request, outcome, reason, decidedBy }
      })
    return {
      results: results.map((result) => {
        const column = reads.findIndex(({ file }) => file === result.file)
        return column < 0 ? result : { ...result, permissions: { rows: cellsOf(column), leftOut } }
      }),
      notes: [...notes, summaryOf(rows, documents.length)],
    }
  },
})

function summaryOf(rows: readonly MatrixRow[], documents: number): string {
  const count = counted(rows.length, 'row')
  return documents === 1 ? count : `${count}; the answers differ in ${rows.filter(differs).length}`
}

// The table as text: at most 80 columns.

const COLUMNS = 80
/** More documents get a table of their own. */
const SIDE_BY_SIDE = 3
const WHAT = 'variable'.length

interface Column {
  readonly head: string
  readonly cells: readonly string[]
}

/** One document has a column with the deciding pointers, if it fits. Otherwise rules have numbers, and a list follows. */
function tables(reads: readonly Readable[], rows: readonly MatrixRow[], subjects: readonly string[]): string {
  const names = rows.map(({ what }, i) => [what, subjects[i]!] as const)
  if (reads.length === 1) {
    const cells = rows.map(({ cells: [cell] }) => cell!)
    const answers = { head: 'answer', cells: cells.map(({ outcome }) => OUTCOME_WORDS[outcome]) }
    const by = cells.map(({ decidedBy }) => (decidedBy === undefined ? '' : shownPointer(decidedBy)))
    const space = spaceBeside([answers, { head: '', cells: by }])
    if (subjects.every(({ length }) => length <= space))
      return tableText(names, [answers, { head: 'decided by', cells: by }])
  }
  const rules = reads.map(() => new Map<string, string>())
  const columns = reads.map((_, i): Column => {
    const cells = rows.map((row) => {
      const { outcome, decidedBy } = row.cells[i]!
      const known = rules[i]!
      if (decidedBy === undefined) return OUTCOME_WORDS[outcome]
      if (!known.has(decidedBy)) known.set(decidedBy, `${i + 1}.${known.size + 1}`)
      return `${OUTCOME_WORDS[outcome]} ${known.get(decidedBy)}`
    })
    return { head: `(${i + 1})`, cells }
  })
  const difference = { head: '', cells: rows.map((row) => (differs(row) ? 'differs' : '')) }
  const parts = [reads.map(({ file }, i) => `(${i + 1}) ${visible(file)}\n`).join('')]
  for (let at = 0; at < columns.length; at += SIDE_BY_SIDE)
    parts.push(tableText(names, [...columns.slice(at, at + SIDE_BY_SIDE), difference]))
  const lines = rules.flatMap((known) =>
    Array.from(known, ([pointer, name]) => `${name.padEnd(5)} ${shownPointer(pointer)}\n`),
  )
  return [...parts, lines.join('')].filter(Boolean).join('\n')
}

const shownPointer = (pointer: string) => visible(pointer) || 'the whole document'

const widthOf = ({ head, cells }: Column) => cells.reduce((most, cell) => Math.max(most, cell.length), head.length)

const spaceBeside = (columns: readonly Column[]) =>
  columns.reduce((space, column) => space - widthOf(column) - 2, COLUMNS - WHAT - 2)

/** Subjects take the space that is left; long ones continue on the next lines. */
function tableText(names: readonly (readonly [what: string, subject: string])[], columns: readonly Column[]): string {
  const widths = columns.map(widthOf)
  const width = Math.min(
    spaceBeside(columns),
    names.reduce((most, [, subject]) => Math.max(most, subject.length), 'subject'.length),
  )
  const line = (what: string, subject: string, cells: readonly string[]) =>
    [what.padEnd(WHAT), subject.padEnd(width), ...cells.map((cell, i) => cell.padEnd(widths[i]!))].join('  ').trimEnd()
  const lines = names.flatMap(([what, subject], row) => {
    const [first, ...rest] = pieces(subject, width)
    const cells = columns.map((column) => column.cells[row]!)
    return [line(what, first!, cells), ...rest.map((piece) => line('', piece, []))]
  })
  const heads = columns.map(({ head }) => head)
  return `${[line('what', 'subject', heads), ...lines].join('\n')}\n`
}

function pieces(text: string, width: number): string[] {
  const characters = [...text]
  const count = Math.max(1, Math.ceil(characters.length / width))
  return Array.from({ length: count }, (_, i) => characters.slice(i * width, (i + 1) * width).join(''))
}
