// Decides which of two cards with the same id counts (Agent Card sections 3.1, 3.2, 6.3, 6.4, 7.3). The table is
// fixtures/card/supersede.md.

import { canonicalizeValue } from '../core/value.ts'
import { cuts, inJson, type Values, withEdits, withMembers, withValues } from '../document/edit.ts'
import { DocumentError } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import { readAs } from '../frame/as.ts'
import { unsigned } from '../frame/signing.ts'
import type { SignResult, Source } from '../frame/source.ts'
import { findingAt } from '../frame/subject.ts'
import { timeOf } from '../schema/times.ts'
import { sameBytes } from '../text/bytes.ts'
import { escapeToken, isObject, type JsonObject, textIn, valueIn } from '../text/members.ts'
import { checkedNow, checkedTime } from '../text/moment.ts'
import { shown } from '../text/words.ts'
import { CARD_NO_HIGHER_SEQ } from './findings.ts'
import { payloadOf } from './signing.ts'
import { type AgentCard, CARD_READING, type Card, cardResult, isRevocation, rootOf } from './subject.ts'

/** The properties of a card that decide which version is newer. */
export interface CardVersion {
  readonly id: string
  readonly seq: bigint | undefined
  /** Milliseconds since 1970. */
  readonly updatedAt: number | undefined
  /** True when the signature was verified. An unverified signature does not count. */
  readonly signed: boolean
  /** Both `tools` and `endpoints` are empty (section 6.4). */
  readonly revoked: boolean
  /** The canonical form without the signature. */
  readonly content: Uint8Array
}

/** Reasons to store the offered card. */
type Newer = 'first' | 'newer' | 'signed' | 'retrieved-later'

/** Reasons to keep the stored card. */
type Older = 'same' | 'stale' | 'seq-missing' | 'seq-used' | 'unsigned-over-signed' | 'equivocation' | 'revoked'

const DETAILS: Readonly<Record<Newer | Older, string>> = {
  first: 'nothing is held of this id',
  newer: 'it is newer than the one that is held',
  signed: 'it is signed, the one that is held is not',
  'retrieved-later': 'neither seq nor updated_at decides, so the one retrieved last counts',
  same: 'it is the one that is held',
  stale: 'it is older than the one that is held',
  'seq-missing': 'it has no seq, the one that is held has one',
  'seq-used': 'another card of this seq is held',
  'unsigned-over-signed': 'it is not signed, the one that is held is',
  equivocation: 'another card of this seq is held, and both are signed',
  revoked: 'the agent was revoked: only a signed card with a higher seq brings it back',
}

/** How the offered card relates to the stored one: by seq, or by updated_at if neither has a seq. */
type Order = 'higher' | 'equal' | 'lower' | 'gained' | 'lost' | 'later' | 'earlier' | 'unordered'

export declare namespace compare {
  interface Options {
    /** Lets an unsigned card with a higher seq replace a signed one. Default false. */
    readonly allowUnsigned?: boolean
  }

  type Result =
    | { readonly stored: true; readonly reason: Newer; readonly detail: string }
    | { readonly stored: false; readonly reason: Older; readonly detail: string }
}

/**
 * Decides whether an offered card replaces the stored one, and gives the reason.
 *
 * @example
 * compare(undefined, versionOf(card, { signed: true })).reason // 'first'
 *
 * @throws {RangeError} for cards with different ids.
 */
export function compare(
  held: CardVersion | undefined,
  offered: CardVersion,
  { allowUnsigned = false }: compare.Options = {},
): compare.Result {
  if (held === undefined) return store('first')
  if (held.id !== offered.id) throw new RangeError('offered: expected a card of the id that the held one has')
  const order = orderOf(held, offered)
  const isSigning = offered.signed && !held.signed
  const isEven = order === 'equal' || order === 'unordered'
  if (isEven && !isSigning && sameBytes(held.content, offered.content)) return refuse('same')
  if (order === 'lower' || order === 'earlier') return refuse('stale')
  if (order === 'lost') return refuse('seq-missing')
  const raised = order === 'higher' || order === 'gained'
  if (held.revoked && !offered.revoked && !(offered.signed && raised)) return refuse('revoked')
  if (held.signed && !offered.signed && !(raised && allowUnsigned)) return refuse('unsigned-over-signed')
  if (raised || order === 'later') return store('newer')
  if (isSigning) return store('signed')
  if (order === 'equal') return refuse(offered.signed ? 'equivocation' : 'seq-used')
  return store('retrieved-later')
}

/**
 * Returns the properties of a card that decide which version is newer.
 *
 * @example
 * versionOf(card, { signed: true }).seq // 7n
 *
 * @param signed is true when its signature was verified.
 */
export function versionOf(card: Card, { signed }: { readonly signed: boolean }): CardVersion {
  const text = textIn(card.metadata, 'updated_at')
  return {
    id: card.id?.value ?? '',
    seq: card.seq?.value,
    updatedAt: text === undefined ? undefined : timeOf(text),
    signed,
    revoked: isRevocation(card),
    // Computed on demand: most cards are the first of their agent and are compared with nothing.
    get content() {
      return payloadOf(card.document)
    },
  }
}

function orderOf(held: CardVersion, offered: CardVersion): Order {
  if (held.seq !== undefined && offered.seq !== undefined) {
    return offered.seq > held.seq ? 'higher' : offered.seq < held.seq ? 'lower' : 'equal'
  }
  if (offered.seq !== undefined) return 'gained'
  if (held.seq !== undefined) return 'lost'
  const [before, after] = [held.updatedAt ?? Number.NEGATIVE_INFINITY, offered.updatedAt ?? Number.NEGATIVE_INFINITY]
  return after > before ? 'later' : after < before ? 'earlier' : 'unordered'
}

const store = (reason: Newer): compare.Result => ({ stored: true, reason, detail: DETAILS[reason] })
const refuse = (reason: Older): compare.Result => ({ stored: false, reason, detail: DETAILS[reason] })

export declare namespace freshness {
  interface Options {
    /** When the card was retrieved. */
    readonly retrievedAt: Date
    /** Default: the current time. */
    readonly now?: Date
    /** The ttl of cards without one, in seconds. Default 3600. */
    readonly defaultTtl?: number
  }

  /** How long a card may be used. */
  interface Result {
    readonly fresh: boolean
    /** Milliseconds since 1970. Fetch the card again from then on. */
    readonly expiresAt: number
    /** Seconds. */
    readonly ttl: number
    /** The source of the ttl: the card itself, or the default. */
    readonly from: 'card' | 'default'
  }
}

const HOUR = 3600

/** The latest time that a Date can hold. */
const LAST = 8.64e15

/**
 * Computes how long a card is fresh (section 6.3). Its ttl counts from the time of retrieval, not from the times in the
 * card.
 *
 * @example
 * freshness(card, { retrievedAt: new Date('2026-03-24T12:00:00Z'), now: new Date('2026-03-24T12:59:59Z') })
 * // { fresh: true, expiresAt: 1774357200000, ttl: 3600, from: 'card' }
 *
 * @throws {TypeError} for invalid times, {RangeError} for a default that is not a number of seconds.
 */
export function freshness(
  card: Card | AgentCard,
  { retrievedAt, now = new Date(), defaultTtl = HOUR }: freshness.Options,
): freshness.Result {
  const [from, to] = [checkedTime('retrievedAt', retrievedAt).getTime(), checkedTime('now', now).getTime()]
  if (!(defaultTtl >= 0)) throw new RangeError(`defaultTtl: expected seconds, got ${String(defaultTtl)}`)
  const stated = valueIn(rootOf(card), 'metadata', 'ttl')
  const own = typeof stated === 'number' && stated >= 0
  const ttl = own ? stated : defaultTtl
  const expiresAt = Math.min(from + ttl * 1000, LAST)
  return { fresh: to < expiresAt, expiresAt, ttl, from: own ? 'card' : 'default' }
}

export interface UpdateOptions {
  /** The file name of the card in diagnostics. */
  readonly file?: string
  /** The time of the update. Default: the current time. */
  readonly now?: Date
}

/** Members that an update sets itself (`seq`, `signature`), or that identify the card (`id`). */
const OWN = ['id', 'seq', 'signature']

/**
 * Returns the next version of a card. The given members replace those of the card, and `undefined` removes one. Members
 * of `metadata` are merged. seq is raised by one and `metadata.updated_at` is set. `created_at` and everything else
 * stay byte for byte. The signature is removed, because it covers the previous card.
 *
 * @example
 * const { bytes } = update('{"id": "agent://scout", "name": "Scout", "seq": 4}', { version: '1.1.0' })
 * // {"id": "agent://scout", "name": "Scout", "seq": 5,"version":"1.1.0","metadata":{"updated_at":"..."}}
 *
 * @throws {TypeError} for wrong arguments, {RangeError} for changes of id, seq or signature, and for values that JSON
 * lacks.
 */
export function update(
  previous: Source,
  changes: Readonly<Record<string, unknown>> = {},
  { file, now = new Date() }: UpdateOptions = {},
): SignResult {
  checkArguments(changes, now)
  const { subject: card, diagnostics } = readAs(CARD_READING, previous, file)
  if (card === undefined) return unsigned(diagnostics)
  const seq = nextSeq(card)
  if (typeof seq === 'string') {
    const finding = findingAt(card.document, CARD_NO_HIGHER_SEQ, '/seq', seq)
    return { document: undefined, bytes: undefined, diagnostics: [finding] }
  }
  const { metadata, ...others } = changes
  const gone = ['signature', ...Object.keys(others).filter((name) => others[name] === undefined)]
  const kept = withMembers(inJson(card.document), (name) => !gone.includes(name))
  return cardResult(withMetadata(withValues(kept, valuesIn('', { ...others, seq })), card, metadata, now), [])
}

function checkArguments(changes: Readonly<Record<string, unknown>>, now: Date): void {
  if (!isObject(changes)) throw new TypeError(`changes: expected an object, got ${shown(changes)}`)
  checkedNow(now)
  for (const [name, value] of Object.entries(changes)) {
    if (value !== undefined) checkValue(name, value)
  }
  const { metadata } = changes
  if (Object.hasOwn(changes, 'metadata') && !isObject(metadata)) {
    throw new TypeError(`changes.metadata: expected an object, got ${shown(metadata)}`)
  }
  const own = OWN.find((name) => Object.hasOwn(changes, name))
  if (own !== undefined) throw new RangeError(`changes: expected members other than ${OWN.join(', ')}, got ${own}`)
}

function checkValue(name: string, value: unknown): void {
  try {
    canonicalizeValue(value)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new RangeError(`changes.${name}: ${error.diagnostics[0]!.detail}`)
  }
}

/** Returns the next seq, or the reason that it cannot be raised: the new card could not be signed. */
function nextSeq({ root, seq }: Card): number | string {
  const found = valueIn(root, 'seq')
  if (found === undefined) return 1
  if (seq === undefined) return `expected a uint64 to raise, found ${shown(found)}`
  if (seq.value < BigInt(Number.MAX_SAFE_INTEGER)) return Number(seq.value) + 1
  return `${seq.value} cannot be raised: integers beyond 2^53 - 1 cannot be signed`
}

/**
 * Merges the changes and the time into the metadata. The time always advances, so that two updates have different
 * times.
 */
function withMetadata(document: Document, { metadata }: Card, changes: unknown, now: Date): Document {
  const before = textIn(metadata, 'updated_at')
  const last = before === undefined ? undefined : timeOf(before)
  const time = last === undefined || last < now.getTime() ? now : new Date(last + 1)
  const created = valueIn(metadata, 'created_at')
  const members = {
    ...(isObject(changes) && changes),
    ...(created !== undefined && { created_at: created }),
    updated_at: time.toISOString().replace('.000Z', 'Z'),
  }
  if (metadata === undefined) return withValues(document, [['/metadata', members]])
  const { tape } = document
  const goes = ([, value]: readonly [string, unknown]) => value === undefined
  const gone = Object.entries(members)
    .filter(goes)
    .map(([name]) => name)
  const stays = (name: number) => !gone.includes(tape.text(name))
  const kept = withEdits(document, cuts(document, tape.find(['metadata']), stays))
  return withValues(kept, valuesIn('/metadata', members))
}

/** The members that have a value, with their pointers below `parent`. */
function valuesIn(parent: string, members: JsonObject): Values {
  return Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${parent}/${escapeToken(name)}`, value] as const],
  )
}

/**
 * Returns a card that revokes the agent: an update with empty tools and endpoints. It takes effect once it is signed.
 *
 * @example
 * const { document } = revoke(bytes, { now: new Date() })
 * isRevocation(document.value) // true
 *
 * @throws {TypeError} for wrong arguments.
 */
export function revoke(previous: Source, options: UpdateOptions = {}): SignResult {
  return update(previous, { tools: [], endpoints: [] }, options)
}
