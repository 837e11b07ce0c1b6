import type { Env } from '../env.ts'
import { Problem } from './problem.ts'

/** Lets the operator through: `Authorization: Bearer` with the deployment's token. Without a token nobody publishes. */
export async function requireOperator(request: Request, { PUBLISH_TOKEN: token }: Env): Promise<void> {
  if (token === undefined || token === '') {
    throw new Problem('forbidden', 'Publishing is switched off here: this deployment has no PUBLISH_TOKEN.')
  }
  const given = /^Bearer +([^\s]+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1]
  if (given !== undefined && (await equal(given, token))) return
  throw new Problem('unauthorized', 'This takes the token of the operator: Authorization: Bearer TOKEN.', {
    headers: { 'www-authenticate': 'Bearer realm="blazon"' },
  })
}

/** Compares digests, whose first difference says nothing about that of the texts. */
async function equal(a: string, b: string): Promise<boolean> {
  const digest = (text: string) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  const [left, right] = await Promise.all([digest(a), digest(b)])
  return crypto.subtle.timingSafeEqual(left, right)
}
