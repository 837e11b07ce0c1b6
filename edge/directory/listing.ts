// Lists the cards that match a filter: by id, a page at a time, or the latest ones.
import { type AgentCard, matchTag, normalizeTag } from 'blazon/card'
import type { CardStore, Standing, StoredCard } from 'blazon/directory'
import type { ListedCard, ListFilter, ListQuery, Page } from '../contracts/directory.ts'
import { Problem } from '../http/problem.ts'

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

// The entry of a card in catalogs of AI resources: AI Catalog and ARD share the form (ard-ai-catalog.schema.json).

/** No type is registered for Agent Cards; this one follows those of A2A's and MCP's cards. */
export const CARD_TYPE = 'application/adp-agent-card+json'

/** The path of a card, relative to the address of the directory. */
export function cardPath(id: string): string {
  return `/agents/${encodeURIComponent(id.slice('agent://'.length))}/card.json`
}

/** The id of the agent named by the open part of such a path. */
export function idOfName(name: string): string {
  return `agent://${name}`
}

/**
 * The entry of a card in the directory at `origin`. The card was checked on arrival, so present members have the right
 * types.
 */
export function catalogEntry(card: AgentCard, standing: Standing, origin: string) {
  const { description, skills, tools, version, metadata } = card
  const capabilities = tools?.map(({ name }) => name) ?? []
  return {
    identifier: urnOf(card.id, new URL(origin).hostname),
    displayName: card.name,
    type: CARD_TYPE,
    url: origin + cardPath(card.id),
    ...(description !== undefined && { description }),
    ...(skills !== undefined && skills.length > 0 && { tags: skills }),
    ...(capabilities.length > 0 && { capabilities }),
    ...(version !== undefined && { version }),
    ...(metadata?.updated_at !== undefined && { updatedAt: metadata.updated_at }),
    metadata: { id: card.id, standing, verified: standing === 'signature' || standing === 'pinned' },
  }
}

/** `urn:air:PUBLISHER:NAMESPACE:NAME`: its segments allow fewer characters than URIs. */
function urnOf(id: string, host: string): string {
  const segments = id.slice('agent://'.length).split('/')
  const safe = segments.map((segment) =>
    segment.replace(/[^\w.-]/g, (character) => `_${character.charCodeAt(0).toString(16)}`),
  )
  return ['urn:air', host.replace(/[^a-zA-Z0-9.-]/g, '-'), 'agents', ...safe].join(':')
}

// Filters of ARD: fields with their allowed values, as an object (POST /search), as parameters, or as an expression
// (GET /agents).

/** The filter of each field. `type` is missing: all entries have the same type. */
const FIELDS = {
  tags: 'tags',
  displayName: 'names',
  'metadata.standing': 'standings',
  standing: 'standings',
  createdAfter: 'createdAfter',
  updatedAfter: 'updatedAfter',
} as const

const CLAUSE = /^\s*([\w.]{1,40})\s*(?:=|>)\s*'([^']{0,200})'\s*$/
const MOST_CLAUSES = 16
/** The most values of a field, as many as a query has tags: each is compared with each card. */
const MOST_VALUES = 32

/** Invalid filters have the error code of ARD, in addition to the usual form of problems. */
export function invalidArgument(detail: string, parameter?: string): Problem {
  const place = parameter === undefined ? {} : { parameter }
  return new Problem('bad-request', detail, { members: { errorCode: 'INVALID_ARGUMENT', message: detail, ...place } })
}

export function noSuchPage(): Problem {
  return invalidArgument('pageToken is invalid: use the one of an answer.', 'pageToken')
}

/**
 * `tags = 'nlp,vision' AND updatedAfter > '2026-01-01'`: all clauses must match, each with one of its comma-separated
 * values.
 */
export function readExpression(text: string): [field: string, values: readonly string[]][] {
  if (text.trim() === '') return []
  // Matches one blank on each side, and leaves others to the clauses: matching runs of blanks takes quadratic time.
  const clauses = text.split(/\sAND\s/)
  if (clauses.length > MOST_CLAUSES) throw invalidArgument(`A filter has at most ${MOST_CLAUSES} clauses.`)
  return clauses.map((clause) => {
    const [, field, values] = CLAUSE.exec(clause) ?? []
    if (field === undefined)
      throw invalidArgument(`Expected FIELD = 'VALUE' as a clause of the filter, got ${clause.trim()}.`)
    return [field, values!.split(',').map((value) => value.trim())]
  })
}

/** The filter with these fields and values; undefined if no card can match it. */
export function readFilter(fields: Iterable<readonly [string, readonly string[]]>): ListFilter | undefined {
  const filter: { -readonly [name in keyof ListFilter]: ListFilter[name] } = {}
  for (const [field, values] of fields) {
    if (values.length > MOST_VALUES)
      throw invalidArgument(`A filter has at most ${MOST_VALUES} values of ${field.slice(0, 40)}.`)
    if (field === 'type') {
      if (!values.includes(CARD_TYPE)) return undefined
      continue
    }
    const name = Object.hasOwn(FIELDS, field) ? FIELDS[field as keyof typeof FIELDS] : undefined
    if (name === undefined) {
      throw invalidArgument(`Unknown filter ${field}. Known: type, ${Object.keys(FIELDS).join(', ')}.`)
    }
    if (name === 'createdAfter' || name === 'updatedAfter') filter[name] = readTime(field, values)
    else filter[name] = values
  }
  return filter
}

function readTime(field: string, [value = '']: readonly string[]): number {
  const time = Date.parse(value)
  if (Number.isNaN(time)) throw invalidArgument(`${field}: expected a time (ISO 8601), got ${value}.`)
  return time
}
