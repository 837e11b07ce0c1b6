// Holders of tokens. Ids of agents have a scheme and paths of definitions begin with a slash, so no name can be
// mistaken for either.
import { isAgentName } from 'blazon/adl'
import { isAgentUri } from 'blazon/card'

const LONGEST = 512
/** The beginning of the paths of definitions. */
const DEFINITIONS = '/agents/'

/** The holder of a token for one definition. */
export function holderOfDefinition(name: string): string {
  return DEFINITIONS + name
}

/** True for the id of a card or the path of a definition, the holders that `publish-one` is for. */
export function isAgent(holder: string): boolean {
  if (holder.length > LONGEST) return false
  return isAgentUri(holder) || (holder.startsWith(DEFINITIONS) && isAgentName(holder.slice(DEFINITIONS.length)))
}

/** True for a person's name or an agent. */
export function isHolder(holder: string): boolean {
  return isAgentName(holder) || isAgent(holder)
}
