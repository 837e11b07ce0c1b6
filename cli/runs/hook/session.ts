// The open run of a session. Each event is a process of its own, so the state lies in a file between two of them.
import { parse } from '../../../bindings/document/parse.ts'
import type { Key } from '../../../bindings/keys/key.ts'
import { type Extent, fileSinkAfter, linesAfter, withLock } from '../../../bindings/node/file-sink.ts'
import { Recorder } from '../../../bindings/runs/record/recorder.ts'
import { type RunHead, type RunSink, RunState, randomHex, type SavedState } from '../../../bindings/runs/record/sink.ts'
import { CALL_ID, NOT_SEEN } from '../../../bindings/runs/record/subject.ts'
import type { Line } from '../../../bindings/runs/stream/lines.ts'
import { originOf, signCheckpoint } from '../../../bindings/runs/stream/note.ts'
import type { createVerdict } from '../../../bindings/runs/verdict/create.ts'
import { toHex } from '../../../bindings/text/bytes.ts'
import { isObject, isText, type JsonObject, objectOf } from '../../../bindings/text/members.ts'
import { sha256 } from '../../../bindings/wasm/sha256.ts'
import { writeFile } from '../../file-system.ts'

const fs = process.getBuiltinModule('node:fs')

/** Many events may come at once, and each has to answer before the deadline of the hook. */
const PATIENCE_MS = 7000

interface SessionOptions {
  readonly folder: string
  /** Gets the lines as well, after they are on disk here. */
  readonly server: RunSink | undefined
  /** Gets the reason why the server did not take them. */
  readonly tellUnsent: (reason: string) => void
  readonly signer: Key | undefined
}

/** What an open run is about: a turn of the runner, and whether it had a prompt. */
interface Turn {
  id?: unknown
  hasPrompt?: boolean
}

/** What the next event needs to know. */
interface SavedSession {
  readonly head: RunHead
  readonly run: SavedState
  readonly turn: Turn
  /** The part of the file that the state covers. Events read only what follows, so that a long run stays fast. */
  readonly written: Extent
  /** The part of the file that the server has. */
  readonly sent: Extent
}

const EMPTY: Extent = { lines: 0, bytes: 0 }

class Session {
  readonly #options: SessionOptions
  readonly #path: string
  #kept: SavedSession | undefined
  #state: RunState | undefined
  readonly #written = new Map<string, Extent>()
  #fault: unknown

  private constructor(options: SessionOptions, path: string) {
    this.#options = options
    this.#path = path
    const value = fs.existsSync(path) ? parse(fs.readFileSync(path)).document?.value : undefined
    this.#kept = isObject(value) ? (value as unknown as SavedSession) : undefined
    if (this.#kept !== undefined) this.#state = this.#resumed(this.#kept)
  }

  /** Works on a session while no other process does. A name may be anything: only its digest becomes part of a path. */
  static async within<Made>(options: SessionOptions, name: string, work: (session: Session) => Promise<Made>) {
    const folder = `${options.folder}/sessions`
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = `${folder}/${toHex(sha256(new TextEncoder().encode(name)))}`
    return withLock(
      `${path}.lock`,
      async () => {
        const session = new Session(options, path)
        await session.#finish()
        const made = await work(session)
        await session.#save()
        return made
      },
      PATIENCE_MS,
    )
  }

  get isOpen(): boolean {
    return this.#state !== undefined
  }

  get trace(): JsonObject | undefined {
    return this.#kept?.head.trace
  }

  get turn(): Turn {
    return this.#kept?.turn ?? {}
  }

  /** The index of an open call: by the identifier of the runner or, without one, by its tool and its input. */
  openCall(id: string | undefined, tool: string, input: unknown): number | undefined {
    const calls = [...(this.#state?.open ?? [])]
    if (id !== undefined) return calls.find(([, { metadata }]) => (metadata as JsonObject)[CALL_ID] === id)?.[0]
    const same = calls.filter(([, { action }]) => (action as JsonObject)['name'] === tool)
    // Credentials are not in the record, so of a single call the input may differ.
    if (same.length < 2) return same[0]?.[0]
    const text = JSON.stringify(input)
    return same.find(([, { action }]) => JSON.stringify((action as JsonObject)['input']) === text)?.[0]
  }

  /** Begins a run. An open one stays without an end. */
  async start(head: RunHead, turn: Turn): Promise<Recorder> {
    const trace = { trace_id: randomHex(16), span_id: randomHex(8), ...head.trace }
    this.#state = new RunState(crypto.randomUUID())
    this.#kept = { head: { ...head, trace }, run: this.#state.save(), turn, written: EMPTY, sent: EMPTY }
    const recorder = this.recorder()
    await recorder.open()
    return recorder
  }

  /** The recorder of the open run. */
  recorder(): Recorder {
    const sink = fileSinkAfter(this.#options.folder, this.#written)
    const append: RunSink['append'] = async (...lines) => {
      await sink.append(...lines).catch((error: unknown) => {
        this.#fault = error
        throw error
      })
    }
    const { signer } = this.#options
    return new Recorder(this.#state!, this.#kept!.head, { sink: { ...sink, append }, ...(signer && { signer }) })
  }

  /** A process that died may have written lines that its state does not have. */
  #resumed({ run, written }: SavedSession): RunState {
    const state = new RunState(run.run, run)
    this.#written.set(state.runId, written)
    // A slow disk may have had fewer lines than the state.
    const known = written.lines === state.size ? written : EMPTY
    for (const line of this.#linesAfter(known, state).slice(state.size - known.lines))
      state.take(parse(line).document!.value as Line, line.subarray(0, -1))
    return state
  }

  /** Ends a run whose process died after its last line: a checkpoint must cover it, and the next event is of another run. */
  async #finish(): Promise<void> {
    const state = this.#state
    if (state === undefined || !state.isComplete) return
    const { signer, folder } = this.#options
    const checkpoint = { origin: originOf(state.runId), ...state.head }
    if (signer !== undefined)
      await fileSinkAfter(folder, this.#written).checkpoint(state.runId, await signCheckpoint(checkpoint, signer))
    await this.#save()
    this.#state = undefined
    this.#kept = undefined
  }

  /** The lines of the file after a part of it, each with its line feed. */
  #linesAfter({ bytes }: Extent, { runId }: RunState): readonly Uint8Array[] {
    return linesAfter(`${this.#options.folder}/${runId}.ndjson`, bytes)
  }

  async #save(): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault
    const [state, kept] = [this.#state, this.#kept]
    if (state === undefined || kept === undefined) return
    const sent = await this.#send(state, kept.sent)
    const written = this.#written.get(state.runId) ?? EMPTY
    if (state.isComplete) fs.rmSync(this.#path, { force: true })
    else
      await writeFile(
        this.#path,
        new TextEncoder().encode(JSON.stringify({ ...kept, run: state.save(), written, sent })),
        { mode: 0o600 },
      )
  }

  /** Sends what the server lacks; what it does not take now follows with the next event. */
  async #send(state: RunState, sent: Extent): Promise<Extent> {
    const { server } = this.#options
    if (server === undefined) return sent
    const lines = this.#linesAfter(sent, state)
    const bytes = lines.reduce((sum, line) => sum + line.length, sent.bytes)
    return server.append(state.runId, sent.lines, lines).then(
      () => ({ lines: sent.lines + lines.length, bytes }),
      (error: unknown) => {
        this.#options.tellUnsent(error instanceof Error ? error.message : String(error))
        return sent
      },
    )
  }
}

// The events of Claude Code as steps of a run. Those of other runners come in its words. A turn is a run, and so is a sub-agent.

export const RUNNERS = ['claude', 'codex', 'gemini'] as const
export type Runner = (typeof RUNNERS)[number]

const FRAMEWORKS: Readonly<Record<Runner, string>> = { claude: 'claude-code', codex: 'codex', gemini: 'gemini-cli' }

/** What hooks of each runner do not see. The record says so at its end. */
const UNSEEN: Readonly<Record<Runner, readonly string[]>> = {
  claude: ['reflections of the agent', 'what a shell line does'],
  codex: [
    'reflections of the agent',
    'what a shell line does',
    'exit codes and failures of tools',
    'calls inside Code Mode',
  ],
  gemini: ['reflections of the agent', 'what a shell line does', 'identifiers of calls'],
}

/** An answer about a call, and the verdicts that lead to it. */
export interface CallAnswer {
  readonly decision: createVerdict.Parts['decision']
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
  const [name, session, agent] = ['hook_event_name', 'session_id', 'agent_id'].map((member) => eventText(event, member))
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

const eventText = (event: JsonObject, member: string) => (isText(event[member]) ? (event[member] as string) : undefined)

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
  const framework = FRAMEWORKS[options.runner]
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

/** The rule that denied. The reason stands in the verdict: it quotes the input, and a redaction removes both. */
function denialOf({ verdicts }: CallAnswer): string {
  const rules = verdicts.flatMap(([verdict]) => verdict['policy_violations'])
  const rule = rules.find((one) => isText(one) && one.startsWith('/'))
  return rule === undefined ? 'Denied' : `Denied by ${rule}`
}

async function handle(
  name: string,
  event: JsonObject,
  session: Session,
  recorder: Recorder,
  options: EventOptions,
): Promise<CallAnswer | undefined> {
  const call = eventText(event, 'tool_use_id')
  const tool = eventText(event, 'tool_name') ?? 'unknown'
  const model = eventText(event, 'model')
  const metadata = { ...(call !== undefined && { [CALL_ID]: call }), ...(model !== undefined && { model }) }
  const action = { type: 'tool_call', name: tool, input: event['tool_input'] } as const
  const end = { metadata: { [NOT_SEEN]: UNSEEN[options.runner], ...unrecordedOf(options) } }
  const over = async (observation: Parameters<Recorder['end']>[1]) => {
    const index = session.openCall(call, tool, event['tool_input'])
    if (index === undefined) await recorder.step({ action, observation, metadata })
    else await recorder.end(index, observation)
  }
  switch (name) {
    case 'PreToolUse': {
      const index = await recorder.begin(action, { metadata })
      const answer = options.judge(tool, objectOf(event['tool_input']), eventText(event, 'cwd') ?? '/')
      for (const [verdict, request] of answer?.verdicts ?? [])
        await recorder.verdict(verdict, request, { parent: index! })
      if (answer?.decision === 'deny')
        await recorder.end(index, { type: 'error', error: { message: denialOf(answer) } })
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
      await recorder.cancel(eventText(event, 'reason') ?? name, end.metadata)
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
