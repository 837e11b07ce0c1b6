// Tokens by docs/guide/edge.md, made with Node's own HMAC, to compare with those of the Worker.
import { createHmac } from 'node:crypto'

export const TOKEN_SECRET = 'the-secret-of-the-tests-and-of-nothing-else'

export interface Grant {
  readonly scope: string
  readonly holder?: string
  readonly generation?: number
  readonly secret?: string
}

export function tokenOf(
  origin: string,
  { scope, holder = 'tests', generation = 0, secret = TOKEN_SECRET }: Grant,
): string {
  const claims = `blazon1.${scope}.${generation}.${Buffer.from(holder).toString('base64url')}`
  return `${claims}.${createHmac('sha256', secret).update(`${origin}\n${claims}`).digest('base64url')}`
}

/** The header of a request with such a token. */
export function bearer(origin: string, grant: Grant): { readonly authorization: string } {
  return { authorization: `Bearer ${tokenOf(origin, grant)}` }
}

/** The header of a holder of the secret itself. */
export const GRANTER = { authorization: `Bearer ${TOKEN_SECRET}` }

export function operator(origin: string): { readonly authorization: string } {
  return bearer(origin, { scope: 'operate' })
}
