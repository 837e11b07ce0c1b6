// The directory over all shards. It answers as one directory with all of their cards would.
import { type AgentCard, partial as partialCard } from 'blazon/card'
import {
  type AdvertiseResult,
  type AgentSignals,
  DEFAULT_LIMITS,
  type DescribeOptions,
  type DescribeResult,
  type handleInvocation,
  type IndexQuery,
  mergeAnswers,
  readQuery,
  type SearchOptions,
  type SearchQuery,
  type SearchResponse,
  type Sender,
  type StoredCard,
  sumQueryStatistics,
} from 'blazon/directory'
import { parseJson } from 'blazon/document'
import {
  type Claim,
  type DescribedOrRemoved,
  type Layout,
  type ListQuery,
  MOVED,
  type MovedAnswer,
  type Page,
  type ShardObject,
  type Waiting,
} from '../contracts/directory.ts'
import { directoryMap, type Env, moderation, numberOf, senderStub, shardStub } from '../env.ts'
import { Problem } from '../http/problem.ts'
import { claimsOf, ownerOf } from './layout.ts'
import { mergePages } from './listing.ts'
import { admissionIn, groupingIn } from './settings.ts'

/** The directory refuses cards that are nested deeper. */
const MOST_DEPTH = 32

/** A directory that answers invocations like any other. */
export function shardedDirectory(env: Env): handleInvocation.Target {
  return {
    limits: { answerBytes: DEFAULT_LIMITS.answerBytes },
    advertise: (card, sender = {}) => advertise(env, card, sender),
    describe: (id, options = {}) => describe(env, id, options),
    discover: (query, options = {}) => discover(env, query, options, 'answer'),
  }
}

async function advertise(env: Env, source: Uint8Array | string, sender: Sender): Promise<AdvertiseResult> {
  const card = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const { operator, address, admitted } = sender
  // Any shard can check a card without an id.
  const id = idOf(card)
  const brought = { operator: operator === true, admitted: admitted === true }
  const ask = () => askOwner(env, id, (shard, claim) => shard.advertise(claim, id, card, brought))
  if (operator === true || address === undefined) return ask()
  if (!(await env.ADVERTISES.limit({ key: address })).success) return BUSY
  const quota = senderStub(env, address)
  const cards = admissionIn(env) === 'queue' ? numberOf(env, 'SENDER_WAITING') : numberOf(env, 'SENDER_CARDS')
  const most = { cards, bytes: numberOf(env, 'SENDER_BYTES') }
  // Before the card is examined, so that no two cards share the same quota.
  const refused = await quota.take(card.length, most)
  if (refused !== undefined) return { ...BUSY, ...refused }
  const advertised = await ask()
  // Only a new card uses the quota; renewing existing cards is free.
  if (!isNew(advertised)) await quota.giveBack(card.length)
  return advertised.reason === 'waiting' ? park(env, id, card, advertised) : advertised
}

/** Queues a card for the operator. */
async function park(env: Env, id: string, bytes: Uint8Array, advertised: AdvertiseResult): Promise<AdvertiseResult> {
  const { signer, diagnostics } = advertised
  const waiting = { id, bytes, signer, came: Date.now() }
  // A rule that allows the card may have arrived before the card was queued.
  if (await moderation(env).wait(waiting, numberOf(env, 'WAITING_CARDS'))) return offer(env, waiting)
  const detail = 'the queue for the operator is full: send the card again later'
  const full = diagnostics.slice(-1).map((waits) => ({ ...waits, severity: 'error' as const, detail }))
  return { status: 'FULL', stored: false, diagnostics: full }
}

/** Offers a waiting card to its shard. */
export async function offer(env: Env, { id, bytes }: Pick<Waiting, 'id' | 'bytes'>): Promise<AdvertiseResult> {
  const offered = await advertise(env, bytes, {})
  const { status, reason = 'waiting' } = offered
  // Without room, the card keeps waiting: its agent was asked not to send it again.
  if (status === 'OK' && reason !== 'waiting' && reason !== 'quota') await moderation(env).drop([id])
  return offered
}

const BUSY: AdvertiseResult = { status: 'BUSY', stored: false, diagnostics: [] }

const isNew = ({ stored, reason }: AdvertiseResult) =>
  (stored && reason === 'first') || reason === 'equivocation' || reason === 'waiting'

/** Kept for as long as the isolate lives: the key behind the id is made once. */
let known: string | undefined

/** The id under which the directory signs its own card. */
export async function ownId(env: Env): Promise<string> {
  known ??= (await directoryMap(env).identity()).id
  return known
}

/** The card of an agent; the directory's own card without an id, or with the directory's id. */
export async function describe(
  env: Env,
  id: string | undefined,
  options: DescribeOptions,
): Promise<DescribedOrRemoved> {
  if (id === undefined || id === (await ownId(env))) return describeOwn(env, options)
  return askOwner(env, id, (shard, claim) => shard.describe(claim, id, options))
}

/** The directory's own card (section 4.1): always there, and signed. */
async function describeOwn(env: Env, { fields }: DescribeOptions): Promise<DescribeResult> {
  const own = new Uint8Array(await directoryMap(env).card())
  const { document, bytes, partial } = partialCard(own, { fields })
  const { signature } = parseJson(own).document!.value as AgentCard
  const separate = partial && signature !== undefined && { signature }
  return {
    status: 'OK',
    agent_card: document!.value as AgentCard,
    partial,
    bytes: partial ? bytes! : own,
    standing: 'signature',
    ...separate,
  }
}

/**
 * The best cards for a query, each as JSON. The query is read once for all shards. A single shard can make the whole
 * `answer` to `adp.discover`.
 */
export async function discover(
  env: Env,
  query: SearchQuery,
  { document: _, ...options }: SearchOptions,
  wanted: 'rank' | 'answer' = 'rank',
): Promise<SearchResponse> {
  const { query: asked, diagnostics } = readQuery(query)
  if (asked === undefined) return { status: 'INVALID_REQUEST', results: [], cut: false, corrections: [], diagnostics }
  const answer = await withLayout(env, (layout) =>
    rankAll(env, claimsOf(layout), asked, options, diagnostics.length > 0 ? 'rank' : wanted),
  )
  return { ...answer, diagnostics }
}

async function rankAll(
  env: Env,
  claims: readonly Claim[],
  query: IndexQuery,
  options: SearchOptions,
  wanted: 'rank' | 'answer',
): Promise<SearchResponse> {
  // A single shard knows the statistics of all cards, and groups them, by itself.
  if (claims.length === 1) {
    const { answers } = await askAll(env, claims, (shard, claim) => shard[wanted](claim, query, options))
    return answers[0]!
  }
  const told = await askAll(env, claims, (shard, claim) => shard.statistics(claim, query, options))
  const able = claims.filter(({ shard }) => told.answered.includes(shard))
  const statistics = sumQueryStatistics(told.answers)
  const found = await rankAsDeepAsNeeded(env, able, query, { ...options, statistics })
  if (able.length === claims.length) return found
  return { ...found, missing: { asked: claims.length, answered: found.missing?.answered ?? able.length } }
}

/** With grouping, shards are asked for candidates, and for more while these do not fill the answer. */
async function rankAsDeepAsNeeded(
  env: Env,
  claims: readonly Claim[],
  query: IndexQuery,
  options: SearchOptions,
): Promise<SearchResponse> {
  const grouping = groupingIn(env)
  const { limit } = query
  for (let depth = limit; ; ) {
    const wanted = grouping === undefined ? options : { ...options, depth }
    const { answers, partial } = await askAll(env, claims, (shard, claim) => shard.rank(claim, query, wanted))
    const merged = mergeAnswers(answers, { limit, grouping, depth })
    if (merged.deeper === undefined) return { ...merged, ...partial }
    depth = merged.deeper
  }
}

/** A page of the cards, and from how many shards it is when some did not answer. */
export function list(env: Env, query: ListQuery): Promise<Page & Pick<SearchResponse, 'missing'>> {
  return withLayout(env, async (layout) => {
    const { answers, partial } = await askAll(env, claimsOf(layout), (shard, claim) => shard.list(claim, query))
    return { ...mergePages(answers, query), ...partial }
  })
}

/** Stored cards of all shards, by id: a backup with missing cards would be useless. */
export function readStored(env: Env, after: string | undefined, limit: number): Promise<readonly StoredCard[]> {
  return withLayout(env, async (layout) => {
    const { answers, partial } = await askAll(env, claimsOf(layout), (shard, claim) => shard.read(claim, after, limit))
    if (partial !== false) throw nobodyAnswers()
    const cards = answers.flat().sort((a, b) => (a.id < b.id ? -1 : 1))
    return cards.slice(0, limit)
  })
}

/** Passes the signals of an agent to its shard. */
export function tellSignals(env: Env, id: string, signals: AgentSignals): Promise<void> {
  return askOwner(env, id, (shard, claim) => shard.setSignals(claim, id, signals))
}

/** The id in an unchecked card, or an empty string. */
export function idOf(card: Uint8Array): string {
  const { document } = parseJson(card, { maxDepth: MOST_DEPTH })
  const { id } = (document?.value ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : ''
}

// Queries to shards: to the owner of an id, or to all at once. A shard refuses a caller with an old layout, which reads
// the new one and asks again. So an answer always belongs to one layout, in which each card has one shard.

type Question<T> = (shard: ShardObject, claim: Claim) => Promise<T | MovedAnswer>

/** A shard says that the layout is old. */
class OldLayout extends Error {}

/** Attempts while cards are moving, about a second and a half together. */
const ATTEMPTS = 12
const PAUSE_MS = 25

/** Kept for as long as the isolate lives. A shard that disagrees says so. */
let knownLayout: Layout | undefined

/** The result of `work` with the layout, repeated with a newer one while shards say that it is old. */
async function withLayout<T>(env: Env, work: (layout: Layout) => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      knownLayout ??= await directoryMap(env).layout()
      return await work(knownLayout)
    } catch (error) {
      if (!(error instanceof OldLayout)) throw error
    }
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, attempt * PAUSE_MS))
    knownLayout = undefined
  }
  throw new Problem('unavailable', 'Cards are moving between shards. Try again in a moment.')
}

/** Asks the shard that has an id. The question must be harmless if it is asked twice. */
function askOwner<T>(env: Env, id: string, question: Question<T>): Promise<T> {
  return withLayout(env, (layout) => ask(env, ownerOf(layout, id), question))
}

/**
 * The answers of several shards, by shard, at least one. Those of shards that failed or took too long are missing, and
 * `partial` then has their number.
 */
async function askAll<T>(env: Env, claims: readonly Claim[], question: Question<T>) {
  const all = await Promise.all(claims.map((claim) => inTime(env, ask(env, claim, question)).catch(report)))
  const answers = new Map<number, T>()
  for (const [i, answer] of all.entries()) if (answer !== undefined) answers.set(claims[i]!.shard, answer)
  if (answers.size === 0) throw nobodyAnswers()
  const missing = { asked: claims.length, answered: answers.size }
  return {
    answers: [...answers.values()],
    answered: [...answers.keys()],
    partial: answers.size < claims.length && { missing },
  }
}

function nobodyAnswers(): Problem {
  return new Problem('unavailable', 'No shard of the directory answers. It may work in a moment.')
}

/** Moving or restarting an object breaks the connections to it; a second attempt reaches it again. */
async function ask<T>(env: Env, claim: Claim, question: Question<T>): Promise<T> {
  const attempt = () => question(shardStub(env, claim.shard), claim)
  const answer = await attempt().catch((error) => {
    console.error(error)
    return attempt()
  })
  if (answer === MOVED) throw new OldLayout()
  return answer
}

function report(error: unknown): undefined {
  if (error instanceof OldLayout) throw error
  console.error(error)
}

/** A shard that has not answered a query by then is left out of the answer. */
async function inTime<T>(env: Env, answer: Promise<T>): Promise<T> {
  const patience = numberOf(env, 'SHARD_PATIENCE_MS')
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`a shard did not answer within ${patience} ms`)), patience)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
