import { dirname, resolve } from 'node:path'
import { readRuns } from '../../../bindings/convert/run/convert-runs.ts'
import { runFromEvents } from '../../../bindings/convert/run/from-events.ts'
import {
  BeginOrder,
  runInWords,
  Timeline,
  type TimelineStep,
  type TimelineSummary,
  timelineOf,
} from '../../../bindings/runs/record/timeline.ts'
import { LineChecker } from '../../../bindings/runs/stream/lines.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import { isObject, type JsonObject } from '../../../bindings/text/members.ts'
import { type Context, defineCommand, EXIT, type Result, Unreadable } from '../../command.ts'
import type { Host } from '../../host.ts'
import { documentLines } from '../../reader.ts'
import { jsonLine, shorten } from '../../report/report.ts'
import { runsNamed } from '../../runs/find.ts'
import { columnsOf, rowLines, wholeStep } from '../../runs/rows.ts'
import { isStreamName } from '../../runs/stream-files.ts'

/** Lines between two updates of the progress line. */
const OFTEN = 1000
/** Rows are written together when they have this many characters. */
const TOGETHER = 1 << 15

const OPTIONS = {
  full: { about: 'show inputs, outputs and metadata as a whole' },
  step: { value: 'N', number: true, about: 'show only this step, as a whole' },
  failed: { about: 'show only steps that failed, did not end, or were not allowed' },
  json: { about: 'write a line of JSON for each step, then one for the run' },
  in: { value: 'FOLDER', about: 'where runs and sessions are (default ~/.blazon/runs)' },
} as const

type ShowContext = Context<typeof OPTIONS>

export const show = defineCommand({
  options: OPTIONS,
  async run(context) {
    const { options, positionals, reader } = context
    const name = reader.file(positionals, 'blazon runs show takes one run')
    const results: Result[] = []
    const notes: string[] = []
    let isFound = options.step === undefined
    let steps = 0
    const files = await runsNamed(name, options.in, context)
    for (const file of files) {
      const writer = new RowWriter(context)
      if (files.length > 1 && !options.json) context.print(`${visible(file)}\n`)
      for (const { result, summary } of await shownIn(file, context, writer)) {
        results.push(result)
        steps = Math.max(steps, summary.steps)
        // Reading ends with the step, so nothing is known of the rest.
        if (options.step !== undefined) continue
        if (options.json) writer.json({ run: summary })
        else notes.push(oneLine(runInWords(summary)), ...notSeenLines(summary))
      }
      writer.flush()
      isFound ||= writer.count > 0
    }
    if (isFound) return { results, notes }
    const last = steps === 0 ? 'it has none' : `the last one is step ${steps - 1}`
    return { results, notes: [`${files.join(' and ')} has no step ${options.step}: ${last}`], exit: EXIT.findings }
  },
})

/** Writes the rows that the options ask for. */
class RowWriter {
  count = 0
  readonly isWhole: boolean
  readonly #context: ShowContext
  readonly #columns: number | undefined
  #text = ''

  constructor(context: ShowContext) {
    this.#context = context
    this.#columns = columnsOf(context.host)
    this.isWhole = !context.options.json && (context.options.full || context.options.step !== undefined)
  }

  /** @param step the step of the row, which is needed to show it as a whole. */
  take(row: TimelineStep, step: JsonObject | undefined): void {
    const { step: wanted, failed, json } = this.#context.options
    if ((wanted !== undefined && row.index !== wanted) || (failed && !isTrouble(row))) return
    this.count++
    if (json) this.json(row)
    else this.#add(`${rowLines(row, this.#columns)}${this.isWhole && step ? wholeStep(step) : ''}`)
  }

  json(value: object): void {
    this.#add(jsonLine(value))
  }

  #add(text: string): void {
    this.#text += text
    if (this.#text.length > TOGETHER) this.flush()
  }

  flush(): void {
    if (this.#text !== '') this.#context.print(this.#text)
    this.#text = ''
  }
}

const isTrouble = ({ state, verdict }: TimelineStep) =>
  state !== 'ended' || (verdict !== undefined && verdict !== 'allow')

interface ShownRun {
  readonly result: Result
  readonly summary: TimelineSummary
}

async function shownIn(name: string, context: ShowContext, writer: RowWriter): Promise<readonly ShownRun[]> {
  if (isStreamName(name)) return [await showStream(name, context, writer)]
  const { reader } = context
  const isSession = /(?<!\.events)\.jsonl$/i.test(name)
  const { file, diagnostics, runs } = isSession ? await sessionIn(name, context) : await recordIn(name, reader)
  return runs.map((run) => {
    const { steps, summary } = timelineOf(run)
    const values = (run['steps'] as readonly unknown[] | undefined)?.filter(isObject)
    for (const [i, row] of steps.entries()) writer.take(row, values?.[i])
    return { result: { file, kind: 'run', valid: true, diagnostics, run: summary }, summary }
  })
}

/** An event in each line, or one document. */
async function recordIn(name: string, reader: ShowContext['reader']) {
  const { file, kind, document, diagnostics } = await reader.document(name, { only: ['run', 'events'] })
  const value = document.value as JsonObject
  return { file, diagnostics, runs: kind === 'events' ? runFromEvents([value].flat()).runs : [value] }
}

/** A session of a runner. */
async function sessionIn(name: string, { reader }: ShowContext) {
  const { file, bytes } = await reader.bytes(name)
  const { from, runs, diagnostics } = readRuns(bytes, { file })
  if (from === undefined) throw new Unreadable({ file, diagnostics })
  return { file, runs, diagnostics }
}

async function showStream(name: string, { reader, options }: ShowContext, writer: RowWriter): Promise<ShownRun> {
  const file = reader.fileOf(name)
  const [checker, timeline, order] = [new LineChecker(file), new Timeline(), new BeginOrder()]
  for await (const line of documentLines(reader, name, { isRaw: true })) {
    if (line.number % OFTEN === 0) reader.showProgress(`${file}: line ${line.number}`)
    const value = checker.take(line)
    const row = value && timeline.take(value)
    if (row === undefined) continue
    // As a whole, steps are shown when they end: those that wait for others would need too much memory.
    if (!writer.isWhole) for (const ready of order.take(row)) writer.take(ready, undefined)
    else if (row.state !== 'open') writer.take(row, value!['step'] as JsonObject)
    if (options.step !== undefined && writer.count > 0) break
  }
  for (const row of writer.isWhole ? timeline.open : order.rest()) writer.take(row, undefined)
  reader.done()
  return endOfStream(file, checker, timeline, options.step !== undefined)
}

export const tail = defineCommand({
  options: {},
  async run({ positionals, reader, host, print }) {
    const name = reader.file(positionals, 'blazon runs tail takes one stream')
    const file = reader.fileOf(name)
    const [checker, timeline, columns] = [new LineChecker(file), new Timeline(), columnsOf(host)]
    const source = name === '-' ? reader.input(name) : growing(resolve(host.cwd, name), host)
    for await (const line of documentLines(reader, name, { source, isRaw: true })) {
      const value = checker.take(line)
      const row = value && timeline.take(value)
      if (row !== undefined) print(rowLines(row, columns, row.state === 'open'))
      if (value?.type === 'run_completed') break
    }
    const { result, summary } = endOfStream(file, checker, timeline)
    return { results: [result], notes: [oneLine(runInWords(summary))] }
  },
})

/** A record may claim any number. */
const MOST_NOTES = 20

/** What the recorder could not see. */
const notSeenLines = ({ notSeen }: TimelineSummary) =>
  notSeen.slice(0, MOST_NOTES).map((text) => `not seen: ${oneLine(shorten(text))}`)

/** What a command says of a stream. A part of it says nothing about its end. */
function endOfStream(file: string, checker: LineChecker, { summary }: Timeline, isPart = false): ShownRun {
  if (!isPart) checker.finish()
  const { diagnostics } = checker
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  return { result: { file, kind: 'stream', valid, diagnostics, run: summary }, summary }
}

const oneLine = (text: string) => visible(text.replace(/\s+/g, ' '))
/** The bytes of a file, and then those that other programs append to it. Never ends while the folder is watched. */
export async function* growing(path: string, host: Host): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; ) {
    // Begun before the file is read, so that nothing in between is missed.
    const watch = await host.watch([dirname(path)])
    try {
      for await (const chunk of host.open(path, offset)) {
        offset += chunk.length
        yield chunk
      }
      if (watch === undefined) return
      await watch.event
    } finally {
      watch?.close()
    }
  }
}
