// Run records as events of AgentLang.
import { EVENT_TYPES } from '../../agentlang/events/specification.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, isText, type JsonObject, valueAt } from '../../text/members.ts'
import type { LossReport } from '../types.ts'
import { Account } from './account.ts'
import { branchOf, express } from './places.ts'
import { addedTo, filled, KINDS, kindOf, momentOf, REST, type StepKind, TABLES, UNKNOWN } from './step-events.ts'
import type { RunExportOptions } from './to-otlp.ts'

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
