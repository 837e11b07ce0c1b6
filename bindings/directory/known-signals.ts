import type { AgentSignals, SignalSource } from './types.ts'

/** The signals of agents. Those set with `setSignals` override those of the source. */
export class KnownSignals {
  readonly #source: SignalSource
  #told = new Map<string, AgentSignals>()

  constructor(source: SignalSource) {
    this.#source = source
  }

  of(id: string): AgentSignals {
    const said = this.#source.signals(id)
    const told = this.#told.get(id)
    return told === undefined ? (said ?? {}) : { ...said, ...told }
  }

  /** Sets signals. Absent ones stay unchanged. */
  tell(id: string, signals: AgentSignals): void {
    this.#told.set(id, { ...this.#told.get(id), ...signals })
  }

  forget(id: string): void {
    this.#told.delete(id)
  }

  /** The signals that were set, for a snapshot. */
  get told(): ReadonlyMap<string, AgentSignals> {
    return this.#told
  }

  restore(told: Iterable<readonly [string, AgentSignals]>): void {
    this.#told = new Map(told)
  }
}
