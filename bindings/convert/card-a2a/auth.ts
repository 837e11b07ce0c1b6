import type { PlacedObject } from '../../text/members.ts'
import { CONVERT_AUTHENTICATION } from '../findings.ts'
import { type Job, textOf } from '../job.ts'
import { firstScheme, openScheme } from '../sides/schemes.ts'

/** The authentication of an A2A card in the terms of an Agent Card (3.5); undefined without an equivalent. */
export function authOf(
  root: PlacedObject,
): { readonly scheme: PlacedObject; readonly kind: string; readonly auth?: string } | undefined {
  const first = firstScheme(root)
  if (first === undefined || !first.required) return undefined
  const { kind, inner } = openScheme(first.scheme)
  const isOther = kind === 'http' && textOf(inner, 'scheme')?.toLowerCase() !== 'bearer'
  const auth = isOther || !Object.hasOwn(AUTH, kind) ? undefined : AUTH[kind]!
  return { scheme: first.scheme, kind, ...(auth !== undefined && { auth }) }
}

/** The authentication for the endpoints of a card made from an A2A card; undefined if none is required. */
export function readAuth({ root, ledger, problems }: Job): string | undefined {
  const demanded = authOf(root)
  if (demanded === undefined) return undefined
  const { scheme, kind, auth } = demanded
  if (auth === undefined) {
    problems.report(
      CONVERT_AUTHENTICATION,
      scheme.pointer,
      'an Agent Card can only require bearer tokens or mutual TLS',
    )
    return undefined
  }
  const [detail, outcome] = EXACT.includes(kind)
    ? (['as it is', 'renamed'] as const)
    : (['as a bearer token', 'changed'] as const)
  ledger.shown(scheme.pointer, '/endpoints', detail, outcome)
  return auth
}

const AUTH: Readonly<Record<string, string>> = {
  http: 'bearer',
  oauth2: 'bearer',
  openIdConnect: 'bearer',
  mutualTLS: 'mutual_tls',
}
const EXACT = ['http', 'mutualTLS']
