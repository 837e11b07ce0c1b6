// The state of an agent's gateway, for the operator.
import type { Mode } from '../contracts/gateway.ts'
import type { Absent, DeliveryResult, OutboxStore } from './outbox.ts'
import { attachedTo } from './sockets.ts'
import type { GatewayStore } from './store.ts'
import type { AgentTasks } from './tasks/agent-tasks.ts'

const MOST_LISTED = 100

interface Timed {
  readonly at: string
}

export interface GatewayState {
  readonly sockets: number
  readonly unproved: number
  /** The number of conversations begun here. */
  readonly called: number
  readonly messages: number
  readonly bytes: number
  readonly ids: number
  readonly speakers: Mode
  readonly conversations: readonly { readonly agent: string; readonly since: string; readonly strict: boolean }[]
  readonly outbox: {
    readonly waiting: number
    readonly agents: readonly (Omit<Absent, 'due'> & { readonly next: string })[]
  }
  readonly undelivered: readonly (Omit<DeliveryResult, 'at'> & Timed)[]
  readonly refused: readonly (Omit<DeliveryResult, 'at'> & Timed)[]
  readonly tasks: AgentTasks['state']
}

interface Sources {
  readonly store: GatewayStore
  readonly outbox: OutboxStore
  readonly speakers: Mode
  readonly called: number
  readonly agentTasks: AgentTasks
}

export function stateOf(
  ctx: DurableObjectState,
  { store, outbox, speakers, called, agentTasks }: Sources,
): GatewayState {
  const sockets = ctx.getWebSockets().map(attachedTo)
  const open = sockets.filter(({ link }) => link.phase === 'open')
  const fates = (outcome: 'undelivered' | 'refused') =>
    outbox.fates(outcome, MOST_LISTED).map(({ at, ...rest }) => ({ ...rest, at: time(at) }))
  return {
    sockets: sockets.length,
    unproved: sockets.length - open.length,
    called,
    ...store.size,
    speakers,
    conversations: open.slice(0, MOST_LISTED).map(({ link, since }) => ({
      agent: link.peer!.uri,
      since: time(since),
      strict: link.strict !== undefined,
    })),
    outbox: {
      waiting: outbox.waiting,
      agents: outbox.absent(MOST_LISTED).map(({ due, ...rest }) => ({ ...rest, next: time(due) })),
    },
    undelivered: fates('undelivered'),
    refused: fates('refused'),
    tasks: agentTasks.state,
  }
}

const time = (ms: number) => new Date(ms).toISOString()
