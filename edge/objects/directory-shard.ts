import { verify } from 'blazon/card'
import {
  type AdvertiseResult,
  type AgentSignals,
  DEFAULT_LIMITS,
  type DescribeOptions,
  type Directory,
  handleInvocation,
  type IndexQuery,
  type QueryStatistics,
  restoreDirectory,
  type SearchOptions,
  type SearchResponse,
  type Sender,
  type StoredCard,
} from 'blazon/directory'
import {
  type Claim,
  type DescribedOrRemoved,
  type HandOver,
  type Layout,
  type ListQuery,
  MOVED,
  type MovedAnswer,
  type Page,
  type Rule,
  type ShardObject,
  type SignalsOfAgent,
} from '../contracts/directory.ts'
import { listCards } from '../directory/listing.ts'
import { LEAD_MS, Renewal } from '../directory/renewal.ts'
import { groupingIn } from '../directory/settings.ts'
import { ShardStore } from '../directory/shard-store.ts'
import { directoryMap, type Env, isOn, moderation, numberOf, shardStub } from '../env.ts'
import { Gate, Rules, wordsOfRemoval } from '../moderation/rules.ts'
import { StoredObject } from '../platform/objects.ts'
import type { ObjectState, Serves } from '../platform/types.ts'

/** A restart reads the changes since the index was saved: at most those of a minute, and hardly more than this many. */
const MANY_CHANGES = 2000
const SAVE_MANY_MS = 5000
const SAVE_FEW_MS = 60_000
/** The time between two checks for expiring cards. */
const RENEW_EVERY_MS = 30_000
/** For this long the seq of an expired card keeps older versions out; then it is forgotten. */
const FORGET_AFTER_MS = 30 * 86_400_000
const FORGET_AT_ONCE = 500

const refuse = () => Promise.reject(new Error('only searches are answered'))
const SEARCH_ONLY = { limits: DEFAULT_LIMITS, advertise: refuse, describe: refuse }

/** The cards of one range of hashes: a store keeps them, and a directory searches them. */
export class DirectoryShard extends StoredObject<Env> implements Serves<ShardObject> {
  readonly #store: ShardStore
  readonly #rules: Rules
  readonly #gate: Gate
  readonly #directory: Directory
  readonly #renewal: Renewal
  readonly #openedFrom: 'snapshot' | 'store'
  readonly #startedAt: number
  readonly #startedInMs: number

  constructor(state: ObjectState, env: Env) {
    super(state, env)
    const start = Date.now()
    this.#store = new ShardStore(state.storage)
    this.#rules = new Rules(state.storage)
    this.#gate = new Gate(env, this.#store, this.#rules)
    const grouping = groupingIn(env)
    // Without a saved index, it is built from the cards.
    const { directory, from } = restoreDirectory(this.#store.savedIndex(), {
      store: this.#store.cards,
      signals: this.#store,
      policy: this.#gate.judge,
      limits: {
        // Senders are counted before their requests come here.
        advertisesPerMinute: Number.MAX_SAFE_INTEGER,
        bytes: numberOf(env, 'SHARD_BYTES'),
        cardsPerSigner: numberOf(env, 'SIGNER_CARDS'),
        ttl: numberOf(env, 'MAX_TTL'),
      },
      ...(grouping && { grouping }),
    })
    this.#directory = directory
    this.#openedFrom = from
    this.#renewal = new Renewal(
      this.#store.cards,
      (id, card, operator) => this.#write(id, () => this.#directory.advertise(card, { id, operator })),
      (address, init) => fetch(address, init),
    )
    this.#startedAt = Date.now()
    this.#startedInMs = this.#startedAt - start
  }

  async advertise(claim: Claim, id: string, card: Uint8Array, sender: Sender): Promise<AdvertiseResult | MovedAnswer> {
    const advertised = await this.#when(claim, () => this.#write(id, () => this.#directory.advertise(card, sender)))
    if (advertised !== MOVED && advertised.stored) await this.#wake()
    return advertised
  }

  async describe(claim: Claim, id: string, options: DescribeOptions): Promise<DescribedOrRemoved | MovedAnswer> {
    return this.#when(claim, () => {
      const removed = this.#gate.removed(id)
      return removed === undefined
        ? this.#directory.describe(id, options)
        : { status: 'NOT_FOUND', partial: false, gone: wordsOfRemoval(removed), removed }
    })
  }

  async statistics(claim: Claim, query: IndexQuery, options: SearchOptions): Promise<QueryStatistics | MovedAnswer> {
    return this.#when(claim, () => this.#directory.statistics(query, options))
  }

  async rank(claim: Claim, query: IndexQuery, options: SearchOptions): Promise<SearchResponse | MovedAnswer> {
    return this.#when(claim, () => this.#directory.rank(query, options))
  }

  async answer(claim: Claim, query: IndexQuery, options: SearchOptions): Promise<SearchResponse | MovedAnswer> {
    return this.#when(claim, async () => {
      const found = this.#directory.rank(query, options)
      const { bytes } = await handleInvocation({ ...SEARCH_ONLY, discover: () => found }, { method: 'adp.discover' })
      return { ...found, results: [], bytes }
    })
  }

  async list(claim: Claim, query: ListQuery): Promise<Page | MovedAnswer> {
    return this.#when(claim, () => listCards(this.#store.cards, query, Date.now()))
  }

  async read(claim: Claim, after: string | undefined, limit: number): Promise<StoredCard[] | MovedAnswer> {
    return this.#when(claim, () => this.#store.cards.list(after, limit))
  }

  async setSignals(claim: Claim, id: string, signals: AgentSignals): Promise<MovedAnswer | undefined> {
    return this.#when(claim, () =>
      this.#write(id, async () => {
        this.#store.setSignals(id, signals)
        // The directory asks the source again: signals set directly would override it, now and in the saved index.
        this.#directory.setSignals(id, {})
        return undefined
      }),
    )
  }

  async applyRules(changes: readonly Rule[], version: number): Promise<void> {
    if (version <= this.#rules.version) return
    if (version === this.#rules.version + 1 && changes.length > 0) {
      this.#rules.change(changes, version)
      this.#remove([...this.#gate.takenDown(changes)])
    } else {
      const all = await moderation(this.env).rules()
      if (all.version <= this.#rules.version) return
      this.#rules.replace(all.rules, all.version)
      this.#remove([...this.#gate.takenDown(all.rules)])
    }
    await this.#wake()
  }

  async state(changes: number) {
    return {
      cards: this.#store.cards.size,
      storedBytes: this.#store.cards.bytes,
      memoryBytes: this.#directory.memoryBytes,
      unsaved: this.#store.unsaved,
      openedFrom: this.#openedFrom,
      startedInMs: this.#startedInMs,
      startedAt: this.#startedAt,
      changes: this.#store.cards.latest(changes),
    }
  }

  async handOver(layout: Layout, { source, target, goal, limit }: HandOver): Promise<number> {
    this.#learn(layout, source)
    const { to } = this.#store.range.held
    const from = this.#store.range.frozen?.from ?? this.#store.cards.lowestOfTop(goal, to, limit)
    await this.#store.range.freeze({ from, to })
    const shard = shardStub(this.env, target)
    for (const cards of this.#store.cardsWithin(from, to)) await shard.stage(layout, target, cards, [])
    for (const signals of this.#store.signalsWithin(from, to)) await shard.stage(layout, target, [], signals)
    return from
  }

  /**
   * The cards are verified again, since only verified cards are served. The same cards may arrive more than once,
   * because they are frozen at their source. A step that is over brings none.
   */
  async stage(
    layout: Layout,
    shard: number,
    cards: readonly StoredCard[],
    signals: readonly SignalsOfAgent[],
  ): Promise<void> {
    for (const { id, bytes, standing } of cards) {
      if (standing !== 'signature') continue
      const { verdict } = await verify(bytes)
      if (verdict !== 'verified') throw new Error(`the signature of ${id} does not hold in the shard that it moves to`)
    }
    this.#learn(layout, shard)
    if (this.#store.range.held.version > layout.version) throw new Error('the step that these cards are of is over')
    for (const card of cards) this.#store.staged.put(card)
    for (const [id, told] of signals) this.#store.setSignals(id, told)
  }

  async applyLayout(layout: Layout, shard: number): Promise<void> {
    this.#learn(layout, shard)
    await this.#wake()
  }

  override async alarm(): Promise<void> {
    const now = Date.now()
    this.#remove(this.#store.cards.expiredBefore(now - FORGET_AFTER_MS, FORGET_AT_ONCE))
    if (this.#store.unsaved > 0) this.#store.saveIndex(this.#directory.save())
    if (isOn(this.env, 'RENEWAL')) await this.#renewal.run(now)
    await this.#wake(now + RENEW_EVERY_MS)
  }

  /**
   * Runs `work` if the claim on this shard holds. The work begins in the same turn as the check, so nothing moves in
   * between.
   */
  async #when<T>(claim: Claim, work: () => T | Promise<T>): Promise<T | MovedAnswer> {
    if (this.#store.range.check(claim) === 'newer') this.#learn(await directoryMap(this.env).layout(), claim.shard)
    return this.#store.range.check(claim) === 'holds' ? work() : MOVED
  }

  async #write<T>(id: string, work: () => Promise<T>): Promise<T | MovedAnswer> {
    return this.#store.range.mayWrite(id) ? this.#store.range.write(work) : MOVED
  }

  /** Runs in one turn, so that no query sees half of the change. */
  #learn(layout: Layout, shard: number): void {
    if (!this.#store.range.applyLayout(layout, shard)) return
    const { from, to } = this.#store.range.held
    this.#remove(this.#store.cards.outside(from, to))
    for (const card of this.#store.staged.within(from, to)) {
      if (!this.#gate.blocks(card)) this.#directory.adopt(card)
      this.#store.staged.delete(card.id)
    }
  }

  #remove(ids: readonly string[]): void {
    if (ids.length > 0) this.#store.dropIndex()
    for (const id of ids) this.#directory.remove(id)
  }

  /** Sets the alarm for the next task; expiring cards are not checked again before `renewFrom`. */
  async #wake(renewFrom = 0): Promise<void> {
    const now = Date.now()
    const unsaved = this.#store.unsaved
    const expiry = this.#store.cards.nextExpiry(now)
    const next = Math.min(
      unsaved === 0 ? Number.POSITIVE_INFINITY : now + (unsaved > MANY_CHANGES ? SAVE_MANY_MS : SAVE_FEW_MS),
      expiry === undefined ? Number.POSITIVE_INFINITY : Math.max(expiry - LEAD_MS, renewFrom, now),
    )
    if (next === Number.POSITIVE_INFINITY) return
    const set = await this.store.getAlarm()
    if (set === null || set > next) await this.store.setAlarm(next)
  }
}
