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
  readonly id: string | undefined
  readonly name: string
  readonly input: unknown
}

/** Members of inputs that runners name differently in hooks and in sessions. */
const ALIASES: Readonly<Record<string, string>> = { cmd: 'command' }

/** Findings of one kind; one more tells how many others there are. */
const MOST_FINDINGS = 100

/** A witness, and what the records have of it. */
interface Witness {
  readonly run: JsonObject
  /** The ids of its calls. */
  readonly ids: Set<string>
  /** The comparison with the record of the same run, for a copy of it. */
  fork: Fork | undefined
  isNamed: boolean
}

/** A call of a witness. */
interface WitnessCall extends Call {
  readonly witness: Witness
  /** True when the record has another input. */
  differs: boolean
}

/**
 * Joins the calls of two witnesses by their ids, and compares two copies of one run as a whole. Finds forks, calls that
 * only one side has, calls with two inputs, and runs without a record. Reads records step by step, in the memory of the
 * witnesses.
 */
export class Audit {
  readonly #witnesses: readonly Witness[]
  /** The calls of all witnesses by their ids. */
  readonly #calls = new Map<string, WitnessCall[]>()
  /** The ids that a record has as well, with the names that its calls have there. */
  readonly #shared = new Map<string, string>()
  /** The first calls that no witness has: their names by their ids. */
  readonly #unseen = new Map<string, string>()
  #moreUnseen = 0
  #withoutId = 0
  /** The copies of the record that is being read. */
  #forks: readonly Fork[] = []

  constructor(witnesses: readonly JsonObject[]) {
    this.#witnesses = witnesses.map((run) => ({ run, ids: new Set(), fork: undefined, isNamed: false }))
    for (const witness of this.#witnesses)
      for (const step of stepsIn(witness.run)) {
        const call = callIn(step)
        if (call === undefined || witness.ids.has(call.id ?? '')) continue
        if (call.id === undefined) this.#withoutId++
        else this.#add(call.id, { ...call, witness, differs: false })
      }
  }

  #add(id: string, call: WitnessCall): void {
    call.witness.ids.add(id)
    const calls = this.#calls.get(id)
    if (calls === undefined) this.#calls.set(id, [call])
    else calls.push(call)
  }

  /** Adds a record that is in memory. */
  add(record: JsonObject): void {
    this.begin(record)
    for (const step of stepsIn(record)) this.step(step)
    this.end(record)
  }

  /** Begins a record with the members that are known at its start. */
  begin(head: JsonObject): void {
    const names = new Set(namesOf(head))
    const forks: Fork[] = []
    for (const witness of this.#witnesses) {
      const { run, fork } = witness
      witness.isNamed ||= namesOf(run).some((name) => names.has(name))
      if (!run['steps'] || run['run_id'] !== head['run_id'] || fork !== undefined) continue
      witness.fork = new Fork(run)
      forks.push(witness.fork)
    }
    this.#forks = forks
  }

  step(step: JsonObject): void {
    for (const fork of this.#forks) fork.step(step)
    const call = callIn(step)
    if (call === undefined) return
    const { id, name, input } = call
    if (id === undefined) this.#withoutId++
    else if (this.#calls.has(id)) this.#join(id, name, input)
    else if (this.#unseen.has(id)) return
    else if (this.#unseen.size < MOST_FINDINGS) this.#unseen.set(id, name)
    else this.#moreUnseen++
  }

  /** The first call of an id counts. */
  #join(id: string, name: string, input: unknown): void {
    if (this.#shared.has(id)) return
    this.#shared.set(id, name)
    for (const call of this.#calls.get(id)!) call.differs = differ(input, call.input)
  }

  /** Ends a record, with all of its members but the steps. */
  end(record: JsonObject): void {
    for (const fork of this.#forks) fork.end(record)
  }

  result(file?: string): auditRuns.Result {
    const counts = new Map<FindingKind, number>()
    const diagnostics: Diagnostic[] = []
    const report = (kind: FindingKind, detail: string) => {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      if (count <= MOST_FINDINGS) diagnostics.push(diagnoseNowhere(kind, { detail }, file))
    }
    for (const { run, fork } of this.#witnesses)
      if (fork !== undefined && fork.count > 0)
        report(FINDINGS.AUDIT_FORK, `The copies of ${quoted(String(run['run_id']))} differ: ${fork.words}`)
    const theirs = this.#theirs(report)
    for (const [id, { name, differs }] of theirs) {
      const words = `The call ${quoted(id)} of ${quoted(name)}`
      if (!this.#shared.has(id)) report(FINDINGS.AUDIT_UNRECORDED, `${words} is not in the record`)
      else if (differs) report(FINDINGS.AUDIT_INPUT, `${words} has another input in the record`)
    }
    if (theirs.size > 0) this.#reportUnseen(theirs, report, counts)
    for (const [kind, count] of counts)
      if (count > MOST_FINDINGS)
        diagnostics.push(diagnoseNowhere(kind, { detail: `${count - MOST_FINDINGS} more of this kind` }, file))
    return { shared: this.#shared.size, withoutId: this.#withoutId, diagnostics }
  }

  /** The calls of witnesses that are no copies. Those of runs without a record are missing as a whole. */
  #theirs(report: (kind: FindingKind, detail: string) => void): ReadonlyMap<string, WitnessCall> {
    const theirs = new Map<string, WitnessCall>()
    for (const [id, calls] of this.#calls) {
      const call = calls.find(({ witness }) => witness.fork === undefined)
      if (call !== undefined) theirs.set(id, call)
    }
    for (const { run, ids, fork, isNamed } of this.#witnesses) {
      if (fork !== undefined || isNamed || [...ids].some((id) => this.#shared.has(id))) continue
      report(FINDINGS.AUDIT_MISSING_RUN, `The run ${quoted(String(run['run_id']))} has no record`)
      for (const id of ids) theirs.delete(id)
    }
    return theirs
  }

  #reportUnseen(
    theirs: ReadonlyMap<string, WitnessCall>,
    report: (kind: FindingKind, detail: string) => void,
    counts: Map<FindingKind, number>,
  ): void {
    const unseen = (id: string, name: string) =>
      report(FINDINGS.AUDIT_UNSEEN, `The call ${quoted(id)} of ${quoted(name)} is only in the record`)
    for (const [id, name] of this.#shared) if (!theirs.has(id)) unseen(id, name)
    for (const [id, name] of this.#unseen) unseen(id, name)
    if (this.#moreUnseen > 0)
      counts.set(FINDINGS.AUDIT_UNSEEN, (counts.get(FINDINGS.AUDIT_UNSEEN) ?? 0) + this.#moreUnseen)
  }
}

/** Audits records that are in memory. */
export function auditRuns(records: readonly JsonObject[], all: readonly JsonObject[], file?: string): auditRuns.Result {
  const audit = new Audit(all)
  for (const record of records) audit.add(record)
  return audit.result(file)
}

/** What joins a run with its record. */
const namesOf = (run: JsonObject) =>
  ['/run_id', '/context/session_id', '/trace/trace_id'].flatMap((pointer) => valueAt(run, pointer) ?? [])

const stepsIn = ({ steps }: JsonObject): readonly JsonObject[] => (Array.isArray(steps) ? steps.filter(isObject) : [])

/** The call of a step; undefined for a step without one. */
function callIn(step: JsonObject): Call | undefined {
  if (valueAt(step, '/action/type') !== 'tool_call' || valueAt(step, '/metadata/kind') === 'policy_verdict')
    return undefined
  const id = valueAt(step, `/metadata/${CALL_ID}`)
  return {
    id: typeof id === 'string' ? id : undefined,
    name: String(valueAt(step, '/action/name')),
    input: valueAt(step, '/action/input'),
  }
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

const MOST_PARTS = 5

const OF_RUN = ['/status', '/final_output/content', '/error', '/cancellation', '/agent/agent_id', '/tenant_id']
const OF_STEP = [
  '/action/type',
  '/action/name',
  '/action/input',
  '/parent_step_index',
  ...['type', 'output', 'error'].map((name) => `/observation/${name}`),
]

/** Compares a copy with its record, step by step. Values that one of them hides or leaves out are not compared. */
class Fork {
  count = 0
  readonly #theirs: JsonObject
  /** The steps of the copy that the record did not have yet, by their indices. */
  readonly #steps: Map<string, JsonObject>
  readonly #parts: string[] = []

  constructor(theirs: JsonObject) {
    this.#theirs = theirs
    this.#steps = new Map(stepsIn(theirs).map((step) => [String(step['index']), step]))
  }

  step(own: JsonObject): void {
    const index = String(own['index'])
    const other = this.#steps.get(index)
    this.#steps.delete(index)
    if (other === undefined) this.#note(`step ${index} is only in the record`)
    else for (const pointer of partsOf(OF_STEP, own, other)) this.#note(`/steps/${index}${pointer}`)
  }

  end(own: JsonObject): void {
    for (const index of this.#steps.keys()) this.#note(`step ${index} is not in the record`)
    const ofRun = partsOf(OF_RUN, own, this.#theirs)
    this.count += ofRun.length
    this.#parts.unshift(...ofRun)
  }

  #note(part: string): void {
    this.count++
    if (this.#parts.length < MOST_PARTS) this.#parts.push(part)
  }

  /** The differences in words. */
  get words(): string {
    return `${this.#parts.slice(0, MOST_PARTS).join(', ')}${this.count > MOST_PARTS ? ` and ${this.count - MOST_PARTS} more` : ''}`
  }
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
