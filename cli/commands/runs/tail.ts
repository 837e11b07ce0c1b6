import { resolve } from 'node:path'
import { LineChecker } from '../../../bindings/runs/stream/check.ts'
import { Timeline } from '../../../bindings/runs/timeline.ts'
import { defineCommand } from '../../command.ts'
import { documentLines } from '../../reader.ts'
import { endOfStream, growing, stepLine } from '../../runs/timeline-text.ts'

/** `blazon runs tail`: the steps of a run as they are recorded. */
export const command = defineCommand({
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
