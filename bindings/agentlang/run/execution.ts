// One agent at work: asks its model, makes the calls, and stops where a limit says so.

import { deadline } from '../../net/deadline.ts'
import type { PermissionRequest } from '../../policy/request.ts'
import { isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { compile } from '../prompt/specification.ts'
import { isHiddenName, toolNames } from '../tool-names.ts'
import { type Budget, inheritsModel, limitsOf, withoutPrices } from './budget.ts'
import { renderTools } from './components.ts'
import { planContext } from './context.ts'
import type { ToolOutcome } from './contract.ts'
import { type CrewTask, delegateTool, planOrchestration } from './crew.ts'
import type { ModelAdapter, ModelCall, ModelTurn, RunMessage, RunTool, ToolDefinition } from './models.ts'
import {
  allowedBySkills,
  artifactsTool,
  type CrewMember,
  messageText,
  modelOf,
  type NamedModel,
  RunStop,
  type Session,
  specialistsOf,
  turnOf,
} from './session.ts'
import { callTool, describeOutcome, failed } from './tools.ts'

/** What an agent has from those that it works for. */
interface ParentContext {
  readonly signal: AbortSignal
  readonly budget: Budget
  readonly limits: limitsOf.Limits
  readonly model?: NamedModel
  readonly depthLeft?: number
  readonly chain: readonly string[]
  readonly allowedUrls: readonly (readonly string[])[]
  readonly allowedPaths: readonly (readonly string[])[]
}

export class Execution {
  readonly #session: Session
  readonly #member: CrewMember
  readonly #own: Required<ParentContext>
  readonly #context: RunMessage[] = []
  /** The tasks of a fixed list that this agent hands out itself. */
  #tasks: ReadonlyMap<string, CrewTask> = new Map()
  readonly #done = new Set<string>()
  #checkpoints = 0

  constructor(session: Session, crewMember: CrewMember, inherited: ParentContext) {
    const { value, path } = crewMember
    const constraints = objectOf(member(value, 'constraints'))
    const { allowed_urls, allowed_paths } = objectOf(member(constraints, 'sandbox'))
    const depth = planOrchestration(value).maxDepth
    this.#session = session
    this.#member = crewMember
    this.#own = {
      ...inherited,
      limits: limitsOf(constraints, inherited.limits),
      model: modelOf(crewMember, inherited.model),
      depthLeft: Math.min(inherited.depthLeft ?? depth, depth),
      chain: [...inherited.chain, path],
      // An absent list restricts nothing; an empty one denies everything.
      allowedUrls: [...inherited.allowedUrls, ...listIn(allowed_urls)],
      allowedPaths: [...inherited.allowedPaths, ...listIn(allowed_paths)],
    }
  }

  /** Works on a task until the agent has finished; returns its answer. */
  async work(task: string): Promise<string> {
    const { timeout } = this.#own.limits
    const late = deadline((timeout ?? Number.POSITIVE_INFINITY) * 1000, this.#own.signal)
    try {
      return await this.#workUntil(task, late.signal)
    } catch (error) {
      if (late.isOver()) throw new RunStop('timeout', `${this.#member.id}: no answer within ${timeout} s`)
      if (this.#own.signal.aborted) throw new RunStop('cancelled', 'the run was cancelled')
      throw error
    } finally {
      late.end()
    }
  }

  async #workUntil(task: string, signal: AbortSignal): Promise<string> {
    const { id, value } = this.#member
    const plan = planOrchestration(value, specialistsOf(this.#session.crew.slice(1)))
    if (plan.faults.length > 0) throw new RunStop('failed', plan.faults[0]!.detail)
    const tasks = plan.process === 'hierarchical' ? plan.waves.flat() : []
    const parts = instructionsFor(this.#member, tasks, this.#session)
    for (const one of parts.map((part) => this.#message(part))) this.#context.push(one)
    for (const one of this.#session.history.map((message) => this.#heard(message))) this.#context.push(one)
    this.#say({ role: 'user', content: task })
    await this.#session.journal.message(id, 'user', task)
    if (plan.mode === 'static' && plan.process !== 'hierarchical') return this.#workInWaves(plan.waves, signal)
    this.#tasks = new Map(plan.waves.flat().map((one) => [one.name, one]))
    const { max_turns = Number.POSITIVE_INFINITY } = this.#own.limits
    let isWarned = false
    for (let turn = 1; turn <= max_turns; turn++) {
      const { warning } = this.#own.budget
      if (warning !== undefined && !isWarned) this.#context.push(this.#message({ role: 'user', content: warning }))
      isWarned ||= warning !== undefined
      await this.#compact(signal)
      const tools = await this.tools(signal)
      const { text = '', calls: drafts = [] } = await this.#ask(this.#context, [...tools.values()], signal)
      const calls = drafts.map((draft) => ({ id: this.#session.journal.nextCall(), ...draft }))
      const called = calls.length > 0 && { calls, call_ids: calls.map(({ id }) => id) }
      this.#say({ role: 'assistant', content: text, ...called })
      if (!called) return text
      const results = await Promise.all(calls.map((call) => this.call(call, tools.get(call.tool), signal)))
      signal.throwIfAborted()
      for (const [i, { id }] of calls.entries())
        this.#say({ role: 'tool', content: JSON.stringify(results[i]), call_ids: [id] })
    }
    throw new RunStop('stopped', `${id}: the limit of ${max_turns} turns is reached`)
  }

  /** The agents of a fixed list work in their order; the answers of the last ones are the answer of this one. */
  async #workInWaves(waves: readonly (readonly CrewTask[])[], signal: AbortSignal): Promise<string> {
    const answers = new Map<string, string>()
    for (const wave of waves) {
      const work = wave.map(async ({ name, path, task }) => {
        const other = this.#session.crew.find((one) => one.path === path)
        if (other === undefined) throw new RunStop('failed', `${quoted(path)} cannot be read`)
        answers.set(name, await this.#delegate(other, task, { signal, share: wave.length }))
      })
      // All end before the first failure is reported, so that nothing goes on in the background.
      const failure = (await Promise.allSettled(work)).find((one) => one.status === 'rejected')
      if (failure !== undefined) throw failure.reason
    }
    const needed = new Set(waves.flat().flatMap(({ dependsOn }) => dependsOn))
    const last = waves.flat().filter(({ name }) => !needed.has(name))
    return last.map(({ name }) => answers.get(name)!).join('\n\n')
  }

  #message(part: Omit<RunMessage, 'agent_id'>): RunMessage {
    return { agent_id: this.#member.id, ...part }
  }

  /** What another agent said, in a form that models accept: calls and results of others are left out. */
  #heard({ agent_id, content }: RunMessage): RunMessage {
    return { agent_id, role: 'user', content: `${agent_id}: ${content}` }
  }

  #say(part: Omit<RunMessage, 'agent_id'>): void {
    const message = this.#message(part)
    this.#context.push(message)
    if (part.role !== 'tool' && part.content !== '') this.#session.history.push(message)
  }

  /** The tools of this agent now: the host may change them. */
  async tools(signal: AbortSignal): Promise<ReadonlyMap<string, RunTool>> {
    const { path, value } = this.#member
    const declared = new Set(toolNames(value).own)
    const host = (await this.#session.options.tools?.(path)) ?? []
    const allowed = allowedBySkills(this.#member)
    const tools = [
      ...(declared.has('artifacts') ? [artifactsTool(this.#session.artifacts, this.#session.journal)] : []),
      ...this.#delegateTools(signal),
      ...renderTools(value).map(renderTool),
      ...host,
    ].filter(({ definition, needs = [] }) => {
      if (isHiddenName(definition.name)) return false
      return (allowed?.has(definition.name) ?? true) && needs.every((one) => this.#session.isGranted(one))
    })
    // The first one of a name counts, so that no server can replace what is built in.
    return new Map(tools.reverse().map((tool) => [tool.definition.name, tool]))
  }

  #delegateTools(signal: AbortSignal): readonly RunTool[] {
    const { agent } = this.#member
    if (agent.dynamicDelegate === undefined && this.#tasks.size === 0) return []
    const others = this.#session.crew.filter(
      ({ path, id }) => !this.#own.chain.includes(path) && (this.#tasks.size === 0 || this.#tasks.has(id)),
    )
    if (others.length === 0 || this.#own.depthLeft < 1) return []
    const tool = delegateTool(specialistsOf(others))
    const schema = objectOf(tool['input_schema'])
    const budget_usd = { type: 'number', exclusiveMinimum: 0, description: 'The part of your budget that it may spend' }
    const properties = { ...objectOf(schema['properties']), budget_usd }
    const definition = { ...tool, name: 'delegate', input_schema: { ...schema, properties } }
    return [
      {
        definition,
        call: async ({ agent: name, task, budget_usd: usd }) => {
          const other = others.find(({ id }) => id === name)!
          const missing = this.#tasks.get(other.id)?.dependsOn.find((one) => !this.#done.has(one))
          if (missing !== undefined) return failed(`${quoted(missing)} has to finish first`)
          const value = await this.#delegate(other, String(task), { signal, ...(typeof usd === 'number' && { usd }) })
          this.#done.add(other.id)
          return { kind: 'ok', value }
        },
      },
    ]
  }

  async #delegate(
    other: CrewMember,
    task: string,
    { signal, usd, share = 1 }: { readonly signal: AbortSignal; readonly usd?: number; readonly share?: number },
  ): Promise<string> {
    const { id } = this.#member
    const { depthLeft, chain } = this.#own
    if (chain.includes(other.path)) throw new RunStop('stopped', `${other.id} works for itself already`)
    if (depthLeft < 1) throw new RunStop('stopped', `${id}: the limit of the delegation depth is reached`)
    const budget = this.#allot(other, usd, share)
    await this.#session.journal.delegate(id, other.id, task)
    const child = new Execution(this.#session, other, { ...this.#own, signal, budget, depthLeft: depthLeft - 1 })
    try {
      return await child.work(task)
    } finally {
      budget.close()
    }
  }

  /** A part of this budget: what the agent gives, and no more than the child's own cap. */
  #allot({ id, value }: CrewMember, usd: number | undefined, share: number): Budget {
    const constraints = objectOf(member(value, 'constraints'))
    const { remaining } = this.#own.budget
    const most = remaining === undefined ? undefined : Number(remaining) / 1e9 / share
    const part = most === undefined ? undefined : Math.min(usd ?? most, 1e6)
    const own = inheritsModel(value) ? withoutPrices(constraints) : constraints
    const child = part === undefined || part > 0 ? this.#own.budget.child(part, own) : undefined
    if (child === undefined) throw new RunStop('stopped', `the budget does not allow work of ${id}`)
    return child
  }

  async #ask(messages: readonly RunMessage[], tools: readonly RunTool[], signal: AbortSignal): Promise<ModelTurn> {
    const turn = await this.#turn(
      messages,
      tools.map(({ definition }) => definition),
      signal,
    )
    const { text = '', thought } = turn
    const { id } = this.#member
    const metadata = {
      ...(this.#own.model.model !== undefined && { model: this.#own.model.model }),
      ...(turn.usage && { prompt_tokens: turn.usage.input, completion_tokens: turn.usage.output }),
    }
    // The tokens count once.
    if (thought) await this.#session.journal.think(id, thought, metadata)
    if (text !== '' || !thought) await this.#session.journal.message(id, 'assistant', text, thought ? {} : metadata)
    return turn
  }

  /** Makes a call, and writes it to the journal. Returns what the model reads. */
  async call(call: ModelCall, tool: RunTool | undefined, signal: AbortSignal) {
    const { journal } = this.#session
    const end = await journal.call(this.#member.id, call)
    const result = journal.withoutSecrets(describeOutcome(await this.#outcomeOf(call, tool, signal)))
    await end(result)
    return result
  }

  async #outcomeOf(call: ModelCall, tool: RunTool | undefined, signal: AbortSignal): Promise<ToolOutcome> {
    if (tool === undefined) return failed(`${this.#member.id} has no tool ${quoted(call.tool)}`)
    const refusal = await this.#session.refusalOf(call, tool, this.#member.id)
    if (refusal !== undefined) return failed(`refused: ${refusal}`)
    const { limits, allowedUrls, allowedPaths } = this.#own
    // The time of a delegation is that of the sub-agent.
    const { max_exec_time: _, ...untimed } = limits
    const { permit } = this.#session.options
    const { id: agent_id } = this.#member
    const asking = permit && { permit: (request: PermissionRequest) => permit(request, agent_id) }
    const context = { agent_id, signal, allowedUrls, allowedPaths, ...asking }
    return callTool(tool, call.input, { ...context, limits: call.tool === 'delegate' ? untimed : limits })
  }

  async #compact(signal: AbortSignal): Promise<void> {
    const { artifacts, journal } = this.#session
    const name = `checkpoints/${this.#member.id}-${this.#checkpoints + 1}.json`
    const { context, tokens } = await shortenContext(this.#context, {
      member: this.#member,
      adapter: this.#session.options.model,
      ask: (messages) => this.#turn(messages, [], signal),
      checkpoint: async (text) => {
        this.#checkpoints++
        const fault = await artifacts.save(name, journal.withoutSecrets(text))
        return fault === undefined ? { name } : { fault }
      },
    })
    if (tokens === undefined) return
    this.#context.splice(0, this.#context.length, ...context)
    await journal.compact(this.#member.id, tokens.strategy, tokens)
  }

  async #turn(messages: readonly RunMessage[], tools: readonly ToolDefinition[], signal: AbortSignal) {
    const session = this.#session
    const shown = session.journal.withoutSecrets({ messages, tools })
    try {
      if (session.end !== undefined) throw session.end
      return await turnOf(session.options.model, { id: this.#member.id, ...this.#own }, { ...shown, signal })
    } catch (error) {
      if (error instanceof RunStop && error.endsRun) session.end ??= error
      throw error
    }
  }
}

const listIn = (value: unknown): readonly (readonly string[])[] => (Array.isArray(value) ? [value.filter(isText)] : [])

/** The host's renderer shows the component when it reads the event of the call. */
const renderTool = (tool: JsonObject): RunTool => ({
  definition: tool as JsonObject & ToolDefinition,
  call: async () => ({ kind: 'ok', value: { rendered: true } }),
})

// Shortens the conversation of an agent as its definition plans it.

const SUMMARIZE = 'Summarize this conversation for the agent that continues it. Keep facts, decisions and open tasks.'

const encoder = new TextEncoder()

interface Means {
  readonly member: CrewMember
  readonly adapter: ModelAdapter
  ask(messages: readonly RunMessage[]): Promise<ModelTurn>
  /** Saves what is left out; gives the name of the artifact. */
  checkpoint(text: string): Promise<{ readonly name: string } | { readonly fault: string }>
}

interface ShortenedContext {
  readonly context: readonly RunMessage[]
  /** Undefined when nothing had to be shortened. */
  readonly tokens:
    | { readonly strategy: string; readonly tokens_before: number; readonly tokens_after: number }
    | undefined
}

/** The conversation that the model reads from now on. */
async function shortenContext(context: readonly RunMessage[], means: Means): Promise<ShortenedContext> {
  const { adapter } = means
  const { id, value } = means.member
  const count = (message: RunMessage) => {
    const text = messageText(message)
    return adapter.tokens?.(text) ?? Math.ceil(encoder.encode(text).length / 4)
  }
  const plan = planContext(context, count, objectOf(member(value, 'context')))
  if (!plan.fits) throw new RunStop('stopped', `${id}: ${plan.reason}`)
  if (plan.event === undefined) return { context, tokens: undefined }
  const dropped = plan.drop.map((i) => context[i]!)
  const kept = plan.keep.map((i) => context[i]!)
  const content =
    plan.action === 'checkpoint'
      ? await saveCheckpoint(context, means)
      : plan.action === 'summarize'
        ? await summarize(dropped, means)
        : undefined
  const added = content === undefined ? [] : [{ agent_id: id, role: 'user', content } as const]
  const at = kept.findIndex(({ role }) => role !== 'system')
  kept.splice(at < 0 ? kept.length : at, 0, ...added)
  const { strategy, tokens_before, tokens_after } = plan.event
  const after = added.reduce((sum, one) => sum + count(one), tokens_after)
  return { context: kept, tokens: { strategy, tokens_before, tokens_after: after } }
}

async function saveCheckpoint(context: readonly RunMessage[], { checkpoint, member: { id } }: Means): Promise<string> {
  const conversation = context.filter(({ role }) => role !== 'system')
  const made = await checkpoint(JSON.stringify(conversation, null, 2))
  if ('name' in made) return `The conversation before is in the artifact ${made.name}.`
  throw new RunStop('stopped', `${id}: the checkpoint cannot be saved: ${made.fault}`)
}

async function summarize(dropped: readonly RunMessage[], { ask, member: { id } }: Means): Promise<string> {
  const conversation = dropped.map(({ role, ...rest }) => `${role}: ${messageText(rest)}`).join('\n')
  const { text = '' } = await ask([
    { agent_id: id, role: 'system', content: SUMMARIZE },
    { agent_id: id, role: 'user', content: conversation },
  ])
  return `Summary of the conversation before: ${text}`
}

/** The prompt and the skills of an agent. They are written nowhere: prompts may be encrypted. */
function instructionsFor(
  { prompt, value, skills }: CrewMember,
  tasks: readonly CrewTask[],
  session: Session,
): readonly Pick<RunMessage, 'role' | 'content'>[] {
  const { target = 'markdown', variables: given = {}, clock = () => new Date() } = session.options
  const injected = member(objectOf(member(value, 'context')), 'inject')
  const isInjected = (name: string) =>
    Array.isArray(injected) && injected.includes(name) && (name !== 'location' || session.isGranted('location'))
  const known = Object.entries({ time: clock().toISOString(), ...given })
  const variables = Object.fromEntries(known.filter(([name]) => isInjected(name)))
  const compiled = prompt && compile(prompt, { target, variables })
  const description = member(value, 'description')
  const text = compiled?.text ?? (isText(description) ? description : '')
  const more = [
    ...skills.map(({ name, body }) => `## ${name}\n${body.trim()}`),
    ...tasks.map(
      ({ name, task, dependsOn }) => `Delegate to ${name}, after ${dependsOn.join(', ') || 'nothing'}: ${task}`,
    ),
  ]
  const role = compiled?.role === 'user' ? 'user' : 'system'
  const parts = [{ role, content: text } as const, { role: 'system', content: more.join('\n\n') } as const]
  return parts.filter(({ content }) => content !== '')
}
