import { type DisclosureRule, disclose, partial as partialCard, showFor } from '../card/disclosure.ts'
import { jsonOf } from './results.ts'

/** The part of every card that some callers may see. */
export type Show = DisclosureRule['show']

/** A card as JSON, or a part of it. */
export interface ShownCard {
  readonly bytes: Uint8Array
  readonly partial: boolean
}

/** The part of cards that the policy shows to a caller. Without a policy: the whole card. */
export function shownTo(policy: readonly DisclosureRule[] | undefined, caller: string | undefined): Show {
  return policy === undefined ? 'whole' : showFor(policy, caller)
}

/** The visible part of a stored card. Undefined when nothing is visible. */
export function partOf(bytes: Uint8Array, show: Show): ShownCard | undefined {
  if (show === 'whole') return { bytes, partial: false }
  const seen = disclose(bytes, [{ to: 'anyone', show }])
  return seen.refused ? undefined : { bytes: seen.bytes!, partial: seen.partial }
}

/**
 * Reduces the visible part to the requested fields. Adds the signature of the whole card if the card is partial only
 * because of the fields.
 */
export function withFields(
  shown: ShownCard,
  fields: readonly string[] | undefined,
): ShownCard & { readonly signature?: string } {
  if (fields === undefined) return shown
  const part = partialCard(shown.bytes, { fields })
  const signature = part.partial && !shown.partial ? jsonOf(shown.bytes).signature : undefined
  return {
    bytes: part.bytes!,
    partial: shown.partial || part.partial,
    ...(signature !== undefined && { signature }),
  }
}
