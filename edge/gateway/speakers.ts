// Who may speak to an agent here: the operator says.
import type { MessageFault } from 'blazon/agp'
import type { GatewayStore, Verdict } from './store.ts'

/** Anyone who is proved, or only those whom the operator has named; or these, and who shows a token that an invitation gave. */
export const MODES = ['anyone', 'list', 'invited'] as const
export type Mode = (typeof MODES)[number]

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

  /** `undefined` lets it in. `isInvited`: with a token for this agent, without which nobody speaks to one that is private. */
  refusalOf(agent: string, isInvited: boolean, isPrivate = false): MessageFault | undefined {
    if (isPrivate && !isInvited) return NOT_LET_IN
    const verdict = this.#store.verdict(agent)
    const isNamed = verdict === undefined ? this.mode === 'anyone' : verdict === 'allowed'
    const isIn = isNamed || (isInvited && verdict === undefined && this.mode === 'invited')
    if (!isIn) return NOT_LET_IN
    return this.#store.hasRoomFor(agent) ? undefined : { ...NOT_LET_IN, ...FULL }
  }

  /** True of an agent that is blocked, or is in no list where that counts: it could not answer. */
  isShutOut(agent: string): boolean {
    const verdict = this.#store.verdict(agent)
    return verdict === 'blocked' || (verdict === undefined && this.mode === 'list')
  }

  /** False when there is no room for more names. */
  change(mode: Mode | undefined, verdicts: readonly (readonly [agent: string, verdict: Verdict | null])[]): boolean {
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
  ({ id: 'agp/gateway', code, title, section: 'docs/edge.md', severity: 'error' }) as const
export const REUSED = { kind: finding('AGP-125', 'Message that was sent before') }
export const FULL = { kind: finding('AGP-136', 'No room for more messages') }
export const NOT_LET_IN: MessageFault = {
  kind: finding('AGP-135', 'Agent that may not speak here'),
  pointer: '/from',
  detail: 'the operator of the agent has not let it in',
}
