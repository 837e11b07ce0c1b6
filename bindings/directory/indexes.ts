import { CardIndex } from './card-index.ts'
import { KnownSignals } from './known-signals.ts'
import type { Settings } from './settings.ts'
import type { Show } from './shown.ts'
import type { StoredCard } from './stored.ts'
import type { AgentSignals } from './types.ts'

/**
 * The indexes of a directory: one of whole cards, and one for each partial view that a caller has used. Queries of
 * callers with a partial view use only the index of that view, so hidden content cannot affect results, their order,
 * figures or corrections.
 */
export class Indexes {
  readonly #settings: Settings
  readonly #signals: KnownSignals
  readonly #whole: CardIndex
  /** Indexes of partial views, keyed by the view as JSON. Each is built from the store at the first query. */
  readonly #parts = new Map<string, CardIndex>()

  constructor(settings: Settings) {
    this.#settings = settings
    this.#signals = new KnownSignals(settings.signals)
    this.#whole = new CardIndex(settings, this.#signals)
  }

  get memoryBytes(): number {
    return this.#all().reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)
  }

  /** The number of cards that can be found. */
  size(now: number): number {
    return this.#whole.size(now)
  }

  /** Indexes all cards of the store. */
  build(now: number): void {
    this.#whole.build(now)
  }

  save(now: number): Uint8Array[] {
    return this.#whole.save(now)
  }

  load(chunks: readonly Uint8Array[], now: number): boolean {
    return this.#whole.load(chunks, now)
  }

  /**
   * Adds or updates a card, or removes it if it must not be found. Returns false, with nothing changed, when there is
   * no room.
   */
  take(stored: StoredCard, now: number): boolean {
    if (!this.#whole.take(stored, now)) return false
    for (const [name, part] of this.#parts) if (!part.take(stored, now)) this.#parts.delete(name)
    return true
  }

  /** Removes a card from all indexes. */
  drop(id: string): void {
    for (const index of this.#all()) index.drop(id)
  }

  /** Removes a card and the signals of its agent. */
  forget(id: string): void {
    this.drop(id)
    this.#signals.forget(id)
  }

  signals(id: string): AgentSignals {
    return this.#signals.of(id)
  }

  /** Updates the signals of a card's agent. Absent signals stay unchanged. */
  tell(stored: StoredCard, signals: AgentSignals): void {
    this.#signals.tell(stored.id, signals)
    for (const index of this.#all()) index.rate(stored)
  }

  #all(): readonly CardIndex[] {
    return [this.#whole, ...this.#parts.values()]
  }

  /** The index of the part of cards that some callers may see. */
  of(show: Show, now: number): CardIndex {
    if (show === 'whole') return this.#whole
    const name = JSON.stringify(show)
    let part = this.#parts.get(name)
    if (part === undefined) {
      part = new CardIndex(this.#settings, this.#signals, structuredClone(show))
      part.build(now)
      this.#parts.set(name, part)
    }
    return part
  }
}
