// Conversion of runs: recognizes the format, reads it to run records, and writes these.

import { EVENT_TYPES } from '../../agentlang/events/specification.ts'
import { diagnoseNowhere } from '../../document/diagnose.ts'
import { parse } from '../../document/parse.ts'
import { read } from '../../document/read.ts'
import { parseLines } from '../../document/split-lines.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import { fits } from '../../frame/detect.ts'
import type { FileOptions } from '../../frame/source.ts'
import type { Tell } from '../../kinds.ts'
import { RUN } from '../../runs/record/specification.ts'
import { type Line, recordIn, recordOf } from '../../runs/stream/lines.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, isText, type JsonObject, valueAt } from '../../text/members.ts'
import { CONVERT_SOURCE } from '../findings.ts'
import type { LossReport } from '../formats.ts'
import { runFromAtif, runToAtif } from './atif.ts'
import { runFromEvents } from './from-events.ts'
import { runsFromOtlp } from './from-otlp.ts'
import { Account, branchOf, express } from './places.ts'
import { type RunExportOptions, runToOtlp } from './to-otlp.ts'
import {
  addedTo,
  filled,
  KINDS,
  kindOf,
  momentOf,
  REST,
  runFromSession,
  type StepKind,
  TABLES,
  UNKNOWN,
} from './transcript.ts'

/** The formats of runs. A record may also be a stream. */
export const RUN_FORMATS = [
  'run',
  'otlp',
  'atif',
  'events',
  'openinference',
  'claude-session',
  'codex-session',
] as const
export type RunFormat = (typeof RUN_FORMATS)[number]
/** Those that can be written. */
export const RUN_TARGETS = ['run', 'otlp', 'atif', 'events'] as const
export interface RunReadOptions extends runsFromOtlp.Options, FileOptions {
  /** The format of the source; detected by default. */
  readonly from?: RunFormat
}

export declare namespace convertRuns {
  interface Result {
    /** One document for each run; empty when a diagnostic is an error. */
    readonly documents: readonly JsonObject[]
    readonly loss: LossReport
    readonly diagnostics: readonly Diagnostic[]
  }

  type Target = (typeof RUN_TARGETS)[number]
}

const TELLS: readonly (readonly [RunFormat, Tell])[] = [
  ['otlp', { is: { resourceSpans: 'array' } }],
  ['atif', { starts: { schema_version: 'ATIF-' } }],
  ['run', { starts: { version: 'adp-' } }],
  ['run', { starts: { type: 'run_started' } }],
  ['events', { is: { events: 'array' } }],
  ['events', { starts: { type: 'agent.' } }],
  ['events', { starts: { type: 'tool.' } }],
  ['events', { starts: { type: 'context.' } }],
  ['codex-session', { starts: { type: 'session_meta' } }],
  ['claude-session', { is: { sessionId: 'string' } }],
]

export declare namespace readRuns {
  interface Result extends runsFromOtlp.Result {
    /** Undefined when the source could not be read. */
    readonly from: RunFormat | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
}

/** Reads run records, streams, traces, trajectories, events and sessions, in JSON or YAML. Files named .jsonl and .ndjson have lines. */
export function readRuns(source: Uint8Array | string, { from, file, tenant }: RunReadOptions = {}): readRuns.Result {
  const hasLines = from?.endsWith('-session') || (from === undefined && /\.(?:jsonl|ndjson)$/i.test(file ?? ''))
  const { document, diagnostics } = (hasLines ? parseLines : read)(source, file === undefined ? {} : { file })
  const nothing = { runs: [], loss: [], from: undefined }
  if (document === undefined) return { ...nothing, diagnostics }
  const { value } = document
  const lines = (Array.isArray(value) ? value : [value]).filter(isObject)
  const told = from ?? lines.flatMap((line) => TELLS.find(([, tell]) => fits([tell], line))?.[0] ?? [])[0]
  const made =
    told !== undefined && lines.length > 0
      ? readAsFormat(lines, told, tenant === undefined ? {} : { tenant })
      : `expected one of ${RUN_FORMATS.join(', ')}: name it with the option from`
  if (typeof made !== 'string') return { ...made, from: told, diagnostics }
  return { ...nothing, diagnostics: [...diagnostics, diagnoseNowhere(CONVERT_SOURCE, { detail: made }, file)] }
}

function readAsFormat(
  lines: readonly JsonObject[],
  from: RunFormat,
  options: runsFromOtlp.Options,
): runsFromOtlp.Result | string {
  const first = lines[0]!
  if (from === 'claude-session' || from === 'codex-session') return runFromSession(lines, from, options)
  if (from === 'atif') return runFromAtif(first, options)
  if (from === 'events') return runFromEvents(lines, options)
  if (from !== 'run') return runsFromOtlp(first, options)
  if (first['type'] !== 'run_started') return { runs: [first], loss: [] }
  const record = recordIn(lines)
  return typeof record === 'string' ? record : { runs: [recordOf(withIntents(lines as readonly Line[]))], loss: [] }
}

/** A step that began and did not end is a step as well. */
function withIntents(lines: readonly Line[]): readonly Line[] {
  const indexOf = (step: unknown) => (step as JsonObject | undefined)?.['index']
  const ended = new Set(lines.map(({ step }) => indexOf(step)))
  return lines.map((line) => {
    const { type, intent } = line
    if (type !== 'step_started' || ended.has(indexOf(intent))) return line
    return { ...line, type: 'step', step: { ...(intent as JsonObject), observation: { type: 'none' } } }
  })
}

/**
 * Converts runs between records, streams, traces of OpenTelemetry and OpenInference, ATIF trajectories, events of AgentLang
 * and the sessions of runners.
 *
 * @example
 * convertRuns(trace, { to: 'run' }).documents.length // the number of runs in it
 *
 * @throws {RangeError} for an unknown format.
 */
export function convertRuns(
  source: Uint8Array | string,
  { to, carry = 'public', ...options }: { readonly to: convertRuns.Target } & RunReadOptions & RunExportOptions,
): convertRuns.Result {
  if (!RUN_TARGETS.includes(to)) throw new RangeError(`to: expected one of ${RUN_TARGETS.join(', ')}, got ${to}`)
  const { runs, loss, from, diagnostics } = readRuns(source, options)
  if (from === undefined) return { documents: [], loss: [], diagnostics }
  const reports = runs.map((run) => check(RUN, parseAs(RUN, run, options), RUN.settings({})))
  // The record was made, so its positions are not those of the source.
  const inRecords = reports.flatMap((report) =>
    report.diagnostics.map((one) => ({ ...one, source: { ...one.source, ...START } })),
  )
  const found = [...diagnostics, ...inRecords]
  if (reports.some(({ valid }) => !valid)) return { documents: [], loss: [], diagnostics: found }
  if (to === 'run') return { documents: runs, loss, diagnostics: found }
  const write = { otlp: inOtlp, atif: runToAtif, events: runToEvents }[to]
  const made = runs.map((run) => write(run, { carry }))
  const written = made.flatMap((one) => one.loss)
  return {
    documents: made.map(({ value }) => value),
    loss: from === 'run' ? written : joined(loss, written),
    diagnostics: found,
  }
}

const START = { offset: 0, endOffset: 0, line: 1, column: 1, endLine: 1, endColumn: 1 }

const inOtlp = (run: JsonObject, options: RunExportOptions) => {
  const { text, loss } = runToOtlp(run, options)
  return { value: parse(text).document!.value as JsonObject, loss }
}

/** A place and those around it; none for a missing one. */
const around = (place: string | undefined): readonly string[] =>
  place?.split('/').map((_, i, tokens) => tokens.slice(0, i + 1).join('/')) ?? []

/** The account of two steps: what the second one drops is dropped. */
function joined(first: LossReport, second: LossReport): LossReport {
  const positions = new Map<string, number>()
  for (const [i, { pointer }] of second.entries())
    if (pointer !== undefined && !positions.has(pointer)) positions.set(pointer, i)
  return first.map((row) => {
    // The first row of the second step that is about the target, or about something around it.
    const found = around(row.target).flatMap((pointer) => positions.get(pointer) ?? [])
    const next = found.length === 0 ? undefined : second[Math.min(...found)]
    if (next === undefined) return row
    const { target: _, ...rest } = row
    return {
      ...rest,
      ...(next.outcome === 'dropped' ? next : { target: next.target! }),
      ...(row.pointer !== undefined && { pointer: row.pointer }),
    }
  })
}

// Run records as events of AgentLang.

/** Only the agent's id is in events, and `x-adp` has it as well. */
const NO_PLACES = branchOf([], '')

export interface EventsExport {
  readonly value: JsonObject
  readonly loss: LossReport
}

/** Writes a valid run record as a log of events, in the order of their times. It always has content. */
export function runToEvents(run: JsonObject, { carry = 'public' }: Pick<RunExportOptions, 'carry'> = {}): EventsExport {
  const account = new Account()
  const isCarried = carry !== 'nothing'
  const { steps, ...head } = run
  const agent = filled(valueAt(run, '/agent/agent_id')) ?? UNKNOWN
  const { rest } = express(head, NO_PLACES, { account, target: isCarried ? `/${REST}` : undefined })
  const eventsOf = (step: JsonObject, position: number): JsonObject[] => {
    const kind = kindOf(step)
    const added = addedTo(kind, position, agent)
    const target = isCarried ? `/events/*/${REST}` : undefined
    const { made, rest = {} } = express(step, TABLES[kind].branch, { account, target, added })
    for (const name of Object.keys(added))
      if (!Object.hasOwn(made, name)) account.note('added', '', 'AgentLang requires it', `/events/*/${name}`)
    const { result, thought, answer, ...fields } = { ...added, ...made }
    const { agent_id, call_id } = fields as Record<string, unknown>
    const timestamp = endOf(valueAt(step, '/timestamp'), valueAt(step, '/metadata/latency_ms'))
    const mark = isCarried ? { [REST]: { of: step['index'] } } : {}
    const outcome = isObject(result) && ('output' in result || 'error' in result) ? {} : { output: null }
    const other = (type: string, fields: object) => ({ type, timestamp, ...fields, ...mark })
    return [
      { type: typeOf(kind, step), ...fields, ...(isCarried && { [REST]: rest }) },
      ...(kind === 'call' ? [other('tool.result', { call_id, ...outcome, ...(result as object) })] : []),
      ...(isObject(thought) ? [other('agent.think', { agent_id, ...thought })] : []),
      ...(isObject(answer) ? [other('agent.message', { agent_id, role: 'assistant', ...answer })] : []),
    ]
  }
  const events = (Array.isArray(steps) ? steps : []).filter(isObject).map(eventsOf)
  return { value: { events: inOrder(events), ...(isCarried && { [REST]: rest ?? {} }) }, loss: account.report }
}

/** The type of a step that AgentLang has no type for is its subtype. */
function typeOf(kind: StepKind, step: JsonObject): string {
  const subtype = kind === 'other' ? filled(valueAt(step, '/metadata/action_subtype')) : undefined
  return subtype === undefined || EVENT_TYPES.has(subtype) ? KINDS[kind][0] : subtype
}

function endOf(start: unknown, took: unknown): unknown {
  const end = (isText(start) ? timeOf(start) : undefined) ?? Number.NaN
  const date = new Date(end + (typeof took === 'number' ? took : 0))
  return took === undefined || Number.isNaN(date.getTime()) ? start : date.toISOString()
}

/** Events by their times. The first events of steps stay in the order of the steps. */
function inOrder(steps: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  let latest = Number.MIN_SAFE_INTEGER
  const timed = steps.flatMap((events) => {
    latest = Math.max(latest, momentOf(events[0]!) ?? latest)
    return events.map((event) => ({ event, time: Math.max(latest, momentOf(event) ?? latest) }))
  })
  return timed.sort((a, b) => a.time - b.time).map(({ event }) => event)
}
