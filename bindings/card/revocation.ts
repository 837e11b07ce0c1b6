import { member } from '../text/members.ts'
import type { Card } from './card.ts'
import { rootOf } from './root.ts'
import type { AgentCard } from './types.ts'

/**
 * True when a card revokes the agent: both `tools` and `endpoints` are present and empty (section 6.4). A card that
 * merely lacks both is a minimal card.
 *
 * @example
 * isRevocation({ id: 'agent://scout', name: 'Scout', tools: [], endpoints: [] }) // true
 *
 * @throws {TypeError} for a value that is neither a Card nor an object.
 */
export function isRevocation(card: Card | AgentCard): boolean {
  const root = rootOf(card).value
  return ['tools', 'endpoints'].every((name) => {
    const list = member(root, name)
    return Array.isArray(list) && list.length === 0
  })
}
