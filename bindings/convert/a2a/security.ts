// security.authentication as schemes of A2A.
import { elements, isText, objectMember, textMember } from '../../document/members.ts'
import { type ExportJob, textOf } from '../job.ts'
import type { Made } from '../json.ts'
import { AUTHENTICATION } from '../problems.ts'
import type { Version } from './card.ts'

export interface Scheme {
  /** What the card calls it. */
  readonly name: string
  /** As A2A 1.0 has it: the one member that says the kind, and its value. */
  readonly kind: string
  readonly value: Made
  readonly scopes: readonly string[]
}

/** The kinds as OpenAPI and A2A 0.3 call them. */
export const TYPES: Readonly<Record<string, string>> = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
}

/** The other way round. */
export const KINDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TYPES).map(([kind, type]) => [type, kind]),
)

/** Writes how a client authenticates; nothing where the definition demands nothing. */
export function writeSecurity(job: ExportJob, card: Made, version: Version): void {
  const scheme = schemeOf(job)
  if (scheme === undefined) return
  const { name } = scheme
  const at = '/security/authentication'
  job.ledger.told(`${at}/type`, `/securitySchemes/${name}`)
  const authentication = objectMember(job.agent.security, 'authentication')
  if (authentication?.value['required'] === false) {
    job.ledger.told(`${at}/required`, `/securitySchemes/${name}`, 'a scheme that nothing requires')
    putScheme(card, version, scheme, false)
    return
  }
  job.ledger.told(`${at}/required`, version === '1.0' ? '/securityRequirements' : '/security')
  putScheme(card, version, scheme, true)
}

/** Says how a client authenticates, and whether it has to. */
export function putScheme(card: Made, version: Version, scheme: Scheme, required: boolean): void {
  const { name, kind, value, scopes } = scheme
  if (version === '1.0') card['securitySchemes'] = { [name]: { [kind]: value } }
  else {
    const { location, ...others } = value
    card['securitySchemes'] = {
      [name]: { type: TYPES[kind], ...(location !== undefined && { in: location }), ...others },
    }
  }
  if (!required) return
  if (version === '1.0') card['securityRequirements'] = [{ schemes: { [name]: { list: scopes } } }]
  else card['security'] = [{ [name]: scopes }]
}

function schemeOf({ agent, options, ledger, problems }: ExportJob): Scheme | undefined {
  const authentication = objectMember(agent.security, 'authentication')
  const type = textMember(authentication, 'type')
  if (authentication === undefined || type === undefined || type.value === 'none') return undefined
  const at = authentication.pointer
  const scopes = [...new Set(elements(authentication, 'scopes', isText).map(({ value }) => value))]
  if (type.value === 'mtls') {
    return { name: 'mtls', kind: 'mtlsSecurityScheme', value: { description: 'Mutual TLS' }, scopes: [] }
  }
  if (type.value === 'api_key') {
    if (options.apiKey === undefined) {
      problems.report(AUTHENTICATION, type.pointer, 'where the API key is sent is not said: the option apiKey says it')
      return undefined
    }
    const value = { location: options.apiKey.in, name: options.apiKey.name }
    return { name: 'api_key', kind: 'apiKeySecurityScheme', value, scopes: [] }
  }
  if (type.value === 'oauth2' || type.value === 'oidc') {
    const tokenUrl = textOf(authentication, 'token_endpoint')
    const issuer = textOf(authentication, 'issuer')
    if (type.value === 'oauth2' && tokenUrl !== undefined) {
      ledger.told(`${at}/token_endpoint`, '/securitySchemes/oauth2')
      ledger.told(`${at}/scopes`, '/securitySchemes/oauth2')
      // SDKs leave empty texts out before they verify a signature: a scope without a description describes itself.
      const clientCredentials = { tokenUrl, scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])) }
      return { name: 'oauth2', kind: 'oauth2SecurityScheme', value: { flows: { clientCredentials } }, scopes }
    }
    if (type.value === 'oidc' && issuer !== undefined) {
      ledger.told(`${at}/issuer`, '/securitySchemes/oidc')
      const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
      return { name: 'oidc', kind: 'openIdConnectSecurityScheme', value: { openIdConnectUrl }, scopes }
    }
    const lacks = type.value === 'oauth2' ? 'token_endpoint' : 'issuer'
    problems.report(AUTHENTICATION, type.pointer, `without ${lacks} a client learns only that it needs a bearer token`)
    return { name: 'bearer', kind: 'httpAuthSecurityScheme', value: { scheme: 'Bearer' }, scopes: [] }
  }
  return undefined
}
