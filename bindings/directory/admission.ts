// Decides whether to store a card whose origin is known. It may be refused because of the stored card or for lack of
// room.

import { type AgentCard, Card } from '../card/subject.ts'
import { compare, freshness, versionOf } from '../card/supersede.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { sameBytes } from '../text/bytes.ts'
import { DIRECTORY_FULL, DIRECTORY_NOT_ADMITTED, DIRECTORY_TTL } from './findings.ts'
import { type Author, isSigned } from './receive.ts'
import { otherJson } from './results.ts'
import type { Settings } from './settings.ts'
import { isGiven, type StoredCard } from './stored.ts'
import type { AdvertiseResult, Offer, Reason } from './types.ts'

export interface Admission {
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
      answer: answer(false, reason, [
        ruleDiagnostic(card.document, DIRECTORY_NOT_ADMITTED, DIRECTORY_NOT_ADMITTED.severity, '/id', detail),
      ]),
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
      diagnostic: ruleDiagnostic(
        document,
        DIRECTORY_FULL,
        DIRECTORY_FULL.severity,
        '',
        `the directory keeps at most ${most}`,
      ),
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
  return full(
    ruleDiagnostic(document, DIRECTORY_FULL, DIRECTORY_FULL.severity, '', 'the index has no room for another card'),
  )
}

const full = (diagnostic: Diagnostic): AdvertiseResult => ({ status: 'FULL', stored: false, diagnostics: [diagnostic] })

/** When a card that arrives now expires, with a note if its ttl was cut. */
function lifeOf(card: Card, { defaultTtl, limits }: Settings, now: number) {
  const { expiresAt, ttl } = freshness(card, { retrievedAt: new Date(now), now: new Date(now), defaultTtl })
  if (ttl <= limits.ttl) return { expiresAt, notes: [] }
  const detail = `the card is kept for ${limits.ttl} seconds, not for ${ttl}: advertise it again before`
  const note = ruleDiagnostic(card.document, DIRECTORY_TTL, DIRECTORY_TTL.severity, '/metadata/ttl', detail)
  return { expiresAt: now + 1000 * limits.ttl, notes: [note] }
}

/** The first card stays. The other one proves that the key signed two different cards under one seq. */
function withEquivocation(before: StoredCard, bytes: Uint8Array, { store, limits }: Settings): StoredCard | undefined {
  const { equivocations } = before
  if (equivocations.length >= limits.equivocations || equivocations.some((other) => sameBytes(other, bytes))) return
  if (store.bytes + bytes.length > limits.bytes) return
  return { ...before, equivocations: [...equivocations, bytes] }
}
