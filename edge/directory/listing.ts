// Lists the cards that match a filter: by id, a page at a time, or the latest ones.
import { type AgentCard, matchTag, normalizeTag } from 'blazon/card'
import type { CardStore, StoredCard } from 'blazon/directory'
import type { ListedCard, ListFilter, ListQuery, Page } from '../contracts/directory.ts'

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
