/** Something that is done later: the time is in milliseconds since 1970, or undefined when there is nothing to do. */
export interface Due {
  readonly nextDue: number | undefined
}

/** The single alarm of an object, which all of its later work shares. */
export class Alarm {
  readonly #storage: DurableObjectStorage
  readonly #work: readonly Due[]

  constructor(storage: DurableObjectStorage, work: readonly Due[]) {
    this.#storage = storage
    this.#work = work
  }

  /** Sets the alarm for the first work that is due. Call it after every change. */
  async plan(): Promise<void> {
    const times = this.#work.map(({ nextDue }) => nextDue).filter((time) => time !== undefined)
    if (times.length === 0) await this.#storage.deleteAlarm()
    // The alarm ignores fractions of a millisecond and would run early; setting it to the same time again has no effect.
    else await this.#storage.setAlarm(Math.ceil(Math.min(...times)))
  }
}
