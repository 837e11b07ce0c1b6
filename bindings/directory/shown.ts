import { type DisclosureRule, disclose } from '../card/disclosure.ts'
import { partial as partialCard } from '../card/partial.ts'
import { jsonOf } from './results.ts'

/** A card as JSON, or a part of one. */
export interface ShownCard {
  readonly bytes: Uint8Array
  readonly partial: boolean
  /** Of the whole card, when nothing but the fields that were asked for makes it a part. */
  readonly signature?: string
}

/**
 * The part of a stored card that a caller gets: what the policy shows it, and of that the fields that it asked for. Undefined when it is
 * shown nothing.
 */
export function shownCard(
  bytes: Uint8Array,
  policy: readonly DisclosureRule[] | undefined,
  caller: string | undefined,
  fields?: readonly string[],
): ShownCard | undefined {
  const seen = policy === undefined ? { bytes, partial: false, refused: false } : disclose(bytes, policy, { caller })
  if (seen.refused) return undefined
  if (fields === undefined) return { bytes: seen.bytes!, partial: seen.partial }
  const part = partialCard(seen.bytes!, { fields })
  const signature = part.partial && !seen.partial ? jsonOf(seen.bytes!).signature : undefined
  return { bytes: part.bytes!, partial: seen.partial || part.partial, ...(signature !== undefined && { signature }) }
}
