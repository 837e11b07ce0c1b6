// A token is `blazon1.SCOPE.GENERATION.HOLDER.MAC`. Tokens are not stored: each is derived from the secret of the
// deployment, the scope, the holder and the holder's generation. Raising the generation withdraws the tokens of that
// holder only.
import { decodeBase64url, encodeBase64url } from 'blazon/keys'

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
  return crypto.subtle.timingSafeEqual(left, right)
}
