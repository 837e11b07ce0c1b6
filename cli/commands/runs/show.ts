import { dirname, resolve } from 'node:path'
import { runFromEvents } from '../../../bindings/convert/run/from-events.ts'
import {
  BeginOrder,
  durationText,
  runInWords,
  Timeline,
  type TimelineStep,
  type TimelineSummary,
  timelineOf,
} from '../../../bindings/runs/record/timeline.ts'
import { LineChecker } from '../../../bindings/runs/stream/lines.ts'
import { visible } from '../../../bindings/text/hidden.ts'
import type { JsonObject } from '../../../bindings/text/members.ts'
import { type Context, defineCommand } from '../../command.ts'
import type { Host } from '../../host.ts'
import { documentLines } from '../../reader.ts'
import { counted, phrase, shorten } from '../../report/report.ts'
import { isStreamName } from '../../runs/stream-files.ts'

/** Lines between two updates of the progress line. */
const OFTEN = 1000

export const show = defineCommand({
  options: {},
  async run(context) {
    const { positionals, reader } = context
    const name = reader.file(positionals, 'blazon runs show takes one run')
    if (isStreamName(name)) return showStream(name, context)
    const { file, kind, document, diagnostics } = await reader.document(name, { only: ['run', 'events'] })
    const value = document.value as JsonObject
    // An event in each line, or one document.
    const { steps, summary } = timelineOf(kind === 'events' ? runFromEvents([value].flat()).runs[0]! : value)
    for (const step of steps) context.print(stepLine(step))
    return {
      results: [{ file, kind: 'run', valid: true, diagnostics, run: summary }],
      notes: [summaryLine(summary), ...notSeenLines(summary)],
    }
  },
})

async function showStream(name: string, { reader, print }: Context) {
  const file = reader.fileOf(name)
  const [checker, timeline, order] = [new LineChecker(file), new Timeline(), new BeginOrder()]
  for await (const line of documentLines(reader, name, { isRaw: true })) {
    if (line.number % OFTEN === 0) reader.showProgress(`${file}: line ${line.number}`)
    const value = checker.take(line)
    const row = value && timeline.take(value)
    if (row !== undefined) for (const ready of order.take(row)) print(stepLine(ready))
  }
  for (const row of order.rest()) print(stepLine(row))
  reader.done()
  const { results, notes } = endOfStream(file, checker, timeline)
  return { results, notes: [...notes, ...notSeenLines(timeline.summary)] }
}

export const tail = defineCommand({
  options: {},
  async run({ positionals, reader, host, print }) {
    const name = reader.file(positionals, 'blazon runs tail takes one stream')
    const file = reader.fileOf(name)
    const [checker, timeline] = [new LineChecker(file), new Timeline()]
    const source = name === '-' ? reader.input(name) : growing(resolve(host.cwd, name), host)
    for await (const line of documentLines(reader, name, { source, isRaw: true })) {
      const value = checker.take(line)
      const row = value && timeline.take(value)
      if (row !== undefined) print(stepLine(row))
      if (value?.type === 'run_completed') break
    }
    return endOfStream(file, checker, timeline)
  },
})

// The timeline of a run as text: a line a step, and one about the whole.

/** One line: index, start, time, and the step, indented by its depth. */
export function stepLine({ index, depth, type, name, after, took, ...facts }: TimelineStep): string {
  const times = [after === undefined ? '' : `+${durationText(after)}`, took === undefined ? '' : durationText(took)]
  const what = name === undefined ? type : `${type} ${oneLine(shorten(name))}`
  return `${[String(index), ...times].map((cell, i) => cell.padStart(WIDTHS[i]!)).join(' ')}  ${'  '.repeat(depth)}${phrase([what, ...factsOf(facts)])}\n`
}

const WIDTHS = [5, 12, 10]
/** A record may claim any number. */
const MOST_NOTES = 20

const factsOf = ({
  state,
  verdict,
  tokens,
  uncertainty,
}: Pick<TimelineStep, 'state' | 'verdict' | 'tokens' | 'uncertainty'>) => [
  verdict !== undefined && (/^(?:invalid|hidden)$/.test(verdict) ? `${verdict} verdict` : verdict),
  state === 'failed' && 'failed',
  state === 'open' && 'did not end',
  tokens !== undefined && counted(tokens, 'token'),
  uncertainty !== undefined && `uncertainty ${uncertainty}`,
]

const summaryLine = (summary: TimelineSummary) => oneLine(runInWords(summary))

/** What the recorder could not see. */
const notSeenLines = ({ notSeen }: TimelineSummary) =>
  notSeen.slice(0, MOST_NOTES).map((text) => `not seen: ${oneLine(shorten(text))}`)

/** What a command says at the end of a stream. */
function endOfStream(file: string, checker: LineChecker, { summary }: Timeline) {
  checker.finish()
  const { diagnostics } = checker
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  return { results: [{ file, kind: 'stream', valid, diagnostics, run: summary }], notes: [summaryLine(summary)] }
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
