// Converts security.authentication into A2A schemes, and back.
import { elements, isText, type JsonObject, objectMember, type PlacedObject, textMember } from '../../text/members.ts'
import { CONVERT_AUTHENTICATION } from '../findings.ts'
import { type ExportJob, type Job, textOf, uriOf } from '../job.ts'
import { child, type MutableObject } from '../json.ts'
import type { Version } from '../sides/a2a.ts'
import { firstScheme, openScheme, putScheme, type Scheme } from '../sides/schemes.ts'

/** Writes how a client authenticates; nothing if the definition does not require it. */
export function writeSecurity(job: ExportJob, card: MutableObject, version: Version): void {
  const scheme = schemeOf(job)
  if (scheme === undefined) return
  const { name } = scheme
  const at = '/security/authentication'
  job.ledger.shown(`${at}/type`, `/securitySchemes/${name}`)
  const authentication = objectMember(job.agent.security, 'authentication')
  if (authentication?.value['required'] === false) {
    job.ledger.shown(`${at}/required`, `/securitySchemes/${name}`, 'as an optional scheme')
    putScheme(card, version, scheme, false)
    return
  }
  job.ledger.shown(`${at}/required`, version === '1.0' ? '/securityRequirements' : '/security')
  putScheme(card, version, scheme, true)
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
      problems.report(
        CONVERT_AUTHENTICATION,
        type.pointer,
        'the definition does not say where the API key is sent: give the option apiKey',
      )
      return undefined
    }
    const value = { location: options.apiKey.in, name: options.apiKey.name }
    return { name: 'api_key', kind: 'apiKeySecurityScheme', value, scopes: [] }
  }
  if (type.value === 'oauth2' || type.value === 'oidc') {
    const tokenUrl = textOf(authentication, 'token_endpoint')
    const issuer = textOf(authentication, 'issuer')
    if (type.value === 'oauth2' && tokenUrl !== undefined) {
      ledger.shown(`${at}/token_endpoint`, '/securitySchemes/oauth2')
      ledger.shown(`${at}/scopes`, '/securitySchemes/oauth2')
      // SDKs omit empty strings before they verify a signature, so the scope itself replaces a missing description.
      const clientCredentials = { tokenUrl, scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])) }
      return { name: 'oauth2', kind: 'oauth2SecurityScheme', value: { flows: { clientCredentials } }, scopes }
    }
    if (type.value === 'oidc' && issuer !== undefined) {
      ledger.shown(`${at}/issuer`, '/securitySchemes/oidc')
      const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
      return { name: 'oidc', kind: 'openIdConnectSecurityScheme', value: { openIdConnectUrl }, scopes }
    }
    const lacks = type.value === 'oauth2' ? 'token_endpoint' : 'issuer'
    problems.report(
      CONVERT_AUTHENTICATION,
      type.pointer,
      `without ${lacks} a client learns only that it needs a bearer token`,
    )
    return { name: 'bearer', kind: 'httpAuthSecurityScheme', value: { scheme: 'Bearer' }, scopes: [] }
  }
  return undefined
}

const WELL_KNOWN = '/.well-known/openid-configuration'

/** Reads a scheme back into the definition. */
export function readSecurity({ root, ledger }: Job, definition: MutableObject): void {
  const first = firstScheme(root)
  const read = first === undefined ? undefined : readScheme(first.scheme)
  if (first === undefined || read === undefined) return
  const authentication = child(child(definition, 'security'), 'authentication')
  Object.assign(authentication, read)
  ledger.shown(first.scheme.pointer, '/security/authentication')
  if (!first.required) return
  authentication['required'] = true
  ledger.shown(
    root.value['securityRequirements'] === undefined ? '/security' : '/securityRequirements',
    '/security/authentication/required',
  )
}

function readScheme(scheme: PlacedObject): MutableObject | undefined {
  const { kind, inner } = openScheme(scheme)
  switch (kind) {
    case 'apiKey':
      return { type: 'api_key' }
    case 'mutualTLS':
      return { type: 'mtls' }
    case 'oauth2':
      return { type: 'oauth2', ...readFlow(objectMember(inner, 'flows')?.value) }
    case 'openIdConnect': {
      const url = textOf(inner, 'openIdConnectUrl')
      return { type: 'oidc', ...(url?.endsWith(WELL_KNOWN) && { issuer: url.slice(0, -WELL_KNOWN.length) }) }
    }
    default:
      return undefined
  }
}

/** Reads the first flow with a token endpoint. */
function readFlow(flows: JsonObject | undefined): MutableObject {
  for (const name of Object.keys(flows ?? {})) {
    const flow = objectMember({ pointer: '', value: flows! }, name)
    const tokenUrl = uriOf(flow, 'tokenUrl')
    if (tokenUrl === undefined) continue
    const scopes = Object.keys(objectMember(flow, 'scopes')?.value ?? {})
    return { ...(scopes.length > 0 && { scopes }), token_endpoint: tokenUrl }
  }
  return {}
}
