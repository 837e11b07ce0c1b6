// Run records as ATIF 1.7 trajectories, and back. A step of the record is a step there; `extra` has what is left.
import { isObject, isText, type JsonObject, valueAt } from '../../text/members.ts'
import type { LossReport } from '../formats.ts'
import type { MutableObject } from '../json.ts'
import names from './atif-names.json' with { type: 'json' }
import type { runsFromOtlp } from './from-otlp.ts'
import {
  Account,
  type Branch,
  branchOf,
  express,
  fillAt,
  type Place,
  type PlacedRow,
  placed,
  takeBack,
} from './places.ts'
import type { RunExportOptions } from './to-otlp.ts'
import { runFromSession } from './transcript.ts'

/** The member of `extra` with everything that has no place. */
const REST = 'adp'
const RUN_PLACES = placed(names.run as readonly Place[], '', '')
const STEP_PLACES = placed(names.step as readonly Place[], '/steps/*', '/steps/*')
const [RUN_BRANCH, STEP_BRANCH] = [branchOf(RUN_PLACES, ''), branchOf(STEP_PLACES, '/steps/*')]
/** What ATIF requires and the run does not have. Reading leaves these out again. */
const callIdAt = (position: number) => `call_${position}`
const UNKNOWN = 'unknown'

export interface AtifExport {
  readonly value: JsonObject
  readonly loss: LossReport
}

/** Agents' steps may have thoughts, models and usage; `user` and `other` may not. */
function kindOf(step: JsonObject): string {
  const type = String(valueAt(step, '/action/type'))
  if (type === 'message' && valueAt(step, '/observation/type') === 'user_input') return 'user'
  return ['tool_call', 'model_inference', 'message'].includes(type) ? type : 'other'
}

/** Writes a valid run record as an ATIF 1.7 trajectory. It always has content: a trajectory is made of messages. */
export function runToAtif(run: JsonObject, { carry = 'public' }: Pick<RunExportOptions, 'carry'> = {}): AtifExport {
  const account = new Account()
  const write = (of: JsonObject, branch: Branch, kind: string, added: JsonObject) => {
    const target = carry === 'nothing' ? undefined : `${branch.pointer}/extra/${REST}`
    const { made, rest } = express(of, branch, { account, target, kind, added })
    if (rest !== undefined && target !== undefined) made['extra'] = { [REST]: rest }
    for (const pointer of [
      '/call/function_name',
      '/call/arguments',
      '/call/tool_call_id',
      '/message',
      '/agent/version',
    ])
      if (valueAt(added, pointer) !== undefined && fillAt(made, pointer.slice(1).split('/'), valueAt(added, pointer)))
        account.note('added', '', 'ATIF requires it', branch.pointer + pointer)
    return made
  }
  const { steps, ...head } = run
  const made = (Array.isArray(steps) ? steps : []).filter(isObject).map((step, i) => {
    const kind = kindOf(step)
    const { call, result, ...rest } = write(step, STEP_BRANCH, kind, addedTo(kind, i))
    const id = valueAt(call, '/tool_call_id')
    return {
      step_id: i + 1,
      source: kind === 'user' ? 'user' : kind === 'other' ? 'system' : 'agent',
      ...rest,
      ...(call !== undefined && { tool_calls: [call] }),
      ...(result !== undefined && { observation: { results: [{ source_call_id: id, ...result }] } }),
    }
  })
  const value = {
    schema_version: names.version,
    ...write(head, RUN_BRANCH, 'run', { agent: { version: UNKNOWN } }),
    steps: made,
  }
  return { value, loss: account.report }
}

const addedTo = (kind: string, position: number): JsonObject =>
  kind === 'tool_call'
    ? { message: '', call: { function_name: UNKNOWN, arguments: {}, tool_call_id: callIdAt(position) } }
    : { message: '' }

/** Reads an ATIF trajectory: one that `runToAtif` wrote gives the same record, any other its calls and messages. */
export function runFromAtif(trajectory: JsonObject, options: runsFromOtlp.Options = {}): runsFromOtlp.Result {
  const steps = (Array.isArray(trajectory['steps']) ? trajectory['steps'] : []).filter(isObject)
  const rest = valueAt(trajectory, `/extra/${REST}`)
  if (!isObject(rest)) return foreign(trajectory, steps, options)
  const account = new Account()
  const read = (from: unknown, rows: readonly PlacedRow[], kind: string, left: unknown, added: JsonObject) => {
    const made = structuredClone(isObject(left) ? left : {}) as MutableObject
    takeBack(from, rows, made, { account, kind, added })
    return made
  }
  const head = read(trajectory, RUN_PLACES, 'run', rest, { agent: { version: UNKNOWN } })
  const made = steps.map((step, i) => {
    const left = valueAt(step, `/extra/${REST}`)
    const view = { ...step, call: valueAt(step, '/tool_calls/0'), result: valueAt(step, '/observation/results/0') }
    const kind = isObject(left) ? kindOf(left) : 'other'
    return read(view, STEP_PLACES, kind, left, addedTo(kind, i))
  })
  account.note('renamed', `/extra/${REST}`, 'each member at its own place')
  return { runs: [{ ...head, steps: made }], loss: account.report }
}

function foreign(
  trajectory: JsonObject,
  steps: readonly JsonObject[],
  options: runsFromOtlp.Options,
): runsFromOtlp.Result {
  const { runs, loss } = runFromSession(steps, 'atif', options)
  const [run] = runs as [MutableObject]
  const id = trajectory['trajectory_id'] ?? trajectory['session_id']
  const { name, version } = isObject(trajectory['agent']) ? trajectory['agent'] : {}
  const agent = {
    ...(run['agent'] as JsonObject),
    ...(isText(name) && { agent_id: name }),
    ...(isText(version) && { agent_version: version }),
  }
  return { runs: [{ ...run, ...(isText(id) && { run_id: id }), agent }], loss }
}
