// Holders of tokens. Agent ids have a scheme and definition paths begin with a slash, so no name can be mistaken for
// either.
import { isAgentName } from 'blazon/adl'
import { isAgentUri } from 'blazon/card'

const LONGEST = 512
/** The prefix of definition paths. */
const DEFINITIONS = '/agents/'

/** The holder of a token for one definition. */
export function holderOfDefinition(name: string): string {
  return DEFINITIONS + name
}

/** An invited holder: the path of the agent, the id of the invitation, and its end in seconds since 1970. */
const INVITED = /^(\/agents\/[^#]+)#[\w-]{22}\.(\d{10})$/

/** The holder of a token from an invitation: the token expires and is withdrawn together with the invitation. */
export function holderOfInvited(name: string, invitation: string, until: number): string {
  return `${holderOfDefinition(name)}#${invitation}.${until}`
}

/** The one agent that a token of this holder gives access to. */
export function agentOf(holder: string): string {
  return INVITED.exec(holder)?.[1] ?? holder
}

/** The name of that agent, if the token is for a definition. */
export function nameOfHolder(holder: string): string | undefined {
  const path = agentOf(holder)
  return isDefinition(path) ? path.slice(DEFINITIONS.length) : undefined
}

/** True when the invitation of an invited holder has expired. */
export function isOver(holder: string, now: number): boolean {
  const until = INVITED.exec(holder)?.[2]
  return until !== undefined && Number(until) * 1000 <= now
}

/** True for the path of a definition, the only holder that `read-one` allows. */
export function isDefinition(holder: string): boolean {
  return holder.startsWith(DEFINITIONS) && isAgentName(holder.slice(DEFINITIONS.length))
}

/** True for a card id or the path of a definition, the holders that `publish-one` allows. */
export function isAgent(holder: string): boolean {
  if (holder.length > LONGEST) return false
  return isAgentUri(holder) || isDefinition(holder)
}

/** True for a person's name, an agent, or a holder that was invited to one. */
export function isHolder(holder: string): boolean {
  return isAgentName(holder) || isAgent(agentOf(holder))
}
