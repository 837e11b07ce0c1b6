import { Card } from '../card/card.ts'
import { checkCard } from '../card/check.ts'
import { freshness } from '../card/freshness.ts'
import { cardVersion, compareCards } from '../card/supersede.ts'
import type { AgentCard } from '../card/types.ts'
import { sameBytes } from '../document/bytes.ts'
import { parse } from '../document/parse.ts'
import { ruleDiagnostic } from '../document/rule.ts'
import type { Diagnostic } from '../document/types.ts'
import { discover } from './discover.ts'
import { cutTtl, noRoom, tooMany } from './findings.ts'
import { readQuery } from './query.ts'
import { questionOf } from './question.ts'
import { profileOf } from './ranking.ts'
import { RateLimit } from './rate.ts'
import { authorshipOf, isSigned } from './receive.ts'
import { jsonOf } from './results.ts'
import { shortageOf } from './room.ts'
import type { DirectoryLimits, Settings } from './settings.ts'
import type { Shelf } from './shelf.ts'
import { shownCard } from './shown.ts'
import { saveShelf } from './snapshot.ts'
import type { Standing, StoredCard } from './stored.ts'
import type {
  Advertised,
  AgentSignals,
  Described,
  DescribeOptions,
  Discovered,
  DiscoverOptions,
  DiscoverQuery,
  QueryStatistics,
  RankingProfile,
  Reason,
  Sender,
} from './types.ts'

/** Deeper nesting than in any document of a stranger that is read (ADL section 18.5). */
const MOST_DEPTH = 32
/** A larger message is not read; what is too large for a card is told by its members. */
const MOST_BYTES = 1 << 20
/** Other cards of one seq that are kept: two show what there is to show. */
export const MOST_EQUIVOCATIONS = 4

/** A directory of agents: `createDirectory` makes one. */
export class Directory {
  readonly #settings: Settings
  readonly #shelf: Shelf
  readonly #rate: RateLimit
  readonly #own: Uint8Array
  readonly #ownId: string

  /** @internal */
  constructor(settings: Settings, shelf: Shelf, own: Uint8Array) {
    this.#settings = settings
    this.#shelf = shelf
    this.#rate = new RateLimit(settings.limits.advertisesPerMinute)
    this.#own = own
    this.#ownId = jsonOf(own).id
  }

  /** What it takes and gives at the most. */
  get limits(): DirectoryLimits {
    return this.#settings.limits
  }

  /** Cards that can be found. */
  get size(): number {
    this.#shelf.expire(this.#now())
    return this.#shelf.index.size
  }

  /** Bytes of WebAssembly memory that the index has. Cards are not in it: the store has these. */
  get memoryBytes(): number {
    return this.#shelf.index.memoryBytes
  }

  /**
   * Takes a card (section 4.2), if it is valid, is shown to be its agent's, and is not older than the one that is there.
   *
   * @example
   * await directory.advertise(signedCard) // { status: 'OK', stored: true, reason: 'first', standing: 'signature', diagnostics: [] }
   *
   * @throws {TypeError} when the card is neither bytes nor text. What the store throws is passed on; nothing is stored then.
   */
  async advertise(source: Uint8Array | string, sender: Sender = {}): Promise<Advertised> {
    const now = this.#now()
    const name = sender.address ?? sender.id
    // What the caller does with its bytes meanwhile is its own matter.
    const bytes = typeof source === 'string' ? source : source.slice()
    const { document, diagnostics } = parse(bytes, { maxDepth: MOST_DEPTH, maxBytes: MOST_BYTES })
    if (document === undefined) return { status: 'INVALID_REQUEST', stored: false, diagnostics }
    if (sender.operator !== true && name !== undefined && !this.#rate.allows(name, now)) {
      const { advertisesPerMinute } = this.#settings.limits
      const detail = `expected at most ${advertisesPerMinute} cards a minute from one sender`
      const refused = ruleDiagnostic(document, tooMany, 'error', '', detail)
      return { status: 'BUSY', stored: false, diagnostics: [refused] }
    }
    const report = checkCard(document, { now: new Date(now) }, diagnostics)
    if (!report.valid) return { status: 'INVALID_REQUEST', stored: false, diagnostics: report.diagnostics }
    const card = new Card(document)
    const authorship = await authorshipOf(card, sender, this.#settings)
    if (authorship.standing === undefined) {
      return { status: 'UNAUTHORIZED', stored: false, diagnostics: authorship.diagnostics }
    }
    const { standing, signer } = authorship
    return this.#keep(card, standing, signer, report.diagnostics)
  }

  /**
   * The card of an agent; the directory's own without an id (section 4.1). Expired cards are given to nobody, a revocation
   * is given as what it is.
   *
   * @example
   * directory.describe('agent://scout', { fields: ['tools'] }).agent_card // { id: 'agent://scout', name: 'Scout', tools: [...] }
   */
  describe(id?: string, { fields, caller }: DescribeOptions = {}): Described {
    if (id === undefined || id === this.#ownId) {
      const own = shownCard(this.#own, undefined, caller, fields)!
      return { status: 'OK', agent_card: jsonOf(own.bytes), ...own }
    }
    const stored = this.#shelf.get(id, this.#now())
    if (stored === undefined) return { status: 'NOT_FOUND', partial: false }
    const shown = shownCard(stored.bytes, this.#settings.disclosure, caller, fields)
    if (shown === undefined) return { status: 'UNAUTHORIZED', partial: false }
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
   * The best agents for a query (section 4.3), best first; of equal ones by id. A result has one of the tags or one of the words.
   *
   * @example
   * directory.discover({ tags: ['nlp/translation'], query: 'contracts' }).results[0]
   * // { agent_card: { id: 'agent://translator-zh-en', ... }, score: 0.412345, matched_tags: ['nlp/translation'], ... }
   *
   * @throws {RangeError} for weights that are none; never for what the query holds.
   */
  discover(query: DiscoverQuery, options: DiscoverOptions = {}): Discovered {
    return discover(this.#shelf, this.#settings, query, options)
  }

  /**
   * What this directory, as one of several shards, knows about the words of a query: `sumQueryStatistics` joins it with the
   * others'. Nothing for a query that is none.
   */
  statistics(query: DiscoverQuery): QueryStatistics {
    const asked = readQuery(query).query
    return this.#shelf.statistics(questionOf(asked ?? {}), this.#now())
  }

  /**
   * Tells what is known of an agent besides its card; what is absent stays as it was. Whether there is such an agent.
   *
   * @example
   * directory.setSignals('agent://scout', { online: true, activeTasks: 2 }) // true
   *
   * @throws {RangeError} for a signal out of bounds.
   */
  setSignals(id: string, signals: AgentSignals): boolean {
    return this.#shelf.setSignals(id, signals)
  }

  /**
   * Takes over a card as another directory had it, with how and when it came. Whose it is, is the caller's to verify.
   *
   * @throws {RangeError} when the index has no room for it.
   */
  adopt(stored: StoredCard): void {
    if (!this.#shelf.put(stored, this.#now())) throw new RangeError('the index has no room for the card')
  }

  /** Forgets an agent, and which cards of it were there. Whether there was one. */
  remove(id: string): boolean {
    return this.#shelf.remove(id)
  }

  /** The formula in force, for who wants to compute the same scores (section 5). */
  rankingProfile(): RankingProfile {
    const { weights, fields, coldStart } = this.#settings
    return profileOf(weights, fields, coldStart)
  }

  /**
   * The index in chunks of about a megabyte each, for `restoreDirectory`. Cards are not in them: the store has these.
   *
   * @throws {RangeError} when the host has no more memory.
   */
  save(): Uint8Array[] {
    this.#shelf.expire(this.#now())
    return saveShelf(this.#shelf, this.#settings)
  }

  #now(): number {
    return this.#settings.now().getTime()
  }

  /** From here on nothing waits: what is compared with is what is written over. */
  #keep(card: Card, standing: Standing, signer: string | undefined, diagnostics: readonly Diagnostic[]): Advertised {
    const now = this.#now()
    const { limits, policy, allowUnsigned, store } = this.#settings
    const { expiresAt, notes } = this.#lifeOf(card, now)
    const answer = (stored: boolean, reason: Reason, more: readonly Diagnostic[] = notes): Advertised => ({
      status: 'OK',
      stored,
      reason,
      standing,
      ...((stored || reason === 'equal') && { expiresAt }),
      diagnostics: [...diagnostics, ...more],
    })
    const { bytes } = card.document
    const id = card.id!.value
    const before = store.get(id)
    if (bytes.length > limits.cardBytes || !policy(card.root.value as AgentCard, standing)) {
      return answer(false, 'policy')
    }
    const offered = cardVersion(card, { signed: isSigned(standing) })
    const held = before && cardVersion(new Card(parse(before.bytes).document!), { signed: isSigned(before.standing) })
    const { stored, reason } = compareCards(held, offered, { allowUnsigned })
    const { seq, updatedAt, revoked } = offered
    // An agent may always say that it is gone.
    const shortage = revoked && before !== undefined ? undefined : shortageOf(card, before, signer, this.#settings)
    if (stored && shortage !== undefined) {
      if (shortage.of === 'quota') return answer(false, 'quota', [shortage.diagnostic])
      return { status: 'FULL', stored: false, diagnostics: [shortage.diagnostic] }
    }
    const next: StoredCard = {
      id,
      bytes,
      seq,
      standing,
      ...(signer !== undefined && { signer }),
      retrievedAt: now,
      ...(updatedAt !== undefined && { updatedAt }),
      expiresAt,
      revoked,
      equivocations: [],
    }
    if (stored) return this.#shelf.put(next, now) ? answer(true, reason) : noPlace(card)
    if (reason === 'equivocation') this.#keepEquivocation(before!, bytes, now)
    if (reason !== 'same') return answer(false, reason === 'stale' ? 'older' : reason)
    if (!this.#shelf.put({ ...before!, retrievedAt: now, expiresAt }, now)) return noPlace(card)
    return before!.revoked || before!.expiresAt > now ? answer(false, 'equal') : answer(true, 'renewed')
  }

  /** Until when a card is given out that came now, and what there is to say of it. */
  #lifeOf(card: Card, now: number): { readonly expiresAt: number; readonly notes: readonly Diagnostic[] } {
    const { defaultTtl, limits } = this.#settings
    const { expiresAt, ttl } = freshness(card, now, now, { defaultTtl })
    if (ttl <= limits.ttl) return { expiresAt, notes: [] }
    const detail = `the card is kept for ${limits.ttl} seconds, not for ${ttl}: advertise it again before`
    const note = ruleDiagnostic(card.document, cutTtl, cutTtl.severity, '/metadata/ttl', detail)
    return { expiresAt: now + 1000 * limits.ttl, notes: [note] }
  }

  /** The card that was first stays; the other one shows that the agent, or who has its key, says two things at once. */
  #keepEquivocation(before: StoredCard, bytes: Uint8Array, now: number): void {
    const { equivocations } = before
    const { store, limits } = this.#settings
    if (equivocations.length >= MOST_EQUIVOCATIONS || equivocations.some((other) => sameBytes(other, bytes))) return
    if (store.bytes + bytes.length > limits.bytes) return
    this.#shelf.put({ ...before, equivocations: [...equivocations, bytes] }, now)
  }
}

function noPlace({ document }: Card): Advertised {
  const detail = 'the index has no room for another card'
  return { status: 'FULL', stored: false, diagnostics: [ruleDiagnostic(document, noRoom, 'error', '', detail)] }
}
