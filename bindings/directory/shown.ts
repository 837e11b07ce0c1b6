import { type DisclosureRule, disclose, showFor } from '../card/disclosure.ts'
import { partial as partialCard } from '../card/partial.ts'
import { jsonOf } from './results.ts'

/** The part of every card that some callers see. */
export type Show = DisclosureRule['show']

/** A card as JSON, or a part of one. */
export interface ShownCard {
  readonly bytes: Uint8Array
  readonly partial: boolean
}

/** The part of cards that a caller sees by a policy: the whole where there is none. */
export function shownTo(policy: readonly DisclosureRule[] | undefined, caller: string | undefined): Show {
  return policy === undefined ? 'whole' : showFor(policy, caller)
}

/** The part of a stored card that is shown; undefined where nothing is. */
export function partOf(bytes: Uint8Array, show: Show): ShownCard | undefined {
  if (show === 'whole') return { bytes, partial: false }
  const seen = disclose(bytes, [{ to: 'anyone', show }])
  return seen.refused ? undefined : { bytes: seen.bytes!, partial: seen.partial }
}

/**
 * The fields that a caller asked for, of those it is shown; with the signature of the whole card when only these make it a
 * part.
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
