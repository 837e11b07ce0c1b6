import { encodeBase64url } from 'blazon/keys'
import { directoryMap, type Env } from '../env.ts'
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
  if (given !== undefined && token) {
    if (await equal(given, token)) return
    const generation = await directoryMap(env).tokenGeneration(id)
    if (await equal(given, await tokenFor(token, id, generation))) return
  }
  await requireOperator(request, env)
}

/**
 * A token that is good for one id only. It follows from the operator's and from its generation, which is all that is kept of
 * it: with the next generation it is withdrawn, and no other token is.
 */
export async function tokenFor(token: string, id: string, generation: number): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(token), algorithm, false, ['sign'])
  // Tokens of before there were generations are those of the first one.
  const scope = generation === 0 ? `advertise ${id}` : `advertise ${generation} ${id}`
  return encodeBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(scope))))
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
