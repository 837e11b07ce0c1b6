import { AGENT_CARD } from '../card/specification.ts'
import { type Card, cardOf } from '../card/subject.ts'
import { validate } from '../card/verbs.ts'
import { expectSource, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { check } from '../frame/check.ts'
import { findingAt } from '../frame/subject.ts'
import {
  type Author,
  admit,
  authorshipOf,
  checkSignals,
  type DirectoryLimits,
  type DirectoryOptions,
  noPlace,
  type Settings,
  settingsOf,
} from './admission.ts'
import { type Candidate, CardIndex } from './card-index.ts'
import { DIRECTORY_TOO_MANY } from './findings.ts'
import { isFindable, isGiven, type StoredCard } from './memory-store.ts'
import { readQuery, soughtWords } from './query.ts'
import {
  briefly,
  deeper,
  type Grouping,
  group,
  jsonOf,
  nameIn,
  partOf,
  profileOf,
  type RankingProfile,
  resultOf,
  type Selection,
  shownTo,
  weightsFor,
  weightsOf,
  withCard,
  withFields,
} from './results.ts'
import type {
  AdvertiseResult,
  AgentSignals,
  DescribeOptions,
  DescribeResult,
  IndexQuery,
  Offer,
  QueryStatistics,
  SearchOptions,
  SearchQuery,
  SearchResponse,
  Sender,
} from './types.ts'

/** The limit of nesting for cards, which come from strangers (ADL section 18.5). */
const MOST_DEPTH = 32
/**
 * Larger messages are not parsed. Cards that are too large are parsed up to here, so that findings can name their large
 * members.
 */
const MOST_BYTES = 1 << 20

/** A directory of agents: `createDirectory` makes one. */
export class Directory {
  readonly #settings: Settings
  readonly #index: CardIndex
  readonly #rate: RateLimit
  readonly #own: Uint8Array
  readonly #ownId: string

  /** @internal */
  constructor(settings: Settings, index: CardIndex, own: Uint8Array) {
    this.#settings = settings
    this.#index = index
    this.#rate = new RateLimit(settings.limits.advertisesPerMinute)
    this.#own = own
    this.#ownId = jsonOf(own).id
  }

  /** The limits on what the directory accepts and returns. */
  get limits(): DirectoryLimits {
    return this.#settings.limits
  }

  /** The number of cards that can be found. */
  get size(): number {
    return this.#index.size(this.#now())
  }

  /** Bytes of WebAssembly memory that the index uses. Cards are not included: they are in the store. */
  get memoryBytes(): number {
    return this.#index.memoryBytes
  }

  /**
   * Accepts a card (section 4.2) if it is valid, is proved to come from its agent, and is not older than the stored
   * one.
   *
   * @example
   * await directory.advertise(signedCard) // { status: 'OK', stored: true, reason: 'first', standing: 'signature', diagnostics: [] }
   *
   * @throws {TypeError} when the card is neither bytes nor text. Errors of the store are passed on; nothing is stored
   * then.
   */
  async advertise(source: Uint8Array | string, sender: Sender = {}): Promise<AdvertiseResult> {
    expectSource(source)
    const now = this.#now()
    const name = sender.address ?? sender.id
    // A copy, because the caller may change its bytes in the meantime.
    const bytes = typeof source === 'string' ? source : source.slice()
    const { document, diagnostics } = parse(bytes, { maxDepth: MOST_DEPTH, maxBytes: MOST_BYTES })
    if (document === undefined) return { status: 'INVALID_REQUEST', stored: false, diagnostics }
    if (sender.operator !== true && name !== undefined && !this.#rate.allows(name, now)) {
      const { advertisesPerMinute } = this.#settings.limits
      const detail = `expected at most ${advertisesPerMinute} cards a minute from one sender`
      const refused = findingAt(document, DIRECTORY_TOO_MANY, '', detail)
      return { status: 'BUSY', stored: false, diagnostics: [refused] }
    }
    const report = check(AGENT_CARD, { document, diagnostics }, AGENT_CARD.settings({ now: new Date(now) }))
    if (!report.valid) return { status: 'INVALID_REQUEST', stored: false, diagnostics: report.diagnostics }
    const card = cardOf(document)
    const authorship = await authorshipOf(card, sender, this.#settings)
    if (authorship.standing === undefined) {
      return { status: 'UNAUTHORIZED', stored: false, diagnostics: authorship.diagnostics }
    }
    return this.#keep(card, { ...authorship, sender }, report.diagnostics)
  }

  /**
   * Returns the card of an agent, or the directory's own card without an id (section 4.1). Expired cards are never
   * returned. Revocations are.
   *
   * @example
   * directory.describe('agent://scout', { fields: ['tools'] }).agent_card // { id: 'agent://scout', name: 'Scout', tools: [...] }
   */
  describe(id?: string, { fields, caller }: DescribeOptions = {}): DescribeResult {
    if (id === undefined || id === this.#ownId) {
      const own = withFields({ bytes: this.#own, partial: false }, fields)
      return { status: 'OK', agent_card: jsonOf(own.bytes), ...own }
    }
    const show = shownTo(this.#settings.disclosure, caller)
    // Checked before the store, so that callers who may see nothing cannot probe for agents.
    if (show === 'nothing') return { status: 'UNAUTHORIZED', partial: false }
    const stored = this.#settings.store.get(id)
    if (stored === undefined || !isGiven(stored, this.#now())) return { status: 'NOT_FOUND', partial: false }
    const shown = withFields(partOf(stored.bytes, show)!, fields)
    const { standing, revoked, expiresAt, equivocations } = stored
    return {
      status: 'OK',
      agent_card: jsonOf(shown.bytes),
      ...shown,
      standing,
      revoked,
      expiresAt,
      ...(!shown.partial && { equivocations }),
    }
  }

  /**
   * Returns the best agents for a query (section 4.3), best first. Equal ones are sorted by id. Each result matches at
   * least one tag or one word.
   *
   * @example
   * directory.discover({ tags: ['nlp/translation'], query: 'contracts' }).results[0]
   * // { agent_card: { id: 'agent://translator-zh-en', ... }, score: 0.412345, matched_tags: ['nlp/translation'], ... }
   *
   * @throws {RangeError} for malformed weights; never for the content of the query.
   */
  discover(query: SearchQuery, options: SearchOptions = {}): SearchResponse {
    const { query: asked, diagnostics } = readQuery(query, options.document)
    if (asked === undefined) return { status: 'INVALID_REQUEST', results: [], cut: false, corrections: [], diagnostics }
    const answer = this.rank(asked, options)
    return { ...answer, results: answer.results.map(withCard), diagnostics }
  }

  /**
   * As one of several shards, returns the best agents for a query that `readQuery` read, with each card as JSON.
   * `mergeAnswers` merges the answers of all shards.
   *
   * @throws {RangeError} for malformed weights.
   */
  rank(query: IndexQuery, options: SearchOptions = {}): SearchResponse {
    return rank(this.#index, this.#settings, query, options)
  }

  /**
   * Returns the statistics of this directory, as one of several shards, about the words of a query.
   * `sumQueryStatistics` adds up those of all shards. Counts only what the caller may see of cards.
   */
  statistics(query: IndexQuery, { caller }: Pick<SearchOptions, 'caller'> = {}): QueryStatistics {
    const now = this.#now()
    return this.#index.part(shownTo(this.#settings.disclosure, caller), now).statistics(query, now)
  }

  /**
   * Sets what is known about an agent in addition to its card. Absent signals stay unchanged. Returns true when there
   * is such an agent.
   *
   * @example
   * directory.setSignals('agent://scout', { online: true, activeTasks: 2 }) // true
   *
   * @throws {RangeError} for a signal out of bounds.
   */
  setSignals(id: string, signals: AgentSignals): boolean {
    checkSignals(signals)
    const stored = this.#settings.store.get(id)
    if (stored !== undefined) this.#index.setSignals(stored, signals)
    return stored !== undefined
  }

  /**
   * Adopts a card from another directory, with how and when it was received. The caller must verify whose card it is.
   *
   * @throws {RangeError} when the index has no room for it.
   */
  adopt(stored: StoredCard): void {
    if (!this.#put(stored, this.#now())) throw new RangeError('the index has no room for the card')
  }

  /** Deletes an agent's card and its history. Returns true when there was one. */
  remove(id: string): boolean {
    const { store } = this.#settings
    const had = store.get(id) !== undefined
    if (had) store.delete(id)
    this.#index.forget(id)
    return had
  }

  /** The ranking formula in force, for programs that want to compute the same scores (section 5). */
  rankingProfile(): RankingProfile {
    return profileOf(this.#settings)
  }

  /**
   * Returns the index in chunks of about a megabyte each, for `restoreDirectory`. Cards are not included: they are in
   * the store.
   *
   * @throws {RangeError} when the host is out of memory.
   */
  save(): Uint8Array[] {
    return this.#index.save(this.#now())
  }

  #now(): number {
    return this.#settings.clock().getTime()
  }

  /** Nothing is awaited from here on, so the card that was compared is the one that gets replaced. */
  #keep(card: Card, author: Author & Pick<Offer, 'sender'>, diagnostics: readonly Diagnostic[]): AdvertiseResult {
    const now = this.#now()
    const { answer, put } = admit(card, author, this.#settings, now)
    const kept = put === undefined || this.#put(put, now) ? answer : noPlace(card)
    return kept.status === 'OK' ? { ...kept, diagnostics: [...diagnostics, ...kept.diagnostics] } : kept
  }

  /** Stores a card. Returns false, with nothing changed, when the index has no room. */
  #put(stored: StoredCard, now: number): boolean {
    if (!this.#index.take(stored, now)) return false
    const { store } = this.#settings
    try {
      store.put(stored)
    } catch (error) {
      const before = store.get(stored.id)
      if (before === undefined || !this.#index.take(before, now)) this.#index.drop(stored.id)
      throw error
    }
    return true
  }
}

// Ranks cards for a query: chooses by the index alone, and reads only those cards that are returned.

/** Returns the best cards for a query, each as JSON. With a depth, returns that many candidates for a merge. */
function rank(whole: CardIndex, settings: Settings, query: IndexQuery, options: SearchOptions): SearchResponse {
  const { disclosure, grouping, store } = settings
  const { depth, statistics, caller } = options
  const now = settings.clock().getTime()
  const show = shownTo(disclosure, caller)
  const index = whole.part(show, now)
  const weights = weightsFor(weightsOf(options.weights, settings.weights), query.tags.length > 0)
  for (;;) {
    const { sought, corrections } = soughtWords(statistics ?? index.statistics(query, now))
    const find = (limit: number) => index.find(query, sought, { limit, weights, statistics }, now)
    const { groups, more, ...counts } =
      grouping === undefined || depth !== undefined
        ? selectAll(find, depth ?? query.limit)
        : selectGroups(find, query.limit, grouping)
    const ids = groups.flatMap(({ best, others }) => [best, ...others]).map(({ hit }) => hit.id)
    const found = store.getAll(ids).filter((stored) => isFindable(stored, now))
    const cards = new Map(found.map((stored) => [stored.id, { stored, shown: partOf(stored.bytes, show)! }]))
    // The store is authoritative: removes cards from the index that the store no longer has.
    const gone = ids.filter((id) => cards.get(id)?.shown === undefined)
    if (gone.length > 0) {
      for (const id of gone) index.drop(id)
      continue
    }
    const signals = (id: string) => index.signals(id)
    const words = sought.map(({ word }) => word)
    const background = options.explain ? { ...settings, weights, query, sought: words, signals } : undefined
    const results = groups.map(({ best, others, count }) => {
      const result = resultOf(best.hit, cards.get(best.hit.id)!, query, background)
      if (depth !== undefined)
        return { ...result, ...(best.groupingKey !== undefined && { groupingKey: best.groupingKey }) }
      if (count === 0) return result
      const agents = others.map(({ hit: { id, score } }) => ({ id, name: nameIn(cards.get(id)!.shown), score }))
      return { ...result, same: { count, agents } }
    })
    return {
      status: 'OK',
      results: grouping === undefined || depth === undefined ? results : briefly(results, grouping),
      cut: false,
      corrections: corrections.map(({ word, instead }) => ({
        word: query.written[query.words.indexOf(word)] ?? word,
        instead,
      })),
      diagnostics: [],
      ...(counts.same + counts.left_out > 0 && { grouped: counts }),
      ...(depth !== undefined && { more }),
    }
  }
}

type Find = (limit: number) => readonly Candidate[]

function selectAll(find: Find, limit: number): Selection<Candidate> {
  const found = find(limit)
  const groups = found.map((best) => ({ best, others: [], count: 0 }))
  return { groups, same: 0, left_out: 0, more: found.length === limit }
}

/** Asks for more candidates until grouping leaves enough results. */
function selectGroups(find: Find, limit: number, grouping: Grouping): Selection<Candidate> {
  for (let depth = limit; ; ) {
    const found = find(depth)
    const selection = { ...group(found, limit, grouping), more: found.length === depth }
    const next = selection.groups.length < limit ? deeper(depth, selection.more) : undefined
    if (next === undefined) return selection
    depth = next
  }
}

const MINUTE = 60_000
/**
 * The senders counted within a minute. Above that, the oldest are dropped: a count does not stop a sender with so many
 * names.
 */
const MOST_SENDERS = 10_000

/** Counts the requests of each sender within a minute. */
class RateLimit {
  readonly #most: number
  readonly #counts = new Map<string, { readonly since: number; count: number }>()

  constructor(most: number) {
    this.#most = most
  }

  /** Counts a request. Returns false when the sender has reached the limit. */
  allows(sender: string, now: number): boolean {
    const current = this.#counts.get(sender)
    if (current === undefined || now - current.since >= MINUTE || now < current.since) {
      this.#counts.delete(sender)
      if (this.#counts.size >= MOST_SENDERS) this.#counts.delete(this.#counts.keys().next().value!)
      this.#counts.set(sender, { since: now, count: 1 })
      return this.#most > 0
    }
    if (current.count >= this.#most) return false
    current.count++
    return true
  }
}

/** The card of a directory that was given none of its own (section 4.1). */
const NAMELESS = '{"id":"agent://directory","name":"directory"}'

/**
 * Creates a directory from the cards in a store, and indexes all of them.
 *
 * @example
 * const directory = createDirectory({ store: createMemoryStore() })
 * await directory.advertise(card)
 * directory.discover({ tags: ['nlp'] }).results
 *
 * @throws {TypeError | RangeError} for invalid options, or an invalid own card.
 */
export function createDirectory(options: DirectoryOptions): Directory {
  const { settings, own } = readOptions(options)
  const index = new CardIndex(settings)
  index.build(settings.clock().getTime())
  return new Directory(settings, index, own)
}

export declare namespace restoreDirectory {
  interface Result {
    readonly directory: Directory
    /** Where the index came from. `store` when the chunks could not be used. */
    readonly from: 'snapshot' | 'store'
  }
}

/**
 * Creates a directory from a saved index, and applies later changes of the store, which is authoritative. Chunks that
 * are damaged or come from another version or other options cannot be used. The index is then rebuilt from the store.
 *
 * @example
 * const { directory, from } = restoreDirectory(chunks, { store }) // from: 'snapshot'
 *
 * @throws {TypeError | RangeError} as `createDirectory` does.
 */
export function restoreDirectory(chunks: readonly Uint8Array[], options: DirectoryOptions): restoreDirectory.Result {
  const { settings, own } = readOptions(options)
  const index = new CardIndex(settings)
  const now = settings.clock().getTime()
  const isLoaded = index.load(chunks, now)
  if (!isLoaded) index.build(now)
  return { directory: new Directory(settings, index, own), from: isLoaded ? 'snapshot' : 'store' }
}

function readOptions(options: DirectoryOptions): { settings: Settings; own: Uint8Array } {
  const settings = settingsOf(options)
  const { document, diagnostics } = parse(options.own ?? NAMELESS)
  const problems = document === undefined ? diagnostics : validate(document, { now: settings.clock() }).diagnostics
  const fault = problems.find(({ severity }) => severity === 'error')
  if (fault !== undefined) throw new RangeError(`own: expected a valid Agent Card, got one with ${fault.detail}`)
  return { settings, own: document!.bytes }
}
