import { DurableObject } from 'cloudflare:workers'
import { verifyCard } from 'blazon/card'
import {
  type Advertised,
  type AgentSignals,
  type Described,
  type DescribeOptions,
  type Directory,
  type Discovered,
  type DiscoverOptions,
  type DiscoverQuery,
  type QueryStatistics,
  restoreDirectory,
  type Sender,
  type StoredCard,
} from 'blazon/directory'
import { type Change, SqlCardStore } from '../directory/card-store.ts'
import { Holding } from '../directory/holding.ts'
import type { Claim, Layout } from '../directory/layout.ts'
import { type ListQuery, listCards, type Page } from '../directory/listing.ts'
import { MOVED, type Moved } from '../directory/moved.ts'
import { LEAD_MS, Renewal } from '../directory/renewal.ts'
import { SavedIndex } from '../directory/saved-index.ts'
import { groupingIn, isOn, numberOf } from '../directory/settings.ts'
import { Signals } from '../directory/signals.ts'
import { directoryMap, type Env, shardStub } from '../env.ts'

/** What moves in one call; 32 MiB is what a call may carry. */
const STAGED_BYTES = 4 << 20
/** A restart reads again what changed since the index was saved: not more than within a minute, and hardly more than these. */
const MANY_CHANGES = 2000
const SAVE_MANY_MS = 5000
const SAVE_FEW_MS = 60_000
/** Between two looks at what expires. */
const RENEW_EVERY_MS = 30_000
/** For so long the seq of a card that expired keeps older ones from coming back; then it is forgotten. */
const FORGET_AFTER_MS = 30 * 86_400_000
const FORGET_AT_ONCE = 500

export interface ShardState {
  readonly cards: number
  /** Bytes of its SQLite. */
  readonly storedBytes: number
  /** Bytes of memory that its index has. */
  readonly memoryBytes: number
  /** Changes that a restart would read again. */
  readonly unsaved: number
  /** Whether the index was there when the object started, or was made of all cards; how long that took, and when it was. */
  readonly openedFrom: 'snapshot' | 'store'
  readonly startedInMs: number
  readonly startedAt: number
  /** What came last, the last first. */
  readonly changes: readonly Change[]
}

/** What moves from shard to shard: the topmost cards of `source`, down to `goal`. */
export interface HandOver {
  readonly source: number
  readonly target: number
  readonly goal: number
  readonly limit: number
}

/** The cards of one range of hashes: SQLite has them, and an index in memory finds them. */
export class DirectoryShard extends DurableObject<Env> {
  readonly #store: SqlCardStore
  /** Cards on their way in, until a layout says that they are here. */
  readonly #staged: SqlCardStore
  readonly #holding: Holding
  readonly #signals: Signals
  readonly #saved: SavedIndex
  readonly #directory: Directory
  readonly #renewal: Renewal
  readonly #openedFrom: 'snapshot' | 'store'
  readonly #startedAt: number
  readonly #startedInMs: number

  constructor(state: DurableObjectState, env: Env) {
    super(state, env)
    const start = Date.now()
    const { sql, kv } = state.storage
    this.#store = new SqlCardStore(sql)
    this.#staged = new SqlCardStore(sql, 'staged')
    this.#holding = new Holding(kv)
    this.#signals = new Signals(sql)
    this.#saved = new SavedIndex(state.storage)
    const grouping = groupingIn(env)
    // An index that was never saved is made of the cards.
    const { directory, from } = restoreDirectory(this.#saved.read(), {
      store: this.#store,
      signals: this.#signals,
      limits: {
        // Senders are counted before they come here.
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
      this.#store,
      (id, card, operator) => this.#write(id, () => this.#directory.advertise(card, { id, operator })),
      (address, init) => fetch(address, init),
    )
    this.#startedAt = Date.now()
    this.#startedInMs = this.#startedAt - start
  }

  /** `id` is that of the card. */
  async advertise(claim: Claim, id: string, card: Uint8Array, sender: Sender): Promise<Advertised | Moved> {
    const advertised = await this.#when(claim, () => this.#write(id, () => this.#directory.advertise(card, sender)))
    if (advertised !== MOVED && advertised.stored) await this.#wake()
    return advertised
  }

  async describe(claim: Claim, id: string, options: DescribeOptions): Promise<Described | Moved> {
    return this.#when(claim, () => this.#directory.describe(id, options))
  }

  async statistics(claim: Claim, query: DiscoverQuery): Promise<QueryStatistics | Moved> {
    return this.#when(claim, () => this.#directory.statistics(query))
  }

  async discover(claim: Claim, query: DiscoverQuery, options: DiscoverOptions): Promise<Discovered | Moved> {
    return this.#when(claim, () => this.#directory.discover(query, options))
  }

  async list(claim: Claim, query: ListQuery): Promise<Page | Moved> {
    return this.#when(claim, () => listCards(this.#store, query, Date.now()))
  }

  /** Cards as they are stored, by id. */
  async read(claim: Claim, after: string | undefined, limit: number): Promise<StoredCard[] | Moved> {
    return this.#when(claim, () => this.#store.list(after, limit))
  }

  /** Keeps what the operator tells of an agent; also of one whose card has yet to come. */
  async tell(claim: Claim, id: string, signals: AgentSignals): Promise<Moved | undefined> {
    return this.#when(claim, () =>
      this.#write(id, async () => {
        this.#signals.put(id, signals)
        // The directory asks the source anew: what it was told itself would go before it, now and in the saved index.
        this.#directory.setSignals(id, {})
        return undefined
      }),
    )
  }

  async state(changes: number): Promise<ShardState> {
    return {
      cards: this.#store.size,
      storedBytes: this.ctx.storage.sql.databaseSize,
      memoryBytes: this.#directory.memoryBytes,
      unsaved: this.#unsaved(),
      openedFrom: this.#openedFrom,
      startedInMs: this.#startedInMs,
      startedAt: this.#startedAt,
      changes: this.#store.latest(changes),
    }
  }

  /** Freezes the topmost cards and copies them to another shard; from which hash on they are. */
  async handOver(layout: Layout, { source, target, goal, limit }: HandOver): Promise<number> {
    this.#learn(layout, source)
    const { to } = this.#holding.held
    const from = this.#holding.frozen?.from ?? this.#store.lowestOfTop(goal, to, limit)
    await this.#holding.freeze({ from, to })
    for (const cards of byBytes(this.#store.within(from, to), STAGED_BYTES)) {
      const signals = cards.flatMap(({ id }) => {
        const told = this.#signals.signals(id)
        return told === undefined ? [] : ([[id, told]] as const)
      })
      await shardStub(this.env, target).stage(layout, target, cards, signals)
    }
    return from
  }

  /**
   * Keeps cards that will be this shard's when the layout says so. They are verified again: what is served was. The same cards
   * may come more than once, for they are frozen where they come from; a step that is over brings none.
   */
  async stage(
    layout: Layout,
    shard: number,
    cards: readonly StoredCard[],
    signals: readonly (readonly [id: string, told: AgentSignals])[],
  ): Promise<void> {
    for (const { id, bytes, standing } of cards) {
      if (standing !== 'signature') continue
      const { verdict } = await verifyCard(bytes)
      if (verdict !== 'verified') throw new Error(`the signature of ${id} does not hold in the shard that it moves to`)
    }
    this.#learn(layout, shard)
    if (this.#holding.held.version > layout.version) throw new Error('the step that these cards are of is over')
    for (const card of cards) this.#staged.put(card)
    for (const [id, told] of signals) this.#signals.put(id, told)
  }

  /** Takes over a layout that is newer than the one it knows. */
  async learn(layout: Layout, shard: number): Promise<void> {
    this.#learn(layout, shard)
    await this.#wake()
  }

  override async alarm(): Promise<void> {
    const now = Date.now()
    this.#remove(this.#store.expiredBefore(now - FORGET_AFTER_MS, FORGET_AT_ONCE))
    if (this.#unsaved() > 0) this.#saved.write(this.#directory.save(), this.#store.revision)
    if (isOn(this.env, 'RENEWAL')) await this.#renewal.run(now)
    await this.#wake(now + RENEW_EVERY_MS)
  }

  /** Works for those who know what this shard has. The work begins in the turn that finds it so: nothing moves in between. */
  async #when<T>(claim: Claim, work: () => T | Promise<T>): Promise<T | Moved> {
    if (this.#holding.check(claim) === 'newer') this.#learn(await directoryMap(this.env).layout(), claim.shard)
    return this.#holding.check(claim) === 'holds' ? work() : MOVED
  }

  async #write<T>(id: string, work: () => Promise<T>): Promise<T | Moved> {
    return this.#holding.mayWrite(id) ? this.#holding.write(work) : MOVED
  }

  /** In one turn, so that no question sees half of it. */
  #learn(layout: Layout, shard: number): void {
    if (!this.#holding.learn(layout, shard)) return
    const { from, to } = this.#holding.held
    this.#remove(this.#store.outside(from, to))
    for (const card of this.#staged.within(from, to)) {
      this.#directory.adopt(card)
      this.#staged.delete(card.id)
    }
  }

  #remove(ids: readonly string[]): void {
    if (ids.length > 0) this.#saved.clear()
    for (const id of ids) this.#directory.remove(id)
  }

  #unsaved(): number {
    return this.#store.revision - Math.max(this.#saved.revision, 0)
  }

  /** Sets the alarm for what is to be done next; what expires is not looked at again before `renewFrom`. */
  async #wake(renewFrom = 0): Promise<void> {
    const now = Date.now()
    const unsaved = this.#unsaved()
    const expiry = this.#store.nextExpiry(now)
    const next = Math.min(
      unsaved === 0 ? Number.POSITIVE_INFINITY : now + (unsaved > MANY_CHANGES ? SAVE_MANY_MS : SAVE_FEW_MS),
      expiry === undefined ? Number.POSITIVE_INFINITY : Math.max(expiry - LEAD_MS, renewFrom, now),
    )
    if (next === Number.POSITIVE_INFINITY) return
    const set = await this.ctx.storage.getAlarm()
    if (set === null || set > next) await this.ctx.storage.setAlarm(next)
  }
}

/** Lists that are not larger than so many bytes, unless a single card is. */
function byBytes(cards: readonly StoredCard[], most: number): StoredCard[][] {
  const batches: StoredCard[][] = [[]]
  let bytes = 0
  for (const card of cards) {
    const size = card.equivocations.reduce((sum, other) => sum + other.length, card.bytes.length)
    if (bytes + size > most && bytes > 0) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)!.push(card)
    bytes += size
  }
  return batches
}
