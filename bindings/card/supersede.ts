// Decides which of two cards with the same id counts (Agent Card sections 3.1, 3.2, 6.3, 6.4, 7.3). The table is
// fixtures/card/supersede.md.
import { timeOf } from '../schema/times.ts'
import { sameBytes } from '../text/bytes.ts'
import { textMember } from '../text/members.ts'
import { payloadOf } from './signing.ts'
import { type Card, isRevocation } from './subject.ts'

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

export type Supersession =
  | { readonly stored: true; readonly reason: Newer; readonly detail: string }
  | { readonly stored: false; readonly reason: Older; readonly detail: string }

export interface SupersedeOptions {
  /** Lets an unsigned card with a higher seq replace a signed one. Default false. */
  readonly allowUnsigned?: boolean
}

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
  { allowUnsigned = false }: SupersedeOptions = {},
): Supersession {
  if (held === undefined) return stored('first')
  if (held.id !== offered.id) throw new RangeError('offered: expected a card of the id that the held one has')
  const order = orderOf(held, offered)
  const isSigning = offered.signed && !held.signed
  const isEven = order === 'equal' || order === 'unordered'
  if (isEven && !isSigning && sameBytes(held.content, offered.content)) return refused('same')
  if (order === 'lower' || order === 'earlier') return refused('stale')
  if (order === 'lost') return refused('seq-missing')
  const raised = order === 'higher' || order === 'gained'
  if (held.revoked && !offered.revoked && !(offered.signed && raised)) return refused('revoked')
  if (held.signed && !offered.signed && !(raised && allowUnsigned)) return refused('unsigned-over-signed')
  if (raised || order === 'later') return stored('newer')
  if (isSigning) return stored('signed')
  if (order === 'equal') return refused(offered.signed ? 'equivocation' : 'seq-used')
  return stored('retrieved-later')
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
  const text = textMember(card.metadata, 'updated_at')?.value
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

const stored = (reason: Newer): Supersession => ({ stored: true, reason, detail: DETAILS[reason] })
const refused = (reason: Older): Supersession => ({ stored: false, reason, detail: DETAILS[reason] })
