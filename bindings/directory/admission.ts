// Decides whether to store a card whose origin is known. It may be refused because of the stored card or for lack of
// room.

import type { disclose } from '../card/disclosure.ts'
import type { AnsResolver } from '../card/identity.ts'
import { type AgentCard, Card, MOST_OCTETS } from '../card/subject.ts'
import { compare, freshness, versionOf } from '../card/supersede.ts'
import { verify } from '../card/verbs.ts'
import type { Factors } from '../core/index.ts'
import type { FindingKind } from '../document/finding.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { KeyResolver, Proof } from '../frame/source.ts'
import { findingAt } from '../frame/subject.ts'
import type { PlatformOptions } from '../keys/platform.ts'
import { sameBytes } from '../text/bytes.ts'
import { quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { type CardStore, isGiven, type Standing, type StoredCard } from './memory-store.ts'
import {
  type ColdStart,
  coldStartOf,
  fieldsOf,
  type Grouping,
  groupingOf,
  otherJson,
  type Ranking,
  type TextFields,
  weightsOf,
  within,
} from './results.ts'
import type { AdvertiseResult, AgentSignals, Offer, Reason, Refusal, Sender, SignalSource } from './types.ts'

interface Admission {
  readonly answer: AdvertiseResult
  /** The card to store. If there is one, the answer is valid only after it is stored. */
  readonly put?: StoredCard
}

export function admit(card: Card, author: Author & Pick<Offer, 'sender'>, settings: Settings, now: number): Admission {
  const { standing, signer, sender } = author
  const { limits, policy, allowUnsigned, store } = settings
  const { expiresAt, notes } = lifeOf(card, settings, now)
  const answer = (stored: boolean, reason: Reason, diagnostics = notes): AdvertiseResult => ({
    status: 'OK',
    stored,
    reason,
    standing,
    ...(signer !== undefined && { signer }),
    ...((stored || reason === 'equal') && { expiresAt }),
    diagnostics,
  })
  const { bytes } = card.document
  const id = card.id!.value
  if (bytes.length > limits.cardBytes) return { answer: answer(false, 'policy') }
  const wanted = policy(card.root.value as AgentCard, standing, { signer, sender })
  if (wanted === false) return { answer: answer(false, 'policy') }
  if (wanted !== true) {
    const { reason, detail } = wanted
    return {
      answer: answer(false, reason, [findingAt(card.document, FINDINGS.DIRECTORY_NOT_ADMITTED, '/id', detail)]),
    }
  }
  const before = store.get(id)
  const offered = versionOf(card, { signed: isSigned(standing) })
  const held = before && versionOf(new Card(parse(before.bytes).document!), { signed: isSigned(before.standing) })
  const { stored, reason } = compare(held, offered, { allowUnsigned })
  if (stored) {
    const { seq, updatedAt, revoked } = offered
    // There is always room for a revocation of a stored card.
    const shortage = revoked && before !== undefined ? undefined : shortageOf(card, before, signer, settings)
    if (shortage?.of === 'quota') return { answer: answer(false, 'quota', [shortage.diagnostic]) }
    if (shortage !== undefined) return { answer: full(shortage.diagnostic) }
    const json = otherJson(bytes, seq)
    const put: StoredCard = {
      id,
      bytes,
      ...(json !== undefined && { json }),
      seq,
      standing,
      ...(signer !== undefined && { signer }),
      retrievedAt: now,
      ...(updatedAt !== undefined && { updatedAt }),
      expiresAt,
      revoked,
      equivocations: [],
    }
    return { answer: answer(true, reason), put }
  }
  if (reason === 'same') {
    return {
      answer: isGiven(before!, now) ? answer(false, 'equal') : answer(true, 'renewed'),
      put: { ...before!, retrievedAt: now, expiresAt },
    }
  }
  const put = reason === 'equivocation' && withEquivocation(before!, bytes, settings)
  return { answer: answer(false, reason === 'stale' ? 'older' : reason), ...(put && { put }) }
}

/**
 * Returns why there is no room for a card that replaces the earlier one: overall, or for its signing key. Undefined
 * when there is room.
 */
function shortageOf(
  { document }: Card,
  before: StoredCard | undefined,
  signer: string | undefined,
  { store, limits }: Settings,
): { readonly of: 'full' | 'quota'; readonly diagnostic: Diagnostic } | undefined {
  const shortage = (of: 'full' | 'quota', most: string) => {
    return {
      of,
      diagnostic: findingAt(document, FINDINGS.DIRECTORY_FULL, '', `the directory keeps at most ${most}`),
    }
  }
  const { bytes, cards, cardsPerSigner } = limits
  const growth = document.bytes.length - (before?.bytes.length ?? 0)
  if (growth > 0 && store.bytes + growth > bytes) return shortage('full', `${bytes} bytes`)
  if (before !== undefined) return undefined
  if (store.size >= cards) return shortage('full', `${cards} cards`)
  if (signer === undefined || store.signedBy(signer) < cardsPerSigner) return undefined
  return shortage('quota', `${cardsPerSigner} cards that one key signed`)
}

/** The answer when the index is full, whatever room the store has. */
export function noPlace({ document }: Card): AdvertiseResult {
  return full(findingAt(document, FINDINGS.DIRECTORY_FULL, '', 'the index has no room for another card'))
}

const full = (diagnostic: Diagnostic): AdvertiseResult => ({ status: 'FULL', stored: false, diagnostics: [diagnostic] })

/** When a card that arrives now expires, with a note if its ttl was cut. */
function lifeOf(card: Card, { defaultTtl, limits }: Settings, now: number) {
  const { expiresAt, ttl } = freshness(card, { retrievedAt: new Date(now), now: new Date(now), defaultTtl })
  if (ttl <= limits.ttl) return { expiresAt, notes: [] }
  const detail = `the card is kept for ${limits.ttl} seconds, not for ${ttl}: advertise it again before`
  const note = findingAt(card.document, FINDINGS.DIRECTORY_TTL, '/metadata/ttl', detail)
  return { expiresAt: now + 1000 * limits.ttl, notes: [note] }
}

/** The first card stays. The other one proves that the key signed two different cards under one seq. */
function withEquivocation(before: StoredCard, bytes: Uint8Array, { store, limits }: Settings): StoredCard | undefined {
  const { equivocations } = before
  if (equivocations.length >= limits.equivocations || equivocations.some((other) => sameBytes(other, bytes))) return
  if (store.bytes + bytes.length > limits.bytes) return
  return { ...before, equivocations: [...equivocations, bytes] }
}

// Determines whose card it is (section 7.1), before the card is stored or served.

/** True for standings that count as signed when cards replace each other: the signature was verified with some key. */
const isSigned = (standing: Standing): boolean => standing === 'signature' || standing === 'pinned'

/** How a card was proved to come from its agent, and the key that proved it, if it was a key. */
export interface Author {
  readonly standing: Standing
  readonly signer: string | undefined
}

type Authorship = Author | { readonly standing: undefined; readonly diagnostics: readonly Diagnostic[] }

/** Checks everything that can prove whose card it is. If nothing does, the diagnostics say why. */
export async function authorshipOf(card: Card, sender: Sender, settings: Settings): Promise<Authorship> {
  const { id } = sender
  if (id !== undefined && id !== card.id!.value) {
    return refuse(
      card,
      FINDINGS.DIRECTORY_OTHER_SENDER,
      `expected ${quoted(id)}, which sends it, found ${quoted(card.id!.value)}`,
    )
  }
  const vouched = vouchedFor(sender, settings)
  // Verification of an unsigned card cannot succeed, whatever keys are known. It would only report what is missing.
  if (vouched !== undefined && card.root.value['signature'] === undefined) return vouched
  const { keys, ans, subtle } = settings
  const proof = await verify(card.document, {
    ...(keys && { resolver: keys }),
    ...(ans && { ans }),
    ...(subtle && { subtle }),
  })
  // An invalid signature counts against the card, even if the sender is trusted.
  if (proof.verdict === 'failed') return { standing: undefined, diagnostics: diagnosticsOf(proof) }
  if (proof.verdict === 'verified') {
    const standing = dataOf(proof, 'identity')['trust'] === 'resolver' ? 'pinned' : 'signature'
    return { standing, signer: dataOf(proof, 'signature')['fingerprint'] as string }
  }
  if (vouched !== undefined) return vouched
  const refused = findingAt(
    card.document,
    FINDINGS.DIRECTORY_NOT_SHOWN,
    '/id',
    `${quoted(card.id!.value)} is not verified`,
  )
  return { standing: undefined, diagnostics: [refused, ...diagnosticsOf(proof)] }
}

function vouchedFor({ id, operator }: Sender, { trustSource, acceptUnverified }: Settings): Author | undefined {
  const author = (standing: Standing): Author => ({ standing, signer: undefined })
  if (id !== undefined && trustSource) return author('source')
  if (operator === true) return author('token')
  return acceptUnverified ? author('none') : undefined
}

function refuse({ document }: Card, rule: FindingKind, detail: string): Authorship {
  return { standing: undefined, diagnostics: [findingAt(document, rule, '/id', detail)] }
}

const diagnosticsOf = ({ steps }: Proof): Diagnostic[] => steps.flatMap(({ diagnostic }) => diagnostic ?? [])

const dataOf = ({ steps }: Proof, name: string) => steps.find((step) => step.name === name)?.data ?? {}

export interface DirectoryLimits {
  /** Maximum bytes of a card. Default 65,535, which is also the upper limit. */
  readonly cardBytes: number
  /** Maximum bytes of a response body, as JSON. Default 65,535. */
  readonly answerBytes: number
  /** Maximum number of cards in the store. Default 1,000,000. */
  readonly cards: number
  /** Maximum bytes of the store, as it counts them itself. Default: no limit. */
  readonly bytes: number
  /** Maximum number of cards that one key may sign. Default: no limit. */
  readonly cardsPerSigner: number
  /**
   * Maximum seconds that a card is served after it arrived, even if its own ttl is longer. Default 2,592,000 (30 days).
   */
  readonly ttl: number
  /** Cards that one known sender may advertise per minute. Default 600. The operator has no such limit. */
  readonly advertisesPerMinute: number
  /** How many other cards with the same seq are kept in addition to the first. Default 4; one is enough as proof. */
  readonly equivocations: number
}

export interface DirectoryOptions extends PlatformOptions {
  readonly store: CardStore
  /** Returns the current time. Default: the platform's clock. */
  readonly clock?: () => Date
  /** From 0 to 1 each. Default: those of table 11. */
  readonly weights?: Partial<Factors>
  /** How often each member counts as text. Default: the description once, and the labels of skills twice. */
  readonly fields?: Partial<TextFields>
  readonly coldStart?: Partial<ColdStart>
  readonly signals?: SignalSource
  /** The known keys of agents. Cards of these agents must be signed with them. */
  readonly keys?: KeyResolver
  /** A resolver of the Agent Name System. */
  readonly ans?: AnsResolver
  /** Lets an authenticated sender advertise its own card without a signature. Default false. */
  readonly trustSource?: boolean
  /**
   * Accepts cards whose origin is not proved, for example from your own folder. Default false. An invalid signature is
   * always refused.
   */
  readonly acceptUnverified?: boolean
  /** Lets an unsigned card with a higher `seq` replace a signed one. Default false. */
  readonly allowUnsigned?: boolean
  /** Decides which acceptable cards the directory wants. Default: all of them. */
  readonly policy?: (card: AgentCard, standing: Standing, offer: Offer) => boolean | Refusal
  /** Which callers may see which parts of cards (sections 7.2 and 7.5). Default: anyone sees everything. */
  readonly disclosure?: readonly disclose.Rule[]
  /** The ttl in seconds of cards without `metadata.ttl`. Default 3600. */
  readonly defaultTtl?: number
  readonly limits?: Partial<DirectoryLimits>
  /** Groups cards with the same text or source in responses. Default: no grouping. */
  readonly grouping?: Partial<Grouping>
  /** The directory's own card, as JSON. Sign it, so that callers can verify it. */
  readonly own?: Uint8Array | string
}

type Optional = 'keys' | 'ans' | 'subtle' | 'disclosure'
type ReadOption = 'weights' | 'fields' | 'coldStart' | 'limits' | 'own' | 'grouping'

export type Settings = Required<Omit<DirectoryOptions, ReadOption | Optional>> &
  Pick<DirectoryOptions, Optional> &
  Ranking & {
    readonly limits: DirectoryLimits
    readonly grouping: Grouping | undefined
  }

/** The default limits. */
export const DEFAULT_LIMITS: DirectoryLimits = {
  cardBytes: MOST_OCTETS,
  answerBytes: MOST_OCTETS,
  cards: 1_000_000,
  bytes: Number.MAX_SAFE_INTEGER,
  cardsPerSigner: Number.MAX_SAFE_INTEGER,
  ttl: 30 * 86_400,
  advertisesPerMinute: 600,
  equivocations: 4,
}
const HOUR = 3600

/** Fills in defaults. Throws for invalid options. */
export function settingsOf(options: DirectoryOptions): Settings {
  const { store, weights, fields, coldStart, limits, defaultTtl = HOUR, grouping, ...others } = options
  if (typeof store?.get !== 'function') throw new TypeError(`store: expected a CardStore, got ${typeof store}`)
  const settings: Settings = {
    clock: () => new Date(),
    signals: { signals: () => undefined },
    trustSource: false,
    acceptUnverified: false,
    allowUnsigned: false,
    policy: () => true,
    ...others,
    store,
    weights: weightsOf(weights),
    fields: fieldsOf(fields),
    coldStart: coldStartOf(coldStart),
    defaultTtl: within('defaultTtl', defaultTtl, Number.MAX_SAFE_INTEGER),
    limits: { ...DEFAULT_LIMITS, ...limits },
    grouping: grouping && groupingOf(grouping),
  }
  for (const [name, limit] of Object.entries(settings.limits)) within(`limits.${name}`, limit, Number.MAX_SAFE_INTEGER)
  within('limits.cardBytes', settings.limits.cardBytes, MOST_OCTETS)
  return settings
}

/** Throws for an invalid signal. */
export function checkSignals(signals: AgentSignals): void {
  const { reputation = 0, rating = 0, completedTasks = 0, activeTasks = 0, online = false } = signals
  within('reputation', reputation, 1)
  within('rating', rating, 1)
  within('completedTasks', completedTasks, Number.MAX_SAFE_INTEGER)
  within('activeTasks', activeTasks, Number.MAX_SAFE_INTEGER)
  if (typeof online !== 'boolean') throw new TypeError(`online: expected a boolean, got ${typeof online}`)
}
