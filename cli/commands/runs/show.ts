import { resolve } from 'node:path'
import { runFromEvents } from '../../../bindings/convert/run/from-events.ts'
import { BeginOrder, Timeline, timelineOf } from '../../../bindings/runs/record/timeline.ts'
import { LineChecker } from '../../../bindings/runs/stream/lines.ts'
import type { JsonObject } from '../../../bindings/text/members.ts'
import { type Context, defineCommand } from '../../command.ts'
import { documentLines } from '../../reader.ts'
import { isStreamName } from '../../runs/stream-files.ts'
import { endOfStream, growing, notSeenLines, stepLine, summaryLine } from '../../runs/timeline-text.ts'

/** Lines between two updates of the progress line. */
const OFTEN = 1000

/** `blazon runs show`: the steps of a run as a tree. */
export const show = defineCommand({
  usage: '[FILE|-]',
  details: [
    'Shows each step of a run record, a stream or a log of AgentLang events: when it',
    'began, how long it took, what it did, what a policy decided, tokens and',
    'uncertainty. Steps inside of others are indented. Streams may have any size.',
    'This verifies nothing: see blazon verify.',
  ],
  options: {},
  examples: [
    'blazon runs show run.json',
    'blazon runs show run.events.yaml',
    'blazon runs show 8a3f0e0c-6a0c-4f7e-9d0e-2f1b5c7a9d10.ndjson',
  ],
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

/** `blazon runs tail`: the steps of a run as they are recorded. */
export const tail = defineCommand({
  usage: 'STREAM',
  details: [
    'Shows each step of a stream when it begins and when it ends, and waits for more',
    'until the run ends. Ctrl-C ends it as well.',
  ],
  options: {},
  examples: ['blazon runs tail 8a3f0e0c-6a0c-4f7e-9d0e-2f1b5c7a9d10.ndjson'],
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
