/** Work that an object does later. */
export interface Chore {
  /** When it is due, in milliseconds since 1970; undefined when there is nothing to do. */
  readonly due: () => number | undefined
  /** Does what is due. What fails is tried again: `due` says when. */
  readonly run: (now: number) => Promise<void>
}

/** The chores of one object, which has one alarm for all of them. */
export class Chores {
  readonly #storage: DurableObjectStorage
  readonly #chores: readonly Chore[]

  constructor(storage: DurableObjectStorage, chores: readonly Chore[]) {
    this.#storage = storage
    this.#chores = chores
  }

  /** Sets the alarm to the first that is due: called whenever a chore has got something to do. */
  async plan(): Promise<void> {
    const times = this.#chores.map(({ due }) => due()).filter((time) => time !== undefined)
    if (times.length === 0) await this.#storage.deleteAlarm()
    // An alarm of a fraction of a millisecond comes before its time, and to set it to the same once more has no effect.
    else await this.#storage.setAlarm(Math.ceil(Math.min(...times)))
  }

  /** What the alarm calls. A chore that throws keeps no other from running. */
  async run(now: number): Promise<void> {
    const ready = this.#chores.filter(({ due }) => (due() ?? Number.POSITIVE_INFINITY) <= now)
    const ended = await Promise.allSettled(ready.map((chore) => chore.run(now)))
    for (const one of ended) if (one.status === 'rejected') console.error(one.reason)
    await this.plan()
  }
}
