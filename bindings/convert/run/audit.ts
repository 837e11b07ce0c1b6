// Compares what a recorder wrote with another witness of the same runs: a trace, a session, or a second copy.
import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { FindingKind } from '../../document/finding.ts'
import type { Diagnostic } from '../../document/types.ts'
import { CALL_ID, isHidden } from '../../runs/record/subject.ts'
import { isObject, type JsonObject, member, valueAt } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { equal } from '../json.ts'
import * as FINDINGS from './findings.ts'

export declare namespace auditRuns {
  interface Result {
    /** The calls that both sides have, and those without an id, which cannot be joined. */
    readonly shared: number
    readonly withoutId: number
    readonly diagnostics: readonly Diagnostic[]
  }
}

interface Call {
  readonly name: string
  readonly input: unknown
}

/** Members of inputs that runners name differently in hooks and in sessions. */
const ALIASES: Readonly<Record<string, string>> = { cmd: 'command' }

/**
 * Joins the calls of two witnesses by their ids, and compares two copies of one run as a whole. Finds forks, calls that only one side has, calls with two inputs, and runs
 * without a record.
 */
export function auditRuns(records: readonly JsonObject[], all: readonly JsonObject[], file?: string): auditRuns.Result {
  const diagnostics: Diagnostic[] = []
  const report = (kind: FindingKind, detail: string) => diagnostics.push(diagnoseNowhere(kind, { detail }, file))
  const copyOf = ({ run_id, steps }: JsonObject) => steps && records.find((record) => record['run_id'] === run_id)
  for (const run of all) {
    const own = copyOf(run)
    const parts = own ? forkOf(own as JsonObject, run) : []
    if (parts.length > 0)
      report(FINDINGS.AUDIT_FORK, `The copies of ${quoted(String(run['run_id']))} differ: ${listed(parts)}`)
  }
  const witnesses = all.filter((run) => !copyOf(run))
  const both = callsOf(all)
  const [ours, theirs] = [callsOf(records), callsOf(witnesses)]
  const recorded = new Set(records.flatMap(namesOf))
  for (const run of witnesses) {
    const calls = [...callsOf([run]).calls.keys()]
    if (namesOf(run).some((name) => recorded.has(name)) || calls.some((id) => ours.calls.has(id))) continue
    report(FINDINGS.AUDIT_MISSING_RUN, `The run ${quoted(String(run['run_id']))} has no record`)
    for (const id of calls) theirs.calls.delete(id)
  }
  for (const [id, call] of theirs.calls) {
    const own = ours.calls.get(id)
    const words = `The call ${quoted(id)} of ${quoted(call.name)}`
    if (own === undefined) report(FINDINGS.AUDIT_UNRECORDED, `${words} is not in the record`)
    else if (differ(own.input, call.input)) report(FINDINGS.AUDIT_INPUT, `${words} has another input in the record`)
  }
  const isWitnessed = theirs.calls.size > 0
  for (const [id, { name }] of ours.calls)
    if (isWitnessed && !theirs.calls.has(id))
      report(FINDINGS.AUDIT_UNSEEN, `The call ${quoted(id)} of ${quoted(name)} is only in the record`)
  const shared = [...both.calls.keys()].filter((id) => ours.calls.has(id)).length
  return { shared, withoutId: ours.withoutId + both.withoutId, diagnostics }
}

const MOST_PARTS = 5

const listed = (parts: readonly string[]) =>
  `${parts.slice(0, MOST_PARTS).join(', ')}${parts.length > MOST_PARTS ? ` and ${parts.length - MOST_PARTS} more` : ''}`

/** What joins a run with its record. */
const namesOf = (run: JsonObject) =>
  ['/run_id', '/context/session_id', '/trace/trace_id'].flatMap((pointer) => valueAt(run, pointer) ?? [])

function callsOf(runs: readonly JsonObject[]) {
  const calls = new Map<string, Call>()
  let withoutId = 0
  for (const step of runs.flatMap(({ steps }) => (Array.isArray(steps) ? steps : []))) {
    if (valueAt(step, '/action/type') !== 'tool_call' || valueAt(step, '/metadata/kind') === 'policy_verdict') continue
    const id = valueAt(step, `/metadata/${CALL_ID}`)
    if (typeof id !== 'string') withoutId++
    else if (!calls.has(id))
      calls.set(id, { name: String(valueAt(step, '/action/name')), input: valueAt(step, '/action/input') })
  }
  return { calls, withoutId }
}

/** True when both sides have the input, and a member that both name differs, or they name none in common. */
function differ(a: unknown, b: unknown): boolean {
  if (isHidden(a) || isHidden(b) || !isObject(a) || !isObject(b)) return false
  const [left, right] = [a, b].map(
    (input) => new Map(Object.entries(input).map(([name, value]) => [ALIASES[name] ?? name, value])),
  )
  const common = [...left!.keys()].filter((name) => right!.has(name))
  if (common.length === 0) return left!.size > 0 && right!.size > 0
  return common.some(
    (name) => !isHidden(left!.get(name)) && !isHidden(right!.get(name)) && !equal(left!.get(name), right!.get(name)),
  )
}

// Where two copies of one run part. They must agree on everything that both show.

const OF_RUN = ['/status', '/final_output/content', '/error', '/cancellation', '/agent/agent_id', '/tenant_id']
const OF_STEP = [
  '/action/type',
  '/action/name',
  '/action/input',
  '/parent_step_index',
  ...['type', 'output', 'error'].map((name) => `/observation/${name}`),
]

/** The differences between two copies, in words. Values that one of them hides or leaves out are not compared. */
function forkOf(ours: JsonObject, theirs: JsonObject): readonly string[] {
  const [own, other] = [stepsOf(ours), stepsOf(theirs)]
  const steps = [...new Set([...own.keys(), ...other.keys()])].flatMap((index) => {
    const [a, b] = [own.get(index), other.get(index)]
    if (a === undefined) return [`step ${index} is not in the record`]
    if (b === undefined) return [`step ${index} is only in the record`]
    return partsOf(OF_STEP, a, b).map((pointer) => `/steps/${index}${pointer}`)
  })
  return [...partsOf(OF_RUN, ours, theirs), ...steps]
}

function stepsOf({ steps }: JsonObject): ReadonlyMap<string, JsonObject> {
  const list = Array.isArray(steps) ? steps.filter(isObject) : []
  return new Map(list.map((step) => [String(step['index']), step]))
}

const partsOf = (pointers: readonly string[], a: JsonObject, b: JsonObject) =>
  pointers.filter((pointer) => {
    const [left, right] = [valueAt(a, pointer) ?? undefined, valueAt(b, pointer) ?? undefined]
    return left !== undefined && right !== undefined && !agree(left, right)
  })

/** True for equal values, apart from parts that one side hides. */
function agree(a: unknown, b: unknown): boolean {
  if (a !== undefined && b !== undefined && (isHidden(a) || isHidden(b))) return true
  if (!isObject(a) || !isObject(b)) return equal(a, b)
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Array.from(names).every((name) => agree(member(a, name), member(b, name)))
}
