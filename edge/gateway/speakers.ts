// Who may speak to an agent here. The operator decides.
import type { MessageFault } from 'blazon/agp'
import type { Mode, Verdicts } from '../contracts/gateway.ts'
import type { GatewayStore } from './store.ts'

export interface SpeakersState {
  readonly speakers: Mode
  readonly allowed: string[]
  readonly blocked: string[]
}

export class Speakers {
  readonly #store: GatewayStore
  readonly #kv: SyncKvStorage

  constructor(store: GatewayStore, kv: SyncKvStorage) {
    this.#store = store
    this.#kv = kv
  }

  get mode(): Mode {
    return this.#kv.get<Mode>('speakers') ?? 'anyone'
  }

  /**
   * Returns undefined to let an agent in. `isInvited`: it has a token for this agent, which a private agent always
   * requires.
   */
  refusalOf(agent: string, isInvited: boolean, isPrivate = false): MessageFault | undefined {
    if (isPrivate && !isInvited) return NOT_LET_IN
    const verdict = this.#store.verdict(agent)
    const isNamed = verdict === undefined ? this.mode === 'anyone' : verdict === 'allowed'
    const isIn = isNamed || (isInvited && verdict === undefined && this.mode === 'invited')
    if (!isIn) return NOT_LET_IN
    return this.#store.hasRoomFor(agent) ? undefined : { ...NOT_LET_IN, ...FULL }
  }

  /** True for an agent that is blocked, or that is missing from a required list: it could not answer. */
  isShutOut(agent: string): boolean {
    const verdict = this.#store.verdict(agent)
    return verdict === 'blocked' || (verdict === undefined && this.mode === 'list')
  }

  /** Changes the mode and the verdicts; returns false when there is no room for more names. */
  change(mode: Mode | undefined, verdicts: Verdicts): boolean {
    if (!verdicts.every(([agent]) => this.#store.hasRoomFor(agent))) return false
    if (mode !== undefined) this.#kv.put('speakers', mode)
    for (const [agent, verdict] of verdicts) this.#store.judge(agent, verdict)
    return true
  }

  state(): SpeakersState {
    const [allowed, blocked] = [this.#store.judged('allowed'), this.#store.judged('blocked')]
    return { speakers: this.mode, allowed, blocked }
  }
}

const finding = (code: string, title: string) =>
  ({ id: 'agp/gateway', code, title, section: 'docs/guide/edge.md', severity: 'error' }) as const
export const REUSED = { kind: finding('AGP-125', 'Message id that was used before') }
export const FULL = { kind: finding('AGP-136', 'No room for more messages') }
export const NOT_LET_IN: MessageFault = {
  kind: finding('AGP-135', 'Agent that may not send messages here'),
  pointer: '/from',
  detail: 'the operator of the agent has not allowed it',
}
