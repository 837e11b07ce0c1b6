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

/** An invited holder: the path of the agent, the name of the invitation, and its end in seconds since 1970. */
const INVITED = /^(\/agents\/[^#]+)#[\w-]{22}\.(\d{10})$/

/** The holder of a token that an invitation gives: its token ends with it, and is withdrawn by it. */
export function holderOfInvited(name: string, invitation: string, until: number): string {
  return `${holderOfDefinition(name)}#${invitation}.${until}`
}

/** The one agent that a token of this holder is for. */
export function agentOf(holder: string): string {
  return INVITED.exec(holder)?.[1] ?? holder
}

/** The name of that agent, where it is a definition that the token is for. */
export function nameOfHolder(holder: string): string | undefined {
  const path = agentOf(holder)
  return isDefinition(path) ? path.slice(DEFINITIONS.length) : undefined
}

/** True when the time of an invited holder is over. */
export function isOver(holder: string, now: number): boolean {
  const until = INVITED.exec(holder)?.[2]
  return until !== undefined && Number(until) * 1000 <= now
}

/** True for the path of a definition, which is what `read-one` is for. */
export function isDefinition(holder: string): boolean {
  return holder.startsWith(DEFINITIONS) && isAgentName(holder.slice(DEFINITIONS.length))
}

/** True for the id of a card or the path of a definition, the holders that `publish-one` is for. */
export function isAgent(holder: string): boolean {
  if (holder.length > LONGEST) return false
  return isAgentUri(holder) || isDefinition(holder)
}

/** True for a person's name, an agent, or whoever was invited to one. */
export function isHolder(holder: string): boolean {
  return isAgentName(holder) || isAgent(agentOf(holder))
}
