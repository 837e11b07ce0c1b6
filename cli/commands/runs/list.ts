// The runs of a folder: a list of them, a search in their steps, and sums of what they did and cost.
import { resolve } from 'node:path'
import { parse } from '../../../bindings/document/parse.ts'
import { splitLines } from '../../../bindings/document/split-lines.ts'
import { DENIED, dollars, labelOf, Timeline, type TimelineStep } from '../../../bindings/runs/record/timeline.ts'
import { brief, masked } from '../../../bindings/runs/record/words.ts'
import { faultOfLine, type Line } from '../../../bindings/runs/stream/lines.ts'
import { isText } from '../../../bindings/text/members.ts'
import { answer, type Context, defineCommand, EXIT, type Tools, UsageError } from '../../command.ts'
import { counted, jsonLine } from '../../report/report.ts'
import { type FoundRun, runFolder, runsIn, sessionOf } from '../../runs/find.ts'
import { columnsOf, inColumns, rowLines } from '../../runs/rows.ts'

const JSON_LINES = { about: 'write lines of JSON' } as const

/** The folder that a command names; by default where hooks write. */
function folderOf([folder = runFolder(), more]: readonly string[], name: string): string {
  if (more === undefined) return folder
  throw new UsageError('unexpected-argument', `unexpected argument "${more}"`, `blazon runs ${name} takes one folder`)
}

const decoder = new TextDecoder()

/** Reads a stream; `take` gets the valid lines that `isWanted` accepts. Others are left out: `runs show` reports them. */
async function readStream(
  { file }: FoundRun,
  tools: Tools,
  take: (line: Line) => void,
  isWanted = (_: string) => true,
) {
  const { host, reader } = tools
  reader.showProgress(`reading ${file}`)
  for await (const { bytes, number } of splitLines(host.open(resolve(host.cwd, file)))) {
    if (bytes === undefined || (number > 1 && !isWanted(decoder.decode(bytes)))) continue
    const value = parse(bytes).document?.value
    if (faultOfLine(value) === undefined) take(value as Line)
  }
}

/** Rows of cells as text; the last column has the rest of the line. */
function tableText(rows: readonly (readonly string[])[], { host }: Tools): string {
  const columns = columnsOf(host)
  const widths = rows[0]!.map((_, i) => rows.reduce((most, row) => Math.max(most, row[i]!.length), 0))
  const isNumber = widths.map((_, i) => rows.slice(1).every((row) => /^(?:\$?[\d.]+)?$/.test(row[i]!)))
  const cell = (text: string, i: number) => (isNumber[i] ? text.padStart(widths[i]!) : text.padEnd(widths[i]!))
  return rows.map((row) => `${inColumns(row.map(cell).join('  ').trimEnd(), columns)}\n`).join('')
}

const minute = (time: number) => (time === 0 ? '' : new Date(time).toISOString().slice(0, 16).replace('T', ' '))

const LONGEST_NAME = 24
/** The beginning of an id, which `runs show` takes. */
const shortId = ({ head }: FoundRun) => brief(String(head['run_id'])).slice(0, 8)

const SORTS = ['time', 'agent', 'status', 'cost'] as const
const STATUSES = ['open', 'succeeded', 'failed', 'cancelled', 'timeout'] as const

export const list = defineCommand({
  options: {
    by: { value: 'COLUMN', choices: SORTS, about: 'sort by this column (default time, the latest first)' },
    agent: { value: 'NAME', about: 'only runs of this agent' },
    status: { value: 'STATUS', choices: STATUSES, about: 'only runs that ended so, or are open' },
    json: JSON_LINES,
  },
  async run(context) {
    const { options, positionals, print } = context
    const { by = 'time', agent: wantedAgent, status: wantedStatus } = options
    const rows = []
    for (const run of await runsIn(folderOf(positionals, 'list'), context)) {
      const timeline = new Timeline()
      await readStream(run, context, (line) => timeline.take(line))
      const { notSeen: _, status = 'open', ...summary } = timeline.summary
      const { agent } = summary
      if ((wantedAgent !== undefined && agent !== wantedAgent) || (wantedStatus ?? status) !== status) continue
      const { head, file } = run
      const of = { run_id: String(head['run_id']), session: sessionOf(head), file }
      rows.push({ run, status, ...summary, json: { ...of, status, ...summary } })
    }
    if (by === 'cost') rows.sort((a, b) => (b.costUsd ?? 0) - (a.costUsd ?? 0))
    else if (by !== 'time') rows.sort((a, b) => (a[by] < b[by] ? -1 : Number(a[by] > b[by])))
    if (options.json) for (const { json } of rows) print(jsonLine(json))
    else if (rows.length > 0)
      print(
        tableText(
          [
            ['run', 'started', 'agent', 'status', 'steps', 'denied', 'cost', 'task'],
            ...rows.map(({ run, agent, status, steps, denied, costUsd, task = '' }) => [
              shortId(run),
              minute(run.time),
              agent.slice(0, LONGEST_NAME),
              brief(status).slice(0, LONGEST_NAME),
              steps.toFixed(),
              denied === 0 ? '' : denied.toFixed(),
              costUsd === undefined ? '' : dollars(costUsd),
              task,
            ]),
          ],
          context,
        ),
      )
    return { results: [answer({ runs: rows.map(({ json }) => json) })], notes: [counted(rows.length, 'run')] }
  },
})

/** More hits are not shown. */
const MOST_HITS = 1000
/** Characters of an excerpt before the hit, and from there on. */
const [BEFORE, AFTER] = [40, 200]

export const search = defineCommand({
  options: { json: JSON_LINES },
  async run(context) {
    const { options, positionals, host, print } = context
    const [text, ...rest] = positionals
    if (text === undefined || text.trim() === '')
      throw new UsageError('missing-argument', 'runs search: expected a TEXT', 'as in blazon runs search curl')
    const columns = columnsOf(host)
    const hits: Hit[] = []
    for (const run of await runsIn(folderOf(rest, 'search'), context)) {
      const found = await hitsIn(run, text.toLowerCase(), MOST_HITS - hits.length, context)
      hits.push(...found)
      if (found.length > 0 && !options.json) print(`${inColumns(headingOf(run), columns)}\n`)
      for (const { row, excerpt, isShown, ...place } of found)
        if (options.json) print(jsonLine({ ...place, ...row, excerpt }))
        else print(rowLines(row, columns), isShown ? '' : `${inColumns(`${INDENT}… ${excerpt}`, columns)}\n`)
      if (hits.length === MOST_HITS) break
    }
    const note = hits.length < MOST_HITS ? counted(hits.length, 'step') : `only the first ${MOST_HITS} steps are shown`
    const results = [answer({ hits: hits.map(({ isShown: _, row, ...place }) => ({ ...place, ...row })) })]
    return { results, notes: [note], ...(hits.length === 0 && { exit: EXIT.findings, reason: 'nothing was found' }) }
  },
})

interface Hit {
  readonly file: string
  readonly run_id: string
  readonly row: TimelineStep
  /** The text around it; empty for a hit in a credential. */
  readonly excerpt: string
  /** True when the row has it already, and when nothing may be shown. */
  readonly isShown: boolean
}

/** The steps of a run that contain a text; `most` bounds their number. */
async function hitsIn(run: FoundRun, wanted: string, most: number, tools: Tools): Promise<readonly Hit[]> {
  // Lines are canonical JSON, in which this text has one form.
  const raw = JSON.stringify(wanted).slice(1, -1)
  const timeline = new Timeline()
  const hits: Hit[] = []
  const take = (line: Line) => {
    const row = timeline.take(line)
    const excerpt =
      row === undefined || row.state === 'open' || hits.length === most ? undefined : excerptOf(line['step'], wanted)
    if (row === undefined || excerpt === undefined) return
    const isShown =
      excerpt === '' || [row.what, row.result, row.name].some((text) => text?.toLowerCase().includes(wanted))
    hits.push({ file: run.file, run_id: line.run_id, row, excerpt, isShown })
  }
  await readStream(run, tools, take, (line) => line.toLowerCase().includes(raw))
  // A verdict ends before the call that it is about.
  return hits.sort((a, b) => a.row.index - b.row.index)
}

const INDENT = ' '.repeat(18)

const headingOf = (run: FoundRun) => {
  const timeline = new Timeline()
  timeline.start(run.head)
  const { agent, task = '' } = timeline.summary
  return [shortId(run), minute(run.time), agent, task].join('  ').trimEnd()
}

/** The text around the first hit, without credentials; undefined if there is no hit. */
function excerptOf(value: unknown, wanted: string): string | undefined {
  if (isText(value)) {
    if (!value.toLowerCase().includes(wanted)) return undefined
    const shown = masked(value)
    const at = shown.toLowerCase().indexOf(wanted)
    return at < 0 ? '' : brief(shown.slice(Math.max(0, at - BEFORE), at + AFTER))
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const part of Object.values(value)) {
    const text = excerptOf(part, wanted)
    if (text !== undefined) return text
  }
  return undefined
}

/** Sums of the steps of a tool or a day. */
class Sums {
  runs = 0
  steps = 0
  failed = 0
  denied = 0
  tokens = 0
  costUsd = 0
}

/** Records may name any number of tools. */
const MOST_KEYS = 1000
const OTHERS = 'others'

class SumsByKey {
  readonly all = new Map<string, Sums>()

  get(key: string): Sums {
    const name = this.all.has(key) || this.all.size < MOST_KEYS ? key : OTHERS
    const sums = this.all.get(name) ?? new Sums()
    this.all.set(name, sums)
    return sums
  }
}

export const stats = defineCommand({
  options: { json: JSON_LINES },
  async run(context) {
    const { options, positionals, print } = context
    const [tools, days] = [new SumsByKey(), new SumsByKey()]
    const runs = await runsIn(folderOf(positionals, 'stats'), context)
    for (const run of runs) await addRun(run, context, tools, days)
    const byTool = [...tools.all].sort(([, a], [, b]) => b.costUsd - a.costUsd || b.steps - a.steps)
    const byDay = [...days.all].sort(([a], [b]) => (a < b ? -1 : 1))
    const data = {
      tools: byTool.map(([tool, { runs: _, ...sums }]) => ({ tool, ...sums })),
      days: byDay.map(([day, sums]) => ({ day, ...sums })),
    }
    if (options.json) for (const row of [...data.tools, ...data.days]) print(jsonLine(row))
    else if (runs.length > 0) print(sumsText('tool', byTool, context), '\n', sumsText('day', byDay, context))
    return { results: [answer(data)], notes: [counted(runs.length, 'run')] }
  },
})

async function addRun(run: FoundRun, context: Context, tools: SumsByKey, days: SumsByKey): Promise<void> {
  const timeline = new Timeline()
  const dayOf = (after = 0) => minute(run.time && run.time + after).slice(0, 10) || 'unknown'
  await readStream(run, context, (line) => {
    const row = timeline.take(line)
    if (row === undefined || row.state === 'open') return
    const { verdict, parent, state, result, after, tokens = 0, costUsd = 0 } = row
    // A verdict about a call counts with the call.
    const isDenied = verdict === undefined ? result === DENIED : verdict === 'deny' && parent === undefined
    if (verdict !== undefined && !isDenied) return
    const tool = tools.get(verdict === undefined ? labelOf(row) : 'policy')
    for (const sums of [tool, days.get(dayOf(after))]) {
      sums.steps++
      sums.failed += Number(state === 'failed' && !isDenied)
      sums.denied += Number(isDenied)
      sums.tokens += tokens
    }
    tool.costUsd += costUsd
  })
  const day = days.get(dayOf())
  day.runs++
  day.costUsd += timeline.summary.costUsd ?? 0
}

function sumsText(head: 'tool' | 'day', rows: readonly (readonly [string, Sums])[], tools: Tools): string {
  const number = (value: number) => (value === 0 ? '' : value.toFixed())
  const cells = rows.map(([key, { runs, steps, failed, denied, tokens, costUsd }]) => [
    brief(key).slice(0, LONGEST_NAME),
    ...(head === 'day' ? [number(runs)] : []),
    ...[steps, failed, denied, tokens].map(number),
    costUsd === 0 ? '' : dollars(costUsd),
  ])
  const names = [head, ...(head === 'day' ? ['runs'] : []), 'steps', 'failed', 'denied', 'tokens', 'cost']
  return tableText([names, ...cells], tools)
}
