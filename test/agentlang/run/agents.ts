// Agents, models and tools for tests of runs.
import { type Host, readHost } from '../../../bindings/agentlang/ask/host.ts'
import type { Agent } from '../../../bindings/agentlang/folder.ts'
import { type ModelAdapter, type RunTool, scriptModel } from '../../../bindings/agentlang/run/models.ts'
import { type RunResult, runAgent } from '../../../bindings/agentlang/run/run.ts'
import type { RunOptions } from '../../../bindings/agentlang/run/session.ts'
import { load } from '../../../bindings/agentlang/verbs.ts'
import { assemble, type memorySink } from '../../../bindings/runs/index.ts'
import type { JsonObject } from '../../../bindings/text/members.ts'
import { filesOf } from '../files.ts'

const ALL = ['user_triggered', 'on_demand', 'continuous', 'scheduled']

export function hostWith(capabilities: object = {}): Host {
  const all = Object.fromEntries(['network', 'storage', 'filesystem', 'shell', 'oauth'].map((name) => [name, ALL]))
  return readHost({ name: 'test', capabilities: { ...all, ...capabilities } }).host!
}

export function agentOf(files: Readonly<Record<string, string>> | string): Agent {
  const { agent, diagnostics } = load(filesOf(typeof files === 'string' ? { 'agent.yaml': files } : files))
  if (agent === undefined) throw new Error(JSON.stringify(diagnostics))
  return agent
}

/** A tool without a schema that returns what `call` gives. */
export const toolOf = (
  name: string,
  call: (input: JsonObject, signal: AbortSignal) => unknown,
  more = {},
): RunTool => ({
  definition: { name, input_schema: { type: 'object' }, ...more },
  call: async (input, { signal }) => ({ kind: 'ok', value: await call(input, signal) }),
})

/** A model that keeps what it was asked. */
export function asking(turns: readonly JsonObject[]) {
  const inner = scriptModel({ turns })
  const asked: { messages: readonly JsonObject[]; tools: readonly string[]; agent: string; model: unknown }[] = []
  const model: ModelAdapter = {
    turn(messages, tools, options) {
      const { agent_id: agent, model } = options
      asked.push({ messages: structuredClone(messages) as never, tools: tools.map(({ name }) => name), agent, model })
      return inner.turn(messages, tools, options)
    },
  }
  return { model, asked }
}

export interface Ran extends RunResult {
  readonly events: readonly JsonObject[]
  readonly asked: ReturnType<typeof asking>['asked']
}

/** Runs an agent by a script. */
export async function ran(
  files: Readonly<Record<string, string>> | string,
  turns: readonly JsonObject[],
  options: Partial<RunOptions> = {},
): Promise<Ran> {
  const events: JsonObject[] = []
  const { model, asked } = asking(turns)
  const given = { agent: agentOf(files), host: hostWith(), model, prompt: 'Go', ...options }
  const result = await runAgent({ onEvent: (event) => events.push(event), ...given })
  return { ...result, events, asked }
}

export const eventsOf = (events: readonly JsonObject[], type: string) =>
  events.filter((event) => event['type'] === type)

/** The record of a run. */
export function recordOf(sink: memorySink.Result, runId: string): JsonObject {
  const lines = new TextDecoder().decode(sink.read(runId).stream).trimEnd().split('\n')
  const bytes = assemble(lines.map((line) => new TextEncoder().encode(line)))
  return JSON.parse(new TextDecoder().decode(bytes))
}
