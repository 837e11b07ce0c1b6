// Shortens the conversation of an agent as its definition plans it.
import { planContext } from '../../agentlang/functions/context/plan.ts'
import { member, objectOf } from '../../text/members.ts'
import type { CrewMember } from './crew.ts'
import type { ModelAdapter, ModelTurn, RunMessage } from './model.ts'
import { RunStop } from './session.ts'
import { textOf } from './turn.ts'

const SUMMARIZE = 'Summarize this conversation for the agent that continues it. Keep facts, decisions and open tasks.'

const encoder = new TextEncoder()

interface Means {
  readonly member: CrewMember
  readonly adapter: ModelAdapter
  ask(messages: readonly RunMessage[]): Promise<ModelTurn>
  /** Saves what is left out; gives the name of the artifact. */
  checkpoint(text: string): Promise<{ readonly name: string } | { readonly fault: string }>
}

interface Compacted {
  readonly context: readonly RunMessage[]
  /** Undefined when nothing had to be shortened. */
  readonly tokens:
    | { readonly strategy: string; readonly tokens_before: number; readonly tokens_after: number }
    | undefined
}

/** The conversation that the model reads from now on. */
export async function compacted(context: readonly RunMessage[], means: Means): Promise<Compacted> {
  const { adapter } = means
  const { id, value } = means.member
  const count = (message: RunMessage) => {
    const text = textOf(message)
    return adapter.tokens?.(text) ?? Math.ceil(encoder.encode(text).length / 4)
  }
  const plan = planContext(context, count, objectOf(member(value, 'context')))
  if (!plan.fits) throw new RunStop('stopped', `${id}: ${plan.reason}`)
  if (plan.event === undefined) return { context, tokens: undefined }
  const dropped = plan.drop.map((i) => context[i]!)
  const kept = plan.keep.map((i) => context[i]!)
  const content =
    plan.action === 'checkpoint'
      ? await saved(context, means)
      : plan.action === 'summarize'
        ? await summarized(dropped, means)
        : undefined
  const added = content === undefined ? [] : [{ agent_id: id, role: 'user', content } as const]
  const at = kept.findIndex(({ role }) => role !== 'system')
  kept.splice(at < 0 ? kept.length : at, 0, ...added)
  const { strategy, tokens_before, tokens_after } = plan.event
  const after = added.reduce((sum, one) => sum + count(one), tokens_after)
  return { context: kept, tokens: { strategy, tokens_before, tokens_after: after } }
}

async function saved(context: readonly RunMessage[], { checkpoint, member: { id } }: Means): Promise<string> {
  const conversation = context.filter(({ role }) => role !== 'system')
  const made = await checkpoint(JSON.stringify(conversation, null, 2))
  if ('name' in made) return `The conversation before is in the artifact ${made.name}.`
  throw new RunStop('stopped', `${id}: the checkpoint cannot be saved: ${made.fault}`)
}

async function summarized(dropped: readonly RunMessage[], { ask, member: { id } }: Means): Promise<string> {
  const conversation = dropped.map(({ role, ...rest }) => `${role}: ${textOf(rest)}`).join('\n')
  const { text = '' } = await ask([
    { agent_id: id, role: 'system', content: SUMMARIZE },
    { agent_id: id, role: 'user', content: conversation },
  ])
  return `Summary of the conversation before: ${text}`
}
