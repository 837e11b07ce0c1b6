// The events of Claude Code and Codex, as steps of a run. A turn is a run, and so is a sub-agent.

import type { Recorder } from '../../../bindings/runs/record/recorder.ts'
import type { RunHead } from '../../../bindings/runs/record/sink.ts'
import { CALL_ID } from '../../../bindings/runs/subject.ts'
import { NOT_SEEN } from '../../../bindings/runs/timeline.ts'
import type { VerdictParts } from '../../../bindings/runs/verdict/create.ts'
import { isText, type JsonObject, objectOf } from '../../../bindings/text/members.ts'
import { Session, type SessionOptions } from './session.ts'

export type Runner = 'claude' | 'codex'

/** What hooks of each runner do not see. The record says so at its end. */
const UNSEEN: Readonly<Record<Runner, readonly string[]>> = {
  claude: ['reflections of the agent', 'what a shell line does'],
  codex: [
    'reflections of the agent',
    'what a shell line does',
    'exit codes and failures of tools',
    'calls inside Code Mode',
  ],
}

/** An answer about a call, and the verdicts that lead to it. */
export interface CallAnswer {
  readonly decision: VerdictParts['decision']
  readonly reason: string
  readonly verdicts: readonly (readonly [verdict: JsonObject, request: unknown])[]
}

export interface EventOptions extends SessionOptions {
  readonly runner: Runner
  readonly tenant: string
  /** Decides whether a call may go on; undefined when nobody asked. */
  readonly judge: (tool: string, input: JsonObject, cwd: string) => CallAnswer | undefined
  /** How many earlier events were not recorded. */
  readonly unrecorded: () => number
}

/** Records an event; for a call, returns the answer to the runner. */
export async function recordEvent(event: JsonObject, options: EventOptions): Promise<CallAnswer | undefined> {
  const [name, session, agent] = ['hook_event_name', 'session_id', 'agent_id'].map((member) => textOf(event, member))
  if (name === undefined || session === undefined) throw new TypeError('expected hook_event_name and session_id')
  const isChild = agent !== undefined
  const trace = isChild ? await Session.within(options, session, async (parent) => parent.trace) : undefined
  return Session.within(options, isChild ? `${session}\n${agent}` : session, async (own) => {
    // Nothing is left to say about a session without an open run.
    if (name === 'SessionEnd' && !own.isOpen) return undefined
    const recorder = await recorderOf(event, own, options, trace)
    return handle(name, event, own, recorder, options)
  })
}

const textOf = (event: JsonObject, member: string) => (isText(event[member]) ? (event[member] as string) : undefined)

/** The open run, or a new one: at the next prompt, or when the runner begins another turn. */
async function recorderOf(event: JsonObject, session: Session, options: EventOptions, parent: JsonObject | undefined) {
  const { turn_id: turn, cwd, session_id, agent_type, prompt } = event
  const isPrompt = event['hook_event_name'] === 'UserPromptSubmit'
  const { id, hasPrompt = false } = session.turn
  const isNew = !session.isOpen || (turn !== undefined && id !== undefined ? turn !== id : isPrompt && hasPrompt)
  if (!isNew) {
    session.turn.hasPrompt = hasPrompt || isPrompt
    session.turn.id ??= turn
    return session.recorder()
  }
  const framework = options.runner === 'codex' ? 'codex' : 'claude-code'
  const head: RunHead = {
    tenant_id: options.tenant,
    agent: {
      agent_id: isText(agent_type) && agent_type !== '' ? agent_type : framework,
      framework,
      framework_run_id: session_id,
    },
    context: { session_id, cwd, ...(isText(prompt) && { task_description: prompt }) },
    ...(parent !== undefined && { trace: { trace_id: parent['trace_id'], parent_span_id: parent['span_id'] } }),
  }
  return session.start(head, { id: turn, hasPrompt: isPrompt })
}

/** The members of an event that describe the session, and a file that is never opened. */
const COMMON = [
  'session_id',
  'transcript_path',
  'agent_transcript_path',
  'cwd',
  'hook_event_name',
  'permission_mode',
  'turn_id',
  'model',
]

async function handle(
  name: string,
  event: JsonObject,
  session: Session,
  recorder: Recorder,
  options: EventOptions,
): Promise<CallAnswer | undefined> {
  const call = textOf(event, 'tool_use_id')
  const tool = textOf(event, 'tool_name') ?? 'unknown'
  const model = textOf(event, 'model')
  const metadata = { ...(call !== undefined && { [CALL_ID]: call }), ...(model !== undefined && { model }) }
  const action = { type: 'tool_call', name: tool, input: event['tool_input'] } as const
  const end = { metadata: { [NOT_SEEN]: UNSEEN[options.runner], ...unrecordedOf(options) } }
  const over = async (observation: Parameters<Recorder['end']>[1]) => {
    const index = call === undefined ? undefined : session.openCall(call)
    if (index === undefined) await recorder.step({ action, observation, metadata })
    else await recorder.end(index, observation)
  }
  switch (name) {
    case 'PreToolUse': {
      const index = await recorder.begin(action, { metadata })
      const answer = options.judge(tool, objectOf(event['tool_input']), textOf(event, 'cwd') ?? '/')
      for (const [verdict, request] of answer?.verdicts ?? [])
        await recorder.verdict(verdict, request, { parent: index! })
      if (answer?.decision === 'deny')
        await recorder.end(index, { type: 'error', error: { message: `Denied: ${answer.reason}` } })
      return answer
    }
    case 'PostToolUse':
      await over({ type: 'tool_result', output: event['tool_response'] })
      break
    case 'PostToolUseFailure':
      await over({ type: 'error', error: { message: event['error'], is_interrupt: event['is_interrupt'] } })
      break
    case 'PermissionDenied':
      await over({ type: 'error', error: { message: 'Permission denied', reason: event['reason'] } })
      break
    case 'UserPromptSubmit':
      await recorder.step({
        action: { type: 'message', name },
        observation: { type: 'user_input', output: event['prompt'] },
      })
      break
    case 'Stop':
    case 'SubagentStop':
      await recorder.complete({ ...end, output: event['last_assistant_message'] })
      break
    case 'StopFailure':
      await recorder.fail({ message: event['error'] }, end.metadata)
      break
    case 'Interrupt':
    case 'SessionEnd':
      await recorder.cancel(textOf(event, 'reason') ?? name, end.metadata)
      break
    default: {
      const input = Object.fromEntries(Object.entries(event).filter(([member]) => !COMMON.includes(member)))
      await recorder.step({ action: { type: 'other', name, input }, metadata: { ...metadata, action_subtype: name } })
    }
  }
  return undefined
}

const unrecordedOf = ({ unrecorded }: EventOptions) => {
  const count = unrecorded()
  return count > 0 ? { 'adp.unrecorded': count } : {}
}
