import { Audit } from '../../../bindings/convert/run/audit.ts'
import { readRuns } from '../../../bindings/convert/run/convert-runs.ts'
import { type Line, LineChecker } from '../../../bindings/runs/stream/lines.ts'
import type { JsonObject } from '../../../bindings/text/members.ts'
import { type Context, defineCommand, EXIT, Unreadable } from '../../command.ts'
import { documentLines } from '../../reader.ts'
import { counted } from '../../report/report.ts'
import { isStreamName } from '../../runs/stream-files.ts'

export const audit = defineCommand({
  options: {
    against: {
      value: 'FILE',
      needed: 'as in --against session.jsonl',
      about: 'the other witness, or a list of run ids',
    },
  },
  async run(context) {
    const { options, positionals, reader } = context
    const inputs = await reader.inputs(positionals)
    const { file, bytes } = await reader.bytes(options.against)
    const text = new TextDecoder().decode(bytes)
    const isList = !/^\s*[[{]/.test(text)
    const ids = text.split(/\s+/).filter(Boolean)
    const read = new Audit(isList ? ids.map((run_id) => ({ run_id })) : runsOf({ file, bytes }))
    let records = 0
    for (const { name } of inputs)
      if (await addStream(name, read, context)) records++
      else
        for (const run of runsOf(await reader.bytes(name))) {
          read.add(run)
          records++
        }
    const { shared, withoutId, diagnostics } = read.result(file)
    const valid = !diagnostics.some(({ severity }) => severity === 'error')
    const notes = [
      `${counted(records, 'record')}, ${counted(shared, 'call')} on both sides`,
      ...(withoutId > 0 ? [`${counted(withoutId, 'call')} without an id: these cannot be joined`] : []),
    ]
    return {
      results: [{ file, kind: 'run', valid, diagnostics, audited: { records, shared, withoutId } }],
      notes,
    }
  },
})

function runsOf({ file, bytes }: { readonly file: string; readonly bytes: Uint8Array }): readonly JsonObject[] {
  const { from, runs, diagnostics } = readRuns(bytes, { file })
  if (from === undefined) throw new Unreadable({ file, diagnostics })
  return runs
}

/** Adds a stream line by line; false for another file, from which nothing was added. */
async function addStream(name: string, audit: Audit, { reader }: Context): Promise<boolean> {
  if (!isStreamName(name)) return false
  const file = reader.fileOf(name)
  const checker = new LineChecker(file)
  const open = new Map<unknown, JsonObject>()
  let head: JsonObject | undefined
  let end: JsonObject = {}
  for await (const line of documentLines(reader, name, { isRaw: true })) {
    const value = checker.take(line)
    if (line.number === 1 && value?.type !== 'run_started') return false
    // An invalid line, or one whose content was removed, may have had a call.
    if (value === undefined || value.type === 'removed') return refuse(file, checker)
    const part = partIn(value)
    if (value.type === 'run_started') {
      head = part
      audit.begin(head)
    } else if (value.type === 'run_completed') end = part
    else if (value.type === 'step_started') open.set(part['index'], part)
    else if (value.type === 'step') {
      open.delete(part['index'])
      audit.step(part)
    }
  }
  if (head === undefined) return false
  if (checker.diagnostics.some(({ severity }) => severity === 'error')) return refuse(file, checker)
  // A step that began and did not end is a step as well.
  for (const intent of open.values()) audit.step({ ...intent, observation: { type: 'none' } })
  audit.end({ ...head, ...end })
  return true
}

const partIn = ({ run, intent, step, end }: Line) => (run ?? intent ?? step ?? end ?? {}) as JsonObject

function refuse(file: string, checker: LineChecker): never {
  checker.finish()
  throw new Unreadable({ file, diagnostics: checker.diagnostics }, EXIT.findings)
}
