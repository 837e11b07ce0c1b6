// Runs agents of AgentLang: the loop of models and tools, within the limits that the agent declares.

import { member, objectOf } from '../../text/members.ts'
import { IMPLICIT_TOOLS, toolNames } from '../tool-names.ts'
import { dollars, limitsOf, openBudget } from './budget.ts'
import { routeAction, type UserAction } from './components.ts'
import { Execution } from './execution.ts'
import type { RunRecorder, WrittenRecord } from './journal.ts'
import { crewOf, type RunOptions, type RunStatus, RunStop, Session } from './session.ts'

export interface RunResult {
  readonly status: RunStatus
  /** The answer of the agent, or the result of a sync action. */
  readonly output: unknown
  /** Why the run did not complete. */
  readonly reason?: string
  /** In dollars, at the declared prices. */
  readonly spent: string
  readonly record?: WrittenRecord
}

/**
 * Runs an agent on a prompt. Never throws because of an agent, a model or a tool: the result has the reason.
 *
 * @example
 * const { agent } = load(files)
 * const model = scriptModel({ turns: [{ text: 'Done.' }] })
 * const { status, output } = await runAgent({ agent, host, model, prompt: 'Research X' })
 */
export function runAgent({ prompt, ...options }: RunOptions & { readonly prompt: string }): Promise<RunResult> {
  if (typeof prompt !== 'string') throw new TypeError(`prompt: expected a string, got ${typeof prompt}`)
  return running(options, (execution) => execution.work(prompt))
}

/** Does what an action of the user asks for: calls the tool of a sync action, and asks the model for others. */
export function runAction(options: RunOptions, action: UserAction): Promise<RunResult> {
  return running(options, async (execution, session, signal) => {
    const tools = await execution.tools(signal)
    const route = routeAction(options.agent.root.value, action, [...tools.keys()])
    if (route.path === 'fault') throw new RunStop('refused', route.reason)
    if (route.path === 'agent') return execution.work(`${route.message} ${JSON.stringify(route.context)}`)
    const call = { id: session.journal.nextCall(), tool: route.tool, input: objectOf(route.params) }
    const result = await execution.call(call, tools.get(route.tool), signal)
    if ('error' in result) throw new RunStop('failed', result.error)
    return result.output
  })
}

/** The tools that an agent or a sub-agent declares and that nobody provides, by the path of the agent. */
export async function unboundTools({
  agent,
  tools,
}: Pick<RunOptions, 'agent' | 'tools'>): Promise<ReadonlyMap<string, readonly string[]>> {
  const unbound = new Map<string, readonly string[]>()
  for (const { path, value } of crewOf(agent)) {
    const bound = new Set([
      ...IMPLICIT_TOOLS,
      ...((await tools?.(path)) ?? []).map(({ definition }) => definition.name),
    ])
    const missing = toolNames(value).own.filter((name) => !bound.has(name))
    if (missing.length > 0) unbound.set(path, missing)
  }
  return unbound
}

async function running(
  options: RunOptions,
  work: (execution: Execution, session: Session, signal: AbortSignal) => Promise<unknown>,
): Promise<RunResult> {
  const session = new Session(options)
  const [root] = session.crew
  const constraints = objectOf(member(root!.value, 'constraints'))
  const budget = openBudget(constraints)
  const signal = options.signal ?? new AbortController().signal
  let [status, output, reason]: [RunStatus, unknown, string | undefined] = ['completed', undefined, undefined]
  try {
    if ('detail' in budget) throw new RunStop('refused', budget.detail)
    if (session.refusals.length > 0) throw new RunStop('refused', session.refusals.join('; '))
    const inherited = { signal, budget, limits: limitsOf(constraints), chain: [], allowedUrls: [], allowedPaths: [] }
    output = session.journal.withoutSecrets(await work(new Execution(session, root!, inherited), session, signal))
  } catch (error) {
    reason = session.journal.withoutSecrets(error instanceof Error ? error.message : String(error))
    status = error instanceof RunStop ? error.status : 'failed'
  }
  const record = await close(options.recorder, { status, output, reason: reason ?? '' })
  const spent = 'detail' in budget ? '0.00' : dollars(budget.spent)
  return { status, output, ...(reason !== undefined && { reason }), spent, ...(record && { record }) }
}

type RunEnding = Pick<RunResult, 'status' | 'output'> & { readonly reason: string }

function close(recorder: RunRecorder | undefined, { status, output, reason }: RunEnding) {
  if (status === 'completed') return recorder?.complete({ output })
  if (status === 'cancelled') return recorder?.cancel(reason)
  return status === 'timeout' ? recorder?.timeOut(reason) : recorder?.fail({ message: reason })
}
