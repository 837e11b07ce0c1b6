// Writes what happens in a run twice: as events of AgentLang, and as steps of its record.
import type { JsonObject } from '../../text/members.ts'
import type { ModelCall } from './models.ts'
import { Redactor } from './redactor.ts'

interface RecordedAction {
  readonly type: 'message' | 'model_inference' | 'tool_call' | 'other'
  readonly name?: string
  readonly input?: unknown
}

interface RecordedObservation {
  readonly type: 'tool_result' | 'user_input' | 'environment' | 'error' | 'none'
  readonly output?: unknown
  readonly error?: unknown
}

interface RecordedDetails {
  readonly metadata?: JsonObject
  readonly reflection?: { readonly thought?: string }
}

/** What a recorder has written when its run is over. */
export interface WrittenRecord {
  readonly runId: string
  readonly size: number
  readonly dropped: number
}

/** Writes the record of a run: a `Recorder` of blazon/runs. */
export interface RunRecorder {
  begin(action: RecordedAction, details: RecordedDetails): Promise<number | undefined>
  end(index: number | undefined, observation: RecordedObservation): Promise<void>
  step(
    step: RecordedDetails & { readonly action: RecordedAction; readonly observation?: RecordedObservation },
  ): Promise<number | undefined>
  complete(end: { readonly output: unknown }): Promise<WrittenRecord>
  cancel(reason: string): Promise<WrittenRecord>
  timeOut(reason: string): Promise<WrittenRecord>
  fail(error: unknown): Promise<WrittenRecord>
}

export interface JournalOptions {
  readonly recorder?: RunRecorder
  readonly onEvent?: (event: JsonObject) => void
  readonly clock?: () => Date
  /** Values that must not leave the run, by the names that replace them: 4 characters at least. */
  readonly secrets?: Readonly<Record<string, string>>
}

/** What a call gave: a value, or the reason why it failed. */
type CallEnd = { readonly output: unknown } | { readonly error: string }

/** Metadata of a step from which converting gives the same events. */
const by = (agent_id: string) => ({ 'agentlang.agent_id': agent_id })

export class Journal {
  readonly #recorder: RunRecorder | undefined
  readonly #onEvent: (event: JsonObject) => void
  readonly #clock: () => Date
  readonly #redactor: Redactor
  #calls = 0

  constructor({ recorder, onEvent = () => {}, clock = () => new Date(), secrets = {} }: JournalOptions) {
    this.#recorder = recorder
    this.#onEvent = onEvent
    this.#clock = clock
    this.#redactor = new Redactor(secrets)
  }

  /** An id that no call of this run had before. Those of models may repeat. */
  nextCall(): string {
    return `call_${++this.#calls}`
  }

  /** Replaces secrets in a JSON value. */
  withoutSecrets<Value>(value: Value): Value {
    return this.#redactor.clean(value)
  }

  async message(agent_id: string, role: 'user' | 'assistant', text: string, metadata: JsonObject = {}) {
    const content = this.withoutSecrets(text)
    this.#emit('agent.message', { agent_id, role, content })
    await this.#recorder?.step({
      action: { type: 'message', ...(role === 'assistant' && { input: content }) },
      observation: role === 'user' ? { type: 'user_input', output: content } : { type: 'none' },
      metadata: { ...by(agent_id), 'agentlang.role': role, ...metadata },
    })
  }

  async think(agent_id: string, thought: string, metadata: JsonObject = {}): Promise<void> {
    const content = this.withoutSecrets(thought)
    this.#emit('agent.think', { agent_id, content })
    await this.#recorder?.step({
      action: { type: 'model_inference' },
      reflection: { thought: content },
      metadata: { ...by(agent_id), ...metadata },
    })
  }

  /** Resolves once the intent is safe; the returned function writes what the call gave. */
  async call(agent_id: string, { id: call_id, ...call }: ModelCall): Promise<(end: CallEnd) => Promise<void>> {
    const { tool, input } = this.withoutSecrets(call)
    const start = this.#emit('tool.call', { agent_id, tool, input, call_id })
    const metadata = { ...by(agent_id), 'adp.call_id': call_id }
    const index = await this.#recorder?.begin({ type: 'tool_call', name: tool, input }, { metadata })
    return async (raw) => {
      const end = this.withoutSecrets(raw)
      this.#emit('tool.result', { call_id, ...end, duration_ms: Math.max(0, this.#clock().getTime() - start) })
      await this.#recorder?.end(index, 'error' in end ? { type: 'error', ...end } : { type: 'tool_result', ...end })
    }
  }

  async delegate(from: string, to: string, text: string): Promise<void> {
    const task = this.withoutSecrets(text)
    this.#emit('agent.delegate', { from, to, task })
    const action = { type: 'other', name: to, input: { from, to, task } } as const
    await this.#recorder?.step({ action, metadata: { ...by(from), action_subtype: 'delegate' } })
  }

  async compact(agent_id: string, strategy: string, tokens: { tokens_before: number; tokens_after: number }) {
    this.#emit('context.compact', { agent_id, strategy, ...tokens })
    await this.#recorder?.step({
      action: { type: 'other', input: { strategy } },
      observation: { type: 'environment', output: tokens },
      metadata: { ...by(agent_id), action_subtype: 'context.compact' },
    })
  }

  #emit(type: string, members: JsonObject): number {
    const now = this.#clock()
    this.#onEvent({ type, timestamp: now.toISOString(), ...members })
    return now.getTime()
  }
}
