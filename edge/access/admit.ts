// Admission to routes: each route declares the scope that it requires, and every request must have it to reach the
// handler.

import { readBase64 } from '../../bindings/keys/base64.ts'
import { directoryMap, type Env, gatewayStub } from '../env.ts'
import { publicOrigins } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import type { Access, Call, RouteScope } from './route.ts'
import { agentOf, type Claims, equal, isHolder, isOver, nameOfHolder, readToken, type Scope } from './token.ts'

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
