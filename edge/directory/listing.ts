// Lists the cards that match a filter: by id, a page at a time, or the latest ones.
import { type AgentCard, Card, matchTag, normalizeTag, selectEndpoint } from 'blazon/card'
import type { AdvertiseResult, CardStore, StoredCard } from 'blazon/directory'
import { fetchDocument, type GuardedFetch } from 'blazon/discover'
import { parseJson } from 'blazon/document'
import {
  type ListedCard,
  type ListFilter,
  type ListQuery,
  MOVED,
  type MovedAnswer,
  type Page,
} from '../contracts/directory.ts'

/** The most cards to read for one page: a filter with few matches must not read all cards. */
const MOST_READ = 2000
const BATCH = 100
/** The most tags of a card, as in its index. */
const MOST_TAGS = 256

type ListedStore = CardStore & { newest(): Iterable<StoredCard> }

/** The next cards of a store. */
export function listCards(store: ListedStore, query: ListQuery, now: number): Page {
  return query.newest ? { cards: newestCards(store, query, now) } : cardsById(store, query, now)
}

/** The latest cards, newest first. */
function newestCards(store: ListedStore, query: ListQuery, now: number): readonly ListedCard[] {
  const cards: ListedCard[] = []
  let read = 0
  for (const stored of store.newest()) {
    const listed = listedFrom(stored, query, now)
    if (listed !== undefined) cards.push(listed)
    if (cards.length === query.limit || ++read === MOST_READ) break
  }
  return cards
}

function cardsById(store: CardStore, query: ListQuery, now: number): Page {
  const cards: ListedCard[] = []
  let after = query.after
  for (let read = 0; read < MOST_READ; read += BATCH) {
    const batch = store.list(after, BATCH)
    for (const stored of batch) {
      after = stored.id
      const listed = listedFrom(stored, query, now)
      if (listed === undefined) continue
      cards.push(listed)
      if (cards.length === query.limit) return { cards, until: after }
    }
    if (batch.length < BATCH) return { cards }
  }
  return after === undefined ? { cards } : { cards, until: after }
}

/** Merges the pages of several shards. */
export function mergePages(pages: readonly Page[], { newest, limit }: ListQuery): Page {
  if (newest) {
    const cards = pages.flatMap((page) => page.cards).sort((a, b) => b.retrievedAt - a.retrievedAt)
    return { cards: cards.slice(0, limit) }
  }
  const ends = pages.flatMap(({ until }) => (until === undefined ? [] : [until]))
  const [end] = ends.sort()
  const cards = pages
    .flatMap((page) => page.cards)
    .filter(({ agent_card: { id } }) => end === undefined || id <= end)
    .sort((a, b) => (a.agent_card.id < b.agent_card.id ? -1 : 1))
  if (cards.length > limit) return { cards: cards.slice(0, limit), until: cards[limit - 1]!.agent_card.id }
  return end === undefined ? { cards } : { cards, until: end }
}

/** The entry of a card; undefined if the card has expired or does not match the filter. */
function listedFrom(stored: StoredCard, query: ListFilter, now: number): ListedCard | undefined {
  const { bytes, standing, retrievedAt, revoked, expiresAt } = stored
  if (revoked || expiresAt <= now) return undefined
  const listed = { agent_card: JSON.parse(new TextDecoder().decode(bytes)) as AgentCard, standing, retrievedAt }
  return fits(listed, query) ? listed : undefined
}

function fits({ agent_card: card, standing }: ListedCard, filter: ListFilter): boolean {
  const { tags, names, standings, createdAfter, updatedAfter } = filter
  const { created_at: created, updated_at: updated } = card.metadata ?? {}
  if (tags !== undefined && !hasOneOf(card.skills ?? [], tags)) return false
  if (names !== undefined && !names.some((name) => card.name.toLowerCase().includes(name.toLowerCase()))) return false
  if (standings !== undefined && !standings.includes(standing)) return false
  if (createdAfter !== undefined && !(Date.parse(created ?? '') > createdAfter)) return false
  return updatedAfter === undefined || Date.parse(updated ?? '') > updatedAfter
}

/** Compares tags in their normal form, as all searches for tags do. */
function hasOneOf(skills: readonly string[], tags: readonly string[]): boolean {
  const spelled = skills.slice(0, MOST_TAGS).map(normalizeTag)
  return tags.some((tag) => {
    const query = normalizeTag(tag)
    return spelled.some((skill) => matchTag(query, skill))
  })
}

// Before a card expires, its agent is asked for it again (ADP section 6.3), if it has an HTTP endpoint.

/** The time before a card's expiry. */
export const LEAD_MS = 300_000
/** The delay before asking an agent again that did not answer. */
const RETRY_MS = 60_000
/** The most agents to ask per alarm, all at once. */
const MOST_AT_ONCE = 20
const PATIENCE_MS = 5000
/** The most cards to look at per alarm: after many that do not answer, the rest waits for the next alarm. */
const MOST_LOOKED_AT = 500
/** The most bytes of a message (section 7.6). */
const MOST_BYTES = 65_535

/** Stores a card of an agent, unless the card is moving to another shard. */
type Put = (id: string, card: Uint8Array, operator: boolean) => Promise<AdvertiseResult | MovedAnswer>

/** Asks agents for their cards again, a bounded number at a time, and never at an address that is not public. */
export class Renewal {
  readonly #store: CardStore
  readonly #put: Put
  readonly #fetch: GuardedFetch
  /** The time of each failed attempt; forgotten once the card has expired. */
  #failed = new Map<string, number>()
  /** The last alarm covered the cards that expire up to then; it did not reach the others. */
  #reached = 0

  constructor(store: CardStore, put: Put, fetch: GuardedFetch) {
    this.#store = store
    this.#put = put
    this.#fetch = fetch
  }

  /** Renews some of the cards that expire soon; the others wait for later alarms. */
  async run(now: number): Promise<void> {
    const due = this.#due(now)
    const renewed = await Promise.all(due.map((id) => this.#renew(id).catch(() => false)))
    for (const [i, id] of due.entries()) if (renewed[i] !== true) this.#failed.set(id, now)
  }

  #due(now: number): string[] {
    for (const [id, last] of this.#failed) if (last < now - LEAD_MS) this.#failed.delete(id)
    const due: string[] = []
    let looked = 0
    let before = Math.max(this.#reached, now)
    let reached = before
    for (const { id, expiresAt } of this.#store.expiring(before, now + LEAD_MS)) {
      if (++looked > MOST_LOOKED_AT || due.length === MOST_AT_ONCE) {
        // Other cards may expire in the same millisecond. They are skipped if none of very many needs a request.
        this.#reached = due.length > 0 ? before : reached
        return due
      }
      if (expiresAt > reached) before = reached
      reached = expiresAt
      const last = this.#failed.get(id)
      if (last === undefined || last <= now - RETRY_MS) due.push(id)
    }
    // Starts over from the first card.
    this.#reached = 0
    return due
  }

  async #renew(id: string): Promise<boolean> {
    const stored = this.#store.get(id)
    if (stored === undefined) return false
    const { bytes, standing } = stored
    const address = describeAddress(bytes)
    if (address === undefined) return false
    const outcome = await fetchDocument(address, 'application/json', {
      fetch: this.#fetch,
      body: '{}',
      maxBytes: MOST_BYTES,
      timeoutMs: PATIENCE_MS,
      maxRedirects: 0,
    })
    if (!outcome.ok) return false
    // The holder of the token that the card came with vouched for its endpoint.
    const advertised = await this.#put(id, outcome.fetched.bytes, standing === 'token')
    return advertised !== MOVED && advertised.status === 'OK'
  }
}

/** The address at which the agent answers `adp.describe`; undefined without an HTTP endpoint. */
function describeAddress(bytes: Uint8Array): string | undefined {
  const { endpoints } = selectEndpoint(new Card(parseJson(bytes).document!), { protocols: ['http+json'], auth: [] })
  const [first] = endpoints
  return first === undefined ? undefined : `${first.uri.replace(/\/$/, '')}/adp/describe`
}
