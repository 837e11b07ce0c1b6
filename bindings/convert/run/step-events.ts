// The steps of run records as events of AgentLang: a step is one event; its result, thought and answer are others.
import { timeOf } from '../../schema/times.ts'
import { isText, type JsonObject, valueAt } from '../../text/members.ts'
import names from './events-names.json' with { type: 'json' }
import { type Branch, branchOf, type PlacedRow, placed } from './places.ts'

/** The member with everything that has no place: at the root of the run, in the first event of a step of the step. */
export const REST = 'x-adp'
export const UNKNOWN = 'unknown'

export type StepKind = Exclude<keyof typeof names, '$comment' | 'all'>
export type Part = 'result' | 'thought' | 'answer'

export const PARTS: ReadonlyMap<unknown, Part> = new Map([
  ['tool.result', 'result'],
  ['agent.think', 'thought'],
  ['agent.message', 'answer'],
])

/** The type of the event for a kind of step, and the types of a step that was read from it. */
export const KINDS: Readonly<Record<StepKind, readonly [event: string, action: string, observation: string]>> = {
  call: ['tool.call', 'tool_call', 'tool_result'],
  open: ['tool.call', 'tool_call', 'none'],
  think: ['agent.think', 'model_inference', 'none'],
  user: ['agent.message', 'message', 'user_input'],
  assistant: ['agent.message', 'message', 'none'],
  delegate: ['agent.delegate', 'other', 'none'],
  compact: ['context.compact', 'other', 'none'],
  other: ['other', 'other', 'none'],
}

interface Table {
  readonly rows: readonly PlacedRow[]
  readonly branch: Branch
}

function tableOf(kind: StepKind): Table {
  const rows = placed([...names.all, ...names[kind]], '/steps/*', '/events/*').map((row) => {
    const target = row.moved.target!.replace(/^(\/events\/\*)\/(?:result|thought|answer)\//, '$1/')
    return { ...row, moved: { ...row.moved, target } }
  })
  return { rows, branch: branchOf(rows, '/steps/*') }
}

export const TABLES = Object.fromEntries<Table>(
  Object.keys(KINDS).map((kind) => [kind, tableOf(kind as StepKind)]),
) as Readonly<Record<StepKind, Table>>

export function kindOf(step: JsonObject): StepKind {
  const [action, observed, subtype] = ['/action/type', '/observation/type', '/metadata/action_subtype'].map((pointer) =>
    valueAt(step, pointer),
  )
  if (action === 'tool_call') return observed === 'tool_result' || observed === 'error' ? 'call' : 'open'
  if (action === 'model_inference' || action === 'plan_update') return 'think'
  if (action === 'message') return observed === 'user_input' ? 'user' : 'assistant'
  return subtype === 'delegate' ? 'delegate' : subtype === 'context.compact' ? 'compact' : 'other'
}

/** What an event requires and the step may not have. Reading leaves these out again. */
export function addedTo(kind: StepKind, position: number, agent: string): JsonObject {
  const base = { agent_id: agent }
  if (kind === 'call' || kind === 'open') return { ...base, tool: UNKNOWN, input: {}, call_id: `call_${position}` }
  if (kind === 'user' || kind === 'assistant') return { ...base, role: kind, content: '' }
  if (kind === 'delegate') return { ...base, from: agent, to: UNKNOWN, task: '' }
  if (kind === 'compact') return { ...base, strategy: UNKNOWN, tokens_before: 0, tokens_after: 0 }
  return kind === 'think' ? { ...base, content: '' } : base
}

export const filled = (value: unknown) => (isText(value) && value !== '' ? value : undefined)

export function momentOf({ timestamp }: { readonly [name: string]: unknown }): number | undefined {
  return isText(timestamp) ? timeOf(timestamp) : undefined
}
