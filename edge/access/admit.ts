// Admission to routes: each route declares the scope that it requires, and every request must have it to reach the
// handler.

import { isAgentName } from 'blazon/adl'
import { isAgentUri } from 'blazon/card'
import { decodeBase64url, encodeBase64url } from 'blazon/keys'
import { readBase64 } from '../../bindings/keys/base64.ts'
import { directoryMap, type Env, gatewayStub } from '../env.ts'
import { publicOrigins } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import type { Access, Call, RouteScope } from './route.ts'

/** The least length of the secret: with a single token, an attacker can try short secrets offline. */
const LEAST_SECRET = 32

const OPENS: Readonly<Record<Scope, readonly RouteScope[]>> = {
  operate: ['operate', 'publish', 'export', 'read', 'push'],
  publish: ['publish', 'read'],
  'publish-one': [],
  export: ['export'],
  read: ['read'],
  'read-one': [],
  write: ['write'],
  audit: ['audit'],
  push: [],
}

/** The same for tokens that are limited to one agent, or one developer. */
const OPENS_ONE: Readonly<Partial<Record<Scope, readonly RouteScope[]>>> = {
  'publish-one': ['publish', 'read'],
  'read-one': ['read'],
  push: ['push'],
}

/**
 * Checks the token of a request before anything else of it is read. Call `confirm` once the body is there: a token can
 * be withdrawn while a slow body arrives.
 */
export async function admit(request: Request, env: Env, access: Access): Promise<Claims | undefined> {
  if (access.optional && !request.headers.has('authorization')) return undefined
  const secret = secretOf(env)
  if (secret === undefined) {
    throw new Problem(
      'forbidden',
      'This server accepts no tokens: its TOKEN_SECRET is missing or shorter than 32 characters.',
    )
  }
  const given = tokenIn(request.headers.get('authorization') ?? '', access)
  if (given === undefined) throw unauthorized(access)
  if (await equal(given, secret)) {
    if (access.scope === 'grant') return undefined
    throw insufficient(access, 'the secret can only issue and withdraw tokens')
  }
  const claims = await readToken(secret, publicOrigins(env)[0]!, given)
  if (claims === undefined || isOver(claims.holder, Date.now())) throw unauthorized(access)
  const isOfOne = access.of !== undefined && OPENS_ONE[claims.scope]?.includes(access.scope) === true
  const isOpened = OPENS[claims.scope].some((scope) => scope === access.scope || scope === access.or)
  if (isOfOne || isOpened) return claims
  throw insufficient(access, `this one has ${claims.scope}`)
}

/** Refuses a withdrawn token, and a token for another agent than the call's. */
export async function confirm(claims: Claims, call: Call<string>, access: Access): Promise<void> {
  if ((await generationOf(call.env, claims.holder)) !== claims.generation) throw unauthorized(access)
  if (OPENS_ONE[claims.scope] !== undefined && access.of?.(call) !== agentOf(claims.holder)) {
    throw insufficient(access, `this one has ${claims.scope} for ${agentOf(claims.holder)}`)
  }
}

/** The token of Bearer; of Basic, where the route takes it, the password (RFC 7617). */
function tokenIn(authorization: string, { basic }: Access): string | undefined {
  const [, scheme, value] = /^(Basic|Bearer) +([^\s]+) *$/i.exec(authorization) ?? []
  if (scheme?.toLowerCase() === 'bearer') return value
  const pair = basic && value !== undefined ? readBase64(value) : undefined
  return pair && new TextDecoder().decode(pair).split(':')[1]
}

export function secretOf({ TOKEN_SECRET: secret = '' }: Env): string | undefined {
  return secret.length < LEAST_SECRET ? undefined : secret
}

function unauthorized({ scope, basic }: Access): Problem {
  return new Problem('unauthorized', `This requires ${needed(scope)}: Authorization: Bearer TOKEN.`, {
    headers: { 'www-authenticate': `${basic ? 'Basic' : 'Bearer'} realm="blazon"` },
  })
}

/** RFC 6750 section 3.1. */
function insufficient({ scope }: Access, found: string): Problem {
  return new Problem('insufficient-scope', `This requires ${needed(scope)}; ${found}.`, {
    members: { scope },
    headers: { 'www-authenticate': `Bearer realm="blazon", error="insufficient_scope", scope="${scope}"` },
  })
}

function needed(scope: RouteScope): string {
  return scope === 'grant' ? 'the secret of the deployment' : `a token with the scope ${scope}`
}

// Only tokens of a holder's current generation are valid. It is stored in the directory map, but the setting
// TOKEN_GENERATIONS may raise it.

/** `HOLDER=N`; the holder may contain a `=`. */
const ENTRY = /^(.+)=(\d{1,9})$/

export async function generationOf(env: Env, holder: string): Promise<number> {
  const least = leastOf(env, holder)
  return Math.max(await directoryMap(env).tokenGeneration(holder), least)
}

/**
 * Withdraws the tokens of these holders. Once this returns, their earlier tokens are invalid, and peers that connected
 * with one are disconnected.
 */
export async function withdraw(env: Env, holders: readonly string[]): Promise<void> {
  await directoryMap(env).withdrawTokens(holders.map((holder) => [holder, leastOf(env, holder)] as const))
  const names = new Set(holders.map(nameOfHolder).filter((name) => name !== undefined))
  await Promise.all([...names].map((name) => gatewayStub(env, name).dismissInvited()))
}

/** Throws for an invalid entry: it may be a withdrawal, so no token is valid until it is corrected. */
function leastOf({ TOKEN_GENERATIONS: setting = '' }: Env, holder: string): number {
  let least = 0
  for (const text of setting.split(/\s+/).filter((entry) => entry !== '')) {
    const [, of, generation] = ENTRY.exec(text) ?? []
    if (of === undefined || !isHolder(of)) {
      console.error(`TOKEN_GENERATIONS: expected HOLDER=NUMBER, got ${text}`)
      throw new Problem('unavailable', 'This server accepts no tokens until its operator fixes TOKEN_GENERATIONS.')
    }
    if (of === holder) least = Math.max(least, Number(generation))
  }
  return least
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
function agentOf(holder: string): string {
  return INVITED.exec(holder)?.[1] ?? holder
}

/** The name of that agent, if the token is for a definition. */
function nameOfHolder(holder: string): string | undefined {
  const path = agentOf(holder)
  return isDefinition(path) ? path.slice(DEFINITIONS.length) : undefined
}

/** True when the invitation of an invited holder has expired. */
function isOver(holder: string, now: number): boolean {
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

// A token is `blazon1.SCOPE.GENERATION.HOLDER.MAC`. Tokens are not stored: each is derived from the secret of the
// deployment, the scope, the holder and the holder's generation. Raising the generation withdraws the tokens of that
// holder only.

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
async function readToken(secret: string, origin: string, token: string): Promise<Claims | undefined> {
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
async function equal(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', encoder.encode(text))
  const [left, right] = await Promise.all([digest(a), digest(b)])
  return crypto.subtle.timingSafeEqual(left, right)
}
