/** Work that an object does later. */
export interface Chore {
  /** The time when it is due, in milliseconds since 1970; undefined when there is nothing to do. */
  readonly due: () => number | undefined
  /** Does the work that is due. Failed work is retried: `due` then gives the time of the retry. */
  readonly run: (now: number) => Promise<void>
}

/** The chores of one object. They share its single alarm. */
export class Chores {
  readonly #storage: DurableObjectStorage
  readonly #chores: readonly Chore[]

  constructor(storage: DurableObjectStorage, chores: readonly Chore[]) {
    this.#storage = storage
    this.#chores = chores
  }

  /** Sets the alarm for the first chore that is due. Call it whenever a chore gets new work. */
  async plan(): Promise<void> {
    const times = this.#chores.map(({ due }) => due()).filter((time) => time !== undefined)
    if (times.length === 0) await this.#storage.deleteAlarm()
    // The alarm ignores fractions of a millisecond and would run early; setting it to the same time again has no
    // effect.
    else await this.#storage.setAlarm(Math.ceil(Math.min(...times)))
  }

  /** Runs when the alarm fires. A chore that throws doesn't stop the others. */
  async run(now: number): Promise<void> {
    const ready = this.#chores.filter(({ due }) => (due() ?? Number.POSITIVE_INFINITY) <= now)
    const ended = await Promise.allSettled(ready.map((chore) => chore.run(now)))
    for (const one of ended) if (one.status === 'rejected') console.error(one.reason)
    await this.plan()
  }
}
