// Who may speak to an agent here. The operator decides.
import type { MessageFault } from 'blazon/agp'
import { AGP_FULL, AGP_REFUSED } from '../../bindings/agp/findings.ts'
import type { Mode, Verdicts } from '../contracts/gateway.ts'
import type { AgentMemory } from './memory.ts'

export class Speakers {
  readonly #memory: AgentMemory
  readonly #kv: SyncKvStorage

  constructor(memory: AgentMemory, kv: SyncKvStorage) {
    this.#memory = memory
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
    const verdict = this.#memory.verdict(agent)
    const isNamed = verdict === undefined ? this.mode === 'anyone' : verdict === 'allowed'
    const isIn = isNamed || (isInvited && verdict === undefined && this.mode === 'invited')
    if (!isIn) return NOT_LET_IN
    return this.#memory.hasRoomFor(agent) ? undefined : { ...NOT_LET_IN, kind: AGP_FULL }
  }

  /** True for an agent that is blocked, or that is missing from a required list: it could not answer. */
  isShutOut(agent: string): boolean {
    const verdict = this.#memory.verdict(agent)
    return verdict === 'blocked' || (verdict === undefined && this.mode === 'list')
  }

  /** Changes the mode and the verdicts; returns false when there is no room for more names. */
  change(mode: Mode | undefined, verdicts: Verdicts): boolean {
    if (!verdicts.every(([agent]) => this.#memory.hasRoomFor(agent))) return false
    if (mode !== undefined) this.#kv.put('speakers', mode)
    for (const [agent, verdict] of verdicts) this.#memory.judge(agent, verdict)
    return true
  }

  state() {
    const [allowed, blocked] = [this.#memory.judged('allowed'), this.#memory.judged('blocked')]
    return { speakers: this.mode, allowed, blocked }
  }
}

export const NOT_LET_IN: MessageFault = {
  kind: AGP_REFUSED,
  pointer: '/from',
  detail: 'the operator of the agent has not allowed it',
}
