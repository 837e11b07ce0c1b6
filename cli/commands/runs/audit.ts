import { auditRuns } from '../../../bindings/convert/run/audit.ts'
import { type RunReading, readRuns } from '../../../bindings/convert/run/convert-runs.ts'
import { type Context, defineCommand } from '../../command.ts'
import { Unreadable } from '../../outcome.ts'
import { counted } from '../../report/words.ts'

/** `blazon runs audit`: compares streams with another witness of the same runs. */
export const command = defineCommand({
  usage: 'STREAM... --against TRACE|SESSION|IDS',
  details: [
    'Joins the tool calls of streams or run records with those of another witness, by',
    'their ids: a trace (OTLP/JSON), a session of Codex or Claude Code, or a second',
    'copy. Reports calls that only one side has, calls with two inputs, runs without',
    'a record, and every difference between two copies of one run. A file with one',
    'run id in each line only checks that each of these runs has a record.',
  ],
  options: {
    against: {
      value: 'FILE',
      needed: 'as in --against session.jsonl',
      about: 'the other witness, or a list of run ids',
    },
  },
  examples: [
    'blazon runs audit run.ndjson --against rollout.jsonl',
    'blazon runs audit records/*.ndjson --against trace.json',
  ],
  async run(context) {
    const { options, positionals, reader } = context
    const records = []
    for (const { name } of await reader.inputs(positionals))
      for (const one of await runsIn(name, context)) records.push(one)
    const { file, bytes } = await reader.bytes(options.against)
    const text = new TextDecoder().decode(bytes)
    const isList = !/^\s*[[{]/.test(text)
    const ids = text.split(/\s+/).filter(Boolean)
    const witnesses = isList
      ? ids.map((run_id) => ({ run_id }))
      : await runsIn(options.against, context, { file, bytes })
    const { shared, withoutId, diagnostics } = auditRuns(records, witnesses, file)
    const valid = !diagnostics.some(({ severity }) => severity === 'error')
    const notes = [
      `${counted(records.length, 'record')}, ${counted(shared, 'call')} on both sides`,
      ...(withoutId > 0 ? [`${counted(withoutId, 'call')} without an id: these cannot be joined`] : []),
    ]
    return {
      results: [{ file, kind: 'run', valid, diagnostics, audited: { records: records.length, shared, withoutId } }],
      notes,
    }
  },
})

async function runsIn(
  name: string,
  { reader }: Context,
  read?: { readonly file: string; readonly bytes: Uint8Array },
): Promise<RunReading['runs']> {
  const { file, bytes } = read ?? (await reader.bytes(name))
  const { from, runs, diagnostics } = readRuns(bytes, { file })
  if (from === undefined) throw new Unreadable({ file, diagnostics })
  return runs
}
