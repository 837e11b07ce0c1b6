import type { Hit } from '../core/index.ts'
import { CardIndex, type Found, type Search } from './card-index.ts'
import type { Question } from './question.ts'
import { jsonOf } from './results.ts'
import { checkSignals, type Settings } from './settings.ts'
import type { CardStore, StoredCard } from './stored.ts'
import type { AgentSignals, QueryStatistics } from './types.ts'

/** Cards that are read from the store at a time. */
const PAGE = 1000

/** A hit and the card that it stands for. */
export interface FoundCard {
  readonly hit: Hit
  readonly stored: StoredCard
}

export interface FoundCards extends Omit<Found, 'hits'> {
  readonly cards: readonly FoundCard[]
}

/** The cards of a store, and the index that finds those that may be found: not revoked, not expired. */
export class Shelf {
  readonly store: CardStore
  readonly index: CardIndex
  /** What `setSignals` told, over what the source of signals says. */
  readonly told = new Map<string, AgentSignals>()
  readonly #settings: Settings
  /** Cards that had expired by then are not in the index. */
  #checked = Number.NEGATIVE_INFINITY
  /** The next time at which a card in the index may expire. */
  #next = Number.POSITIVE_INFINITY

  constructor(settings: Settings) {
    this.#settings = settings
    this.store = settings.store
    this.index = new CardIndex(settings)
  }

  get checked(): number {
    return this.#checked
  }

  /** Indexes all cards of the store. */
  build(now: number): void {
    this.#checked = now
    for (let after: string | undefined; ; ) {
      const page = this.store.list(after, PAGE)
      for (const stored of page) this.#find(stored, now)
      after = page.at(-1)?.id
      if (page.length < PAGE || after === undefined) return
    }
  }

  /** Brings an index up to the store that was saved when the store had a revision, and expired cards were out of it. */
  catchUp(revision: number, checked: number, now: number): void {
    this.#checked = checked
    this.#next = checked
    for (const stored of this.store.since(revision)) this.#find(stored, now)
    for (const id of this.#settings.signals.known?.() ?? []) {
      const stored = this.store.get(id)
      if (stored !== undefined) this.#rate(stored)
    }
    this.expire(now)
  }

  /** The card of an agent, unless it has expired. A revocation never does: an agent does not come back by waiting (section 6.4). */
  get(id: string, now: number): StoredCard | undefined {
    const stored = this.store.get(id)
    return stored !== undefined && (stored.revoked || stored.expiresAt > now) ? stored : undefined
  }

  /** False when the index has no room for the card: nothing has changed then. */
  put(stored: StoredCard, now: number): boolean {
    if (isFindable(stored, now) && !this.#index(stored)) return false
    try {
      this.store.put(stored)
    } catch (error) {
      const before = this.store.get(stored.id)
      if (before === undefined || !this.#find(before, now)) this.index.remove(stored.id)
      throw error
    }
    if (!isFindable(stored, now)) this.index.remove(stored.id)
    this.#next = Math.min(this.#next, stored.expiresAt)
    return true
  }

  remove(id: string): boolean {
    const had = this.store.get(id) !== undefined
    if (had) this.store.delete(id)
    this.index.remove(id)
    this.told.delete(id)
    return had
  }

  signals(id: string): AgentSignals {
    const source = this.#settings.signals.signals(id)
    const told = this.told.get(id)
    return told === undefined ? (source ?? {}) : { ...source, ...told }
  }

  setSignals(id: string, signals: AgentSignals): boolean {
    checkSignals(signals)
    const stored = this.store.get(id)
    if (stored === undefined) return false
    this.told.set(id, { ...this.told.get(id), ...signals })
    this.#rate(stored)
    return true
  }

  /** Takes cards that have expired out of the index. They stay in the store: their `seq` keeps older cards from coming back. */
  expire(now: number): void {
    if (now < this.#next) return
    for (const { id } of this.store.expiring(this.#checked, now)) this.index.remove(id)
    this.#checked = now
    this.#next = this.store.nextExpiry(now) ?? Number.POSITIVE_INFINITY
  }

  statistics(question: Question, now: number): QueryStatistics {
    this.expire(now)
    return this.index.statistics(question)
  }

  search(question: Question, search: Search, now: number): FoundCards {
    this.expire(now)
    for (;;) {
      const { hits, sought, corrections } = this.index.search(question, search)
      const cards = hits.flatMap((hit) => {
        const stored = this.get(hit.id, now)
        return stored === undefined || stored.revoked ? [] : [{ hit, stored }]
      })
      if (cards.length === hits.length) return { cards, sought, corrections }
      // The store is the truth: what it has no card of, the index should not have.
      const found = new Set(cards.map(({ stored }) => stored.id))
      for (const { id } of hits) if (!found.has(id)) this.index.remove(id)
    }
  }

  #rate({ id, bytes }: StoredCard): void {
    const most = jsonOf(bytes).constraints?.max_concurrent_tasks
    if (this.index.has(id)) this.index.setSignals(id, most, this.signals(id))
  }

  /** Has the index find a card, or not find it any more. */
  #find(stored: StoredCard, now: number): boolean {
    if (!isFindable(stored, now)) return this.index.remove(stored.id)
    this.#next = Math.min(this.#next, stored.expiresAt)
    return this.#index(stored)
  }

  #index({ id, bytes }: StoredCard): boolean {
    return this.index.put(jsonOf(bytes), this.signals(id))
  }
}

const isFindable = ({ revoked, expiresAt }: StoredCard, now: number) => !revoked && expiresAt > now
