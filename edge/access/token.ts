// A token is `blazon1.SCOPE.GENERATION.HOLDER.MAC`. Tokens are not stored: each is derived from the secret of the
// deployment, the scope, the holder and the holder's generation. Raising the generation withdraws the tokens of that
// holder only.

import { isAgentName } from 'blazon/adl'
import { isAgentUri } from 'blazon/card'
import { decodeBase64url, encodeBase64url } from 'blazon/keys'
import { sameDigest } from '../platform/runtime.ts'

/** The scopes of tokens. `publish-one`, `read-one` and `push` are limited to the agent or developer that is the holder. */
export const SCOPES = [
  'operate',
  'publish',
  'publish-one',
  'export',
  'read',
  'read-one',
  'write',
  'audit',
  'push',
] as const
export type Scope = (typeof SCOPES)[number]

export interface Claims {
  readonly scope: Scope
  /** A name; for tokens limited to one agent, the id of the agent or the path of its definition. */
  readonly holder: string
  readonly generation: number
}

/** No part can contain the separating dot. */
const FORM = /^(blazon1\.([a-z-]{1,16})\.(0|[1-9]\d{0,9})\.([\w-]{1,683}))\.[\w-]{43}$/

const encoder = new TextEncoder()

/**
 * The token of `claims` at the deployment whose first origin is `origin`. It is invalid elsewhere, even with the same
 * secret.
 */
export function tokenOf(secret: string, origin: string, { scope, holder, generation }: Claims): Promise<string> {
  return withMac(secret, origin, `blazon1.${scope}.${generation}.${encodeBase64url(encoder.encode(holder))}`)
}

/** The claims of a token; undefined for one that this deployment did not issue. */
export async function readToken(secret: string, origin: string, token: string): Promise<Claims | undefined> {
  const [, claims, scope, generation, holder] = FORM.exec(token) ?? []
  if (claims === undefined || !isScope(scope)) return undefined
  if (!(await equal(token, await withMac(secret, origin, claims)))) return undefined
  return { scope, holder: new TextDecoder().decode(decodeBase64url(holder!)), generation: Number(generation) }
}

export function isScope(scope: unknown): scope is Scope {
  return SCOPES.some((known) => known === scope)
}

async function withMac(secret: string, origin: string, claims: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', key, encoder.encode(`${origin}\n${claims}`))
  return `${claims}.${encodeBase64url(new Uint8Array(mac))}`
}

/** Compares digests, so that the time doesn't reveal where the texts differ. */
export async function equal(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', encoder.encode(text))
  const [left, right] = await Promise.all([digest(a), digest(b)])
  return sameDigest(left, right)
}

// Holders of tokens. Agent ids have a scheme and definition paths begin with a slash, so no name can be mistaken for
// either.

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
