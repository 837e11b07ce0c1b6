import { DurableObject } from 'cloudflare:workers'
import { MOST_RULES, type ModerationObject, type Rule, type Waiting } from '../contracts/moderation.ts'
import { directoryMap, type Env, type Serves, shardStub } from '../env.ts'
import { factsOf } from '../moderation/gate.ts'
import { Queue } from '../moderation/queue.ts'
import { Rules } from '../moderation/rules.ts'
import { cardIn } from '../moderation/subjects.ts'

/** Waiting cards that are read at once. */
const BATCH = 50

/**
 * The operator's rules, and the waiting cards. Every shard has a copy of the rules, so that a card is judged in the
 * turn in which it is stored. A change is acknowledged once all shards have it.
 */
export class Moderation extends DurableObject<Env> implements Serves<ModerationObject> {
  readonly #rules: Rules
  readonly #queue: Queue

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    this.#rules = new Rules(state.storage)
    this.#queue = new Queue(state.storage.sql)
  }

  rules(): { readonly rules: readonly Rule[]; readonly version: number } {
    return { rules: this.#rules.all(), version: this.#rules.version }
  }

  async change(changes: readonly Rule[]): Promise<boolean> {
    const added = changes.filter((change) => change.verdict !== 'none' && !this.#rules.has(change)).length
    if (this.#rules.size + added > MOST_RULES) return false
    const version = this.#rules.version + 1
    this.#rules.change(changes, version)
    this.#dropBlocked()
    const shards = await directoryMap(this.env).shards()
    await Promise.all(shards.map((shard) => shardStub(this.env, shard).applyRules(changes, version)))
    return true
  }

  async teach(shard: number): Promise<void> {
    await shardStub(this.env, shard).applyRules([], this.#rules.version)
  }

  async wait(card: Waiting, most: number): Promise<boolean> {
    return this.#queue.put(card, most)
  }

  waiting(after: string, limit: number): { readonly cards: readonly Waiting[]; readonly size: number } {
    return { cards: this.#queue.list(after, limit), size: this.#queue.size }
  }

  drop(ids: readonly string[]): number {
    return this.#queue.drop(ids)
  }

  #dropBlocked(): void {
    for (let after = ''; ; ) {
      const cards = this.#queue.list(after, BATCH)
      const blocked = cards.filter((card) => this.#rules.blocking(factsOf(cardIn(card), card.signer)) !== undefined)
      this.#queue.drop(blocked.map(({ id }) => id))
      if (cards.length < BATCH) return
      after = cards.at(-1)!.id
    }
  }
}
