import { encodeBase64url } from 'blazon/keys'
import type { Env } from '../env.ts'
import { Problem } from './problem.ts'

/** Lets the operator through: `Authorization: Bearer` with the deployment's token. Without a token nobody publishes. */
export async function requireOperator(request: Request, { PUBLISH_TOKEN: token }: Env): Promise<void> {
  if (token === undefined || token === '') {
    throw new Problem('forbidden', 'Publishing is switched off here: this deployment has no PUBLISH_TOKEN.')
  }
  const given = bearerOf(request)
  if (given !== undefined && (await equal(given, token))) return
  throw new Problem('unauthorized', 'This takes the token of the operator: Authorization: Bearer TOKEN.', {
    headers: { 'www-authenticate': 'Bearer realm="blazon"' },
  })
}

/** Lets those through who may vouch for the card of an agent: the operator, and who has the operator's token for its id. */
export async function requireVoucher(request: Request, env: Env, id: string): Promise<void> {
  const given = bearerOf(request)
  const { PUBLISH_TOKEN: token } = env
  if (given !== undefined && token && (await equal(given, await tokenFor(token, id)))) return
  await requireOperator(request, env)
}

/** A token that is good for one id only. Nothing has to be kept of it: it follows from the operator's. */
export async function tokenFor(token: string, id: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(token), algorithm, false, ['sign'])
  return encodeBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(`advertise ${id}`))))
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

/** Compares digests, whose first difference says nothing about that of the texts. */
async function equal(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const [left, right] = await Promise.all([digest(a), digest(b)])
  return crypto.subtle.timingSafeEqual(left, right)
}
