import { resolve } from 'node:path'
import { type RetainedStream, retainStream } from '../../../bindings/runs/stream/seal.ts'
import { defineCommand, type Tools } from '../../command.ts'
import { orUnreadable, type Result, Unreadable } from '../../outcome.ts'
import { bytesOf } from '../../reader.ts'
import { counted } from '../../report/words.ts'
import { bytesIfThere, isStreamName, nextTo } from '../../runs/stream-files.ts'
import { save } from '../../save.ts'
import { UsageError } from '../../usage.ts'

const DAY_MS = 24 * 60 * 60_000

/** `blazon runs retain`: removes the content of streams of runs that ended long ago. */
export const command = defineCommand({
  usage: 'FOLDER|STREAM... --older DAYS [--hold RUN_ID]...',
  details: [
    'Removes inputs, outputs and the description of the task (ADP-1 section 7.2) from',
    'the streams of runs that ended more than DAYS ago. The hash of each line stays,',
    'so the streams still verify. Values that a stream only commits to go as well.',
    'This cannot be undone.',
  ],
  options: {
    older: { value: 'DAYS', number: true, needed: 'as in --older 90', about: 'how long content is kept' },
    hold: { value: 'RUN_ID', many: true, about: 'keep the content of this run' },
  },
  examples: ['blazon runs retain records/ --older 90 --hold 5b8f1f52-6c40-4c4e-9d6a-2f1d3a7f9b10'],
  async run(context) {
    const { options, positionals, say } = context
    const names = (await Promise.all(positionals.map((name) => streamsIn(name, context)))).flat()
    if (names.length === 0)
      throw new UsageError(
        'missing-argument',
        'runs retain: expected a stream *.ndjson, or a folder with some',
        'as in blazon runs retain records/ --older 90',
      )
    const before = Date.now() - Number(options.older) * DAY_MS
    const results: Result[] = []
    for (const name of names) {
      const read = await orUnreadable(retainStream(bytesOf(context.reader, name), name))
      if (read instanceof Unreadable) {
        results.push(read.result)
        continue
      }
      const state = stateOf(read, before, options.hold)
      if (state === 'removed') await removeContent(name, read, context)
      say(`${name}: ${state === 'removed' ? `content of ${counted(read.removed, 'line')} removed` : state}`)
      results.push(resultOf(name, read, state))
    }
    return { results }
  },
})

type State = 'removed' | 'held' | 'too young' | 'not ended' | 'not valid'

function stateOf({ runId, endedAt, diagnostics }: RetainedStream, before: number, held: readonly string[]): State {
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'not valid'
  if (held.includes(runId)) return 'held'
  if (endedAt === undefined) return 'not ended'
  return endedAt < before ? 'removed' : 'too young'
}

function resultOf(file: string, { removed, diagnostics }: RetainedStream, state: State): Result {
  const valid = state !== 'not valid'
  const retained = { state, lines: state === 'removed' ? removed : 0 }
  return { file, kind: 'stream', valid, diagnostics: valid ? [] : diagnostics, retained }
}

async function streamsIn(name: string, { host }: Tools): Promise<readonly string[]> {
  const entries = await host.list(resolve(host.cwd, name)).catch(() => undefined)
  if (entries === undefined) return isStreamName(name) ? [name] : []
  const files = entries.filter(({ kind, name: file }) => kind === 'file' && isStreamName(file))
  return files.map(({ name: file }) => `${name.replace(/[/\\]$/, '')}/${file}`)
}

/** Values first: if this stops in between, the next time does the rest. */
async function removeContent(name: string, { removed, stream }: RetainedStream, tools: Tools): Promise<void> {
  const salts = nextTo(name, 'salts')
  const values = await bytesIfThere(tools, salts)
  if (values !== undefined && values.length > 0) await save(tools.host, salts, '', { over: salts })
  if (removed > 0) await save(tools.host, name, stream, { over: name })
}
