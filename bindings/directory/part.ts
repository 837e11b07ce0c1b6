import type { AgentCard } from '../card/types.ts'

/** What always comes (section 4.1). */
const ALWAYS = ['id', 'name']

/**
 * The members of a card that are asked for, of those that the caller may see, without the signature, which is for the whole.
 * Undefined when that is the whole card.
 */
export function partOf(
  card: AgentCard,
  fields: readonly string[] | undefined,
  seen: readonly string[] | undefined,
): AgentCard | undefined {
  const wanted = (name: string) =>
    ALWAYS.includes(name) || ((fields?.includes(name) ?? true) && (seen?.includes(name) ?? true))
  const entries = Object.entries(card)
  if (entries.every(([name]) => wanted(name))) return undefined
  return Object.fromEntries(entries.filter(([name]) => wanted(name) && name !== 'signature')) as AgentCard
}
