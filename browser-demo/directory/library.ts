import type { AgentCard } from '../../bindings/card/types.ts'
import { createDirectory } from '../../bindings/directory/create.ts'
import type {
  AgentSignals,
  Directory,
  Factors,
  Reason,
  SearchQuery,
  SearchResponse,
} from '../../bindings/directory/index.ts'
import { createMemoryStore } from '../../bindings/directory/memory-store.ts'
import type { CardStore, StoredCard } from '../../bindings/directory/stored.ts'
import type { Diagnostic } from '../../bindings/document/index.ts'
import { kindOfMembers } from '../../bindings/frame/detect.ts'
import * as engine from '../engine.ts'
import { turn } from '../turn.ts'
import { MOST_DOCUMENTS } from './limits.ts'
import { BrokenList, type Piece, piecesOf, type Source } from './pieces.ts'
import { nearSubtle } from './subtle.ts'

/** A document that is not searched, with the reason. */
export interface Problem {
  readonly name: string
  /** Whether its text can be asked for. */
  readonly hasText: boolean
  readonly reasons: readonly string[]
}

/** A problem with its document, which stays where the cards are: it may have megabytes. */
type Kept = Omit<Problem, 'hasText'> & { readonly bytes?: Uint8Array }

/** Reasons for which documents are left out, each with their number. */
export type LeftOut = Readonly<
  Record<'invalid' | 'older' | 'large' | 'beyond' | 'broken' | 'unreadable' | 'foreign', number>
>

/** All that the page shows about the cards that it has. */
export interface Stock {
  readonly cards: number
  /** The number of documents of another kind. */
  readonly others: number
  readonly leftOut: LeftOut
  /** The first documents that were left out. */
  readonly problems: readonly Problem[]
  /** The most frequent tags, each with the number of agents that have it. */
  readonly tags: readonly (readonly [tag: string, agents: number])[]
  /** Bytes of the cards, and of the memory of their index. */
  readonly bytes: { readonly cards: number; readonly index: number }
}

/** The progress of reading: documents that are done, and bytes of the sources. */
export interface Progress {
  readonly documents: number
  readonly bytes: number
}

/** A ranking, and the milliseconds that it took. */
export interface RankedResults {
  readonly found: SearchResponse
  readonly cost: number
}

const MOST_PROBLEMS = 50
const MOST_TAGS = 1000
const MOST_REASONS = 3
/** In no language, so that words near to it are looked for. */
const UNKNOWN_WORD = 'qxzqxz'
/** Milliseconds after which others get their turn: a query, or the reader where the page has no worker. */
const SLICE_MS = 25
/** Milliseconds between two words on the progress. */
const TELL_MS = 200

/** The reasons for which a valid card does not take the place of the one that is there. */
const STAYS: Partial<Record<Reason, string>> = {
  equal: 'The same card is here already.',
  older: 'A newer card of this agent is here.',
  policy: 'It is larger than a directory takes (65,535 bytes).',
}
const OTHER_STAYS = 'Another card of this agent is here, which it may not replace.'

/**
 * The cards in the page, indexed by the same directory that servers run. No proof of origin is required, but a wrong
 * signature keeps a card out. What it is given and gives can be sent to and from a worker.
 */
export class Library {
  readonly #store: CardStore = createMemoryStore()
  readonly #directory: Directory
  readonly #signals = new Map<string, AgentSignals>()
  readonly #tags = new Map<string, number>()
  readonly #problems: Kept[] = []
  readonly #leftOut = { invalid: 0, older: 0, large: 0, beyond: 0, broken: 0, unreadable: 0, foreign: 0 }
  #others = 0
  #documents = 0
  /** The card that the directory is about to give the store. */
  #coming: AgentCard | undefined
  #sliceEnd = 0
  #stops = 0

  constructor() {
    // A stopped clock: cards do not expire while somebody looks at them.
    const now = new Date()
    const subtle = nearSubtle()
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
        this.#coming = card
        return kindOfMembers(card) === 'card'
      },
      signals: { signals: (id) => this.#signals.get(id) },
    })
  }

  /** Ends what is being read, and what waits for that. */
  stop(): void {
    this.#stops++
  }

  /** A function that is true until `stop` is called. */
  untilStopped(): () => boolean {
    const stops = this.#stops
    return () => stops === this.#stops
  }

  /** Adds the documents of sources; `progress` is told how many are done. */
  async add(
    sources: readonly Source[],
    progress: (made: Progress) => void,
    isWanted = this.untilStopped(),
  ): Promise<void> {
    const made = { documents: 0, bytes: 0 }
    let told = 0
    for (const source of sources) {
      if (!isWanted()) return
      const before = made.bytes
      try {
        for await (const piece of piecesOf(source)) {
          made.documents++
          made.bytes += piece.bytes?.length ?? 0
          await this.#take(piece)
          const now = performance.now()
          if (now < this.#sliceEnd) continue
          if (now >= told + TELL_MS) {
            progress({ ...made })
            told = now
          }
          await turn()
          if (!isWanted()) return
          this.#sliceEnd = performance.now() + SLICE_MS
        }
      } catch (error) {
        const isBroken = error instanceof BrokenList
        this.#leaveOut(isBroken ? 'broken' : 'unreadable', { name: source.name, reasons: [(error as Error).message] })
      }
      made.bytes = before + source.blob.size
    }
    progress(made)
  }

  /** Counts files that hold no documents, or could not be read. */
  passOver({ foreign, unreadable }: Pick<LeftOut, 'foreign' | 'unreadable'>): void {
    this.#leftOut.foreign += foreign
    this.#leftOut.unreadable += unreadable
  }

  /** Takes over the signals of agents. */
  know(signals: ReadonlyMap<string, AgentSignals>): void {
    for (const [id, told] of signals) this.#signals.set(id, told)
  }

  /** The first query after cards came sorts what they brought, also their words when one is unknown: nobody shall wait for that at a key. */
  warmUp(): void {
    const { description = '', skills = [] } = this.#coming ?? {}
    const query = { query: `${UNKNOWN_WORD} ${description.slice(0, 100)}`, tags: skills.slice(0, 1), limit: 100 }
    this.#directory.discover(query, { explain: true })
  }

  stock(): Stock {
    const tags = [...this.#tags].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, MOST_TAGS)
    return {
      cards: this.#store.size,
      others: this.#others,
      leftOut: this.#leftOut,
      problems: this.#problems.map(({ name, reasons, bytes }) => ({ name, reasons, hasText: bytes !== undefined })),
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

  /** The text of the card of an agent, if it is here. */
  text(id: string): string | undefined {
    const bytes = this.#store.get(id)?.bytes
    return bytes && new TextDecoder().decode(engine.formatJson(engine.examine(bytes).document!))
  }

  /** The text of a document that was left out, as it came. */
  problem(index: number): string | undefined {
    const bytes = this.#problems[index]?.bytes
    return bytes && new TextDecoder().decode(bytes)
  }

  async #take({ name, bytes }: Piece): Promise<void> {
    if (++this.#documents > MOST_DOCUMENTS) this.#leftOut.beyond++
    else if (bytes === undefined) this.#leaveOut('large', { name, reasons: [] })
    // Most documents are cards in JSON: only the others are looked at twice.
    else if (!(await this.#advertise(name, bytes, bytes))) {
      const { document, kind, format, diagnostics } = engine.examine(bytes)
      if (document === undefined) this.#refuse(name, bytes, diagnostics)
      else if (kind !== 'card') this.#others++
      else if (format === 'json' || !(await this.#advertise(name, bytes, document.bytes))) {
        this.#refuse(name, bytes, diagnostics)
      }
    }
  }

  /** Has the directory take a card; false when it is not valid, or none. */
  async #advertise(name: string, bytes: Uint8Array, card: Uint8Array): Promise<boolean> {
    try {
      const { status, stored, reason, diagnostics } = await this.#directory.advertise(card)
      const isUnwanted = reason === 'policy' && card.length <= this.#directory.limits.cardBytes
      if (status === 'INVALID_REQUEST' || isUnwanted) return false
      if (status === 'FULL') this.#leaveOut('beyond', { name, bytes, reasons: diagnostics.map(({ detail }) => detail) })
      else if (status !== 'OK') this.#refuse(name, bytes, diagnostics)
      else if (!stored) this.#leaveOut('older', { name, bytes, reasons: [STAYS[reason!] ?? OTHER_STAYS] })
    } catch (error) {
      // The host has no more memory.
      if (!(error instanceof RangeError)) throw error
      this.#leaveOut('beyond', { name, bytes, reasons: [error.message] })
    }
    return true
  }

  /** Counts the tags of a card that the store is given, in place of those of the one before. */
  #countTags({ id, bytes }: StoredCard): void {
    const before = this.#store.get(id)
    if (before?.bytes === bytes) return
    if (before !== undefined) this.#count(engine.examine(before.bytes).document!.value as AgentCard, -1)
    this.#count(this.#coming!, 1)
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
    this.#leaveOut('invalid', { name, bytes, reasons })
  }

  #leaveOut(reason: keyof LeftOut, problem: Kept): void {
    this.#leftOut[reason]++
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem)
  }
}
