import type { AgentCard } from '../../bindings/card/subject.ts'
import { createDirectory } from '../../bindings/directory/directory.ts'
import type { AgentSignals, Directory, SearchQuery, SearchResponse } from '../../bindings/directory/index.ts'
import { type CardStore, createMemoryStore, type StoredCard } from '../../bindings/directory/memory-store.ts'
import type { Reason } from '../../bindings/directory/types.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { kindOfMembers } from '../../bindings/frame/detect.ts'
import type { Factors } from '../../bindings/wasm/rank.ts'
import * as engine from '../engine.ts'
import { turn } from '../turn.ts'
import { documentsIn, InvalidListError, MOST_DOCUMENTS, type Source, type SourceDocument } from './split.ts'
import { subtleWithOwnDigest } from './worker.ts'

/** A document that was skipped, and the reasons. */
export interface SkippedDocument {
  readonly name: string
  /** Whether its text can be requested. */
  readonly hasText: boolean
  readonly reasons: readonly string[]
}

/** A skipped document with its bytes, which stay with the cards: they may be megabytes. */
type StoredSkip = Omit<SkippedDocument, 'hasText'> & { readonly bytes?: Uint8Array }

/** The number of skipped documents, by reason. */
export type SkippedCounts = Readonly<
  Record<'invalid' | 'older' | 'large' | 'beyond' | 'malformed' | 'unreadable' | 'foreign', number>
>

/** What the page shows about its cards. */
export interface CollectionSummary {
  readonly cards: number
  /** The number of documents of another kind. */
  readonly others: number
  readonly skipped: SkippedCounts
  /** The first skipped documents. */
  readonly examples: readonly SkippedDocument[]
  /** The most frequent tags, each with the number of agents that have it. */
  readonly tags: readonly (readonly [tag: string, agents: number])[]
  /** Bytes of the cards, and of the memory of their index. */
  readonly bytes: { readonly cards: number; readonly index: number }
}

/** The progress of reading: the documents and bytes that were read. */
export interface Progress {
  readonly documents: number
  readonly bytes: number
}

/** A ranking, and the milliseconds that it took. */
export interface RankedResults {
  readonly found: SearchResponse
  readonly cost: number
}

const MOST_EXAMPLES = 50
const MOST_TAGS = 1000
const MOST_REASONS = 3
/** A word of no language: the directory looks for similar words. */
const UNKNOWN_WORD = 'qxzqxz'
/** Milliseconds after which other work may run: a query, or the page itself if it has no worker. */
const SLICE_MS = 25
/** Milliseconds between two reports of the progress. */
const REPORT_MS = 200

/** Why a valid card does not replace the stored one. */
const NOT_STORED: Partial<Record<Reason, string>> = {
  equal: 'The same card is already here.',
  older: 'A newer card of this agent is here.',
  policy: 'The card is larger than the limit of a directory (65,535 bytes).',
}
const OTHER_NOT_STORED = 'Another card of this agent is here, and this one may not replace it.'

/**
 * The cards in the page, indexed by the same directory that servers run. Unsigned cards are accepted, cards with an
 * invalid signature are not. Arguments and results of its methods can be sent to and from a worker.
 */
export class CardCollection {
  /** The limit of documents. */
  most = MOST_DOCUMENTS
  readonly #store: CardStore = createMemoryStore()
  readonly #directory: Directory
  readonly #signals = new Map<string, AgentSignals>()
  readonly #tags = new Map<string, number>()
  readonly #examples: StoredSkip[] = []
  readonly #skipped = { invalid: 0, older: 0, large: 0, beyond: 0, malformed: 0, unreadable: 0, foreign: 0 }
  #others = 0
  #documents = 0
  /** The card that the directory passes to the store next. */
  #pending: AgentCard | undefined
  #sliceEnd = 0
  #stops = 0

  constructor() {
    // A stopped clock: cards do not expire while the page is open.
    const now = new Date()
    const subtle = subtleWithOwnDigest()
    const put = this.#store.put.bind(this.#store)
    this.#store.put = (stored) => {
      this.#countTags(stored)
      put(stored)
    }
    this.#directory = createDirectory({
      store: this.#store,
      acceptUnverified: true,
      clock: () => now,
      ...(subtle && { subtle }),
      policy: (card) => {
        this.#pending = card
        return kindOfMembers(card) === 'card'
      },
      signals: { signals: (id) => this.#signals.get(id) },
    })
  }

  /** Stops the source that is being read, and those that wait. */
  stop(): void {
    this.#stops++
  }

  /** Returns a function that returns true until `stop` is called. */
  untilStopped(): () => boolean {
    const stops = this.#stops
    return () => stops === this.#stops
  }

  /** Adds the documents of sources, and reports the progress. */
  async add(
    sources: readonly Source[],
    progress: (made: Progress) => void,
    isWanted = this.untilStopped(),
  ): Promise<void> {
    const made = { documents: 0, bytes: 0 }
    let reported = 0
    for (const source of sources) {
      if (!isWanted()) return
      const before = made.bytes
      try {
        for await (const document of documentsIn(source)) {
          made.documents++
          made.bytes += document.bytes?.length ?? 0
          await this.#take(document)
          const now = performance.now()
          if (now < this.#sliceEnd) continue
          if (now >= reported + REPORT_MS) {
            progress({ ...made })
            reported = now
          }
          await turn()
          if (!isWanted()) return
          this.#sliceEnd = performance.now() + SLICE_MS
        }
      } catch (error) {
        const isMalformed = error instanceof InvalidListError
        this.#skip(isMalformed ? 'malformed' : 'unreadable', { name: source.name, reasons: [(error as Error).message] })
      }
      made.bytes = before + source.blob.size
    }
    progress(made)
  }

  /** Counts files that are not documents by their names, or could not be read. */
  countSkipped({ foreign, unreadable }: Pick<SkippedCounts, 'foreign' | 'unreadable'>): void {
    this.#skipped.foreign += foreign
    this.#skipped.unreadable += unreadable
  }

  /** Sets the signals of agents. */
  setSignals(signals: ReadonlyMap<string, AgentSignals>): void {
    for (const [id, ofAgent] of signals) this.#signals.set(id, ofAgent)
  }

  /** The first query after cards were added sorts the new part of the index, and its words if a word is unknown. Do that before the reader types. */
  warmUp(): void {
    const { description = '', skills = [] } = this.#pending ?? {}
    const query = { query: `${UNKNOWN_WORD} ${description.slice(0, 100)}`, tags: skills.slice(0, 1), limit: 100 }
    this.#directory.discover(query, { explain: true })
  }

  summary(): CollectionSummary {
    const tags = [...this.#tags].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, MOST_TAGS)
    return {
      cards: this.#store.size,
      others: this.#others,
      skipped: this.#skipped,
      examples: this.#examples.map(({ name, reasons, bytes }) => ({ name, reasons, hasText: bytes !== undefined })),
      tags,
      bytes: { cards: this.#store.bytes ?? 0, index: this.#directory.memoryBytes },
    }
  }

  rank(query: SearchQuery, weights: Factors): RankedResults {
    const start = performance.now()
    const found = this.#directory.discover({ ...query, min_score: 0 }, { explain: true, weights })
    return { found, cost: performance.now() - start }
  }

  /** The first cards, by id. */
  first(limit: number): AgentCard[] {
    return this.#store.list(undefined, limit).map(({ bytes }) => engine.examine(bytes).document!.value as AgentCard)
  }

  /** The text of the card of an agent, if the card is here. */
  text(id: string): string | undefined {
    const bytes = this.#store.get(id)?.bytes
    return bytes && new TextDecoder().decode(engine.formatJson(engine.examine(bytes).document!))
  }

  /** The text of a skipped document, as it was read. */
  skippedText(index: number): string | undefined {
    const bytes = this.#examples[index]?.bytes
    return bytes && new TextDecoder().decode(bytes)
  }

  async #take({ name, bytes }: SourceDocument): Promise<void> {
    if (++this.#documents > this.most) this.#skipped.beyond++
    else if (bytes === undefined) this.#skip('large', { name, reasons: [] })
    // Most documents are cards in JSON; only the others are examined twice.
    else if (!(await this.#advertise(name, bytes, bytes))) {
      const { document, kind, format, diagnostics } = engine.examine(bytes)
      if (document === undefined) this.#refuse(name, bytes, diagnostics)
      else if (kind !== 'card') this.#others++
      else if (format === 'json' || !(await this.#advertise(name, bytes, document.bytes))) {
        this.#refuse(name, bytes, diagnostics)
      }
    }
  }

  /** Adds a card to the directory. False if the document is not a valid card. */
  async #advertise(name: string, bytes: Uint8Array, card: Uint8Array): Promise<boolean> {
    try {
      const { status, stored, reason, diagnostics } = await this.#directory.advertise(card)
      const isUnwanted = reason === 'policy' && card.length <= this.#directory.limits.cardBytes
      if (status === 'INVALID_REQUEST' || isUnwanted) return false
      if (status === 'FULL') this.#skip('beyond', { name, bytes, reasons: diagnostics.map(({ detail }) => detail) })
      else if (status !== 'OK') this.#refuse(name, bytes, diagnostics)
      else if (!stored) this.#skip('older', { name, bytes, reasons: [NOT_STORED[reason!] ?? OTHER_NOT_STORED] })
    } catch (error) {
      // The host is out of memory.
      if (!(error instanceof RangeError)) throw error
      this.#skip('beyond', { name, bytes, reasons: [error.message] })
    }
    return true
  }

  /** Counts the tags of a card that is stored, instead of those of the card that it replaces. */
  #countTags({ id, bytes }: StoredCard): void {
    const before = this.#store.get(id)
    if (before?.bytes === bytes) return
    if (before !== undefined) this.#count(engine.examine(before.bytes).document!.value as AgentCard, -1)
    this.#count(this.#pending!, 1)
  }

  #count({ skills = [] }: AgentCard, sign: 1 | -1): void {
    for (const tag of new Set(skills)) {
      const count = (this.#tags.get(tag) ?? 0) + sign
      if (count > 0) this.#tags.set(tag, count)
      else this.#tags.delete(tag)
    }
  }

  #refuse(name: string, bytes: Uint8Array, diagnostics: readonly Diagnostic[]): void {
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    const reasons = errors
      .slice(0, MOST_REASONS)
      .map(({ detail, code, source }) => `${source.line}:${source.column} ${detail} (${code})`)
    this.#skip('invalid', { name, bytes, reasons })
  }

  #skip(reason: keyof SkippedCounts, example: StoredSkip): void {
    this.#skipped[reason]++
    if (this.#examples.length < MOST_EXAMPLES) this.#examples.push(example)
  }
}
