// Schemes of A2A as security.authentication.
import { isObject, type JsonObject, member, objectMember, type PlacedObject } from '../../document/members.ts'
import { type Job, textOf, uriOf } from '../job.ts'
import { child, type Made } from '../json.ts'

const WELL_KNOWN = '/.well-known/openid-configuration'

/** The first scheme that is required, or else the first there is; ADL has room for one. */
export function readSecurity({ root, ledger }: Job, definition: Made): void {
  const schemes = objectMember(root, 'securitySchemes')
  const list = member(root.value, 'securityRequirements') ?? member(root.value, 'security')
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const requirement = isObject(first)
    ? (objectMember({ pointer: '', value: first }, 'schemes')?.value ?? first)
    : undefined
  const required = Object.keys(requirement ?? {})[0]
  const name = required ?? Object.keys(schemes?.value ?? {})[0]
  const scheme = name === undefined ? undefined : objectMember(schemes, name)
  const read = scheme === undefined ? undefined : readScheme(scheme)
  if (scheme === undefined || read === undefined) return
  const authentication = child(child(definition, 'security'), 'authentication')
  Object.assign(authentication, read)
  ledger.told(scheme.pointer, '/security/authentication')
  if (required === undefined) return
  authentication['required'] = true
  ledger.told(
    root.value['securityRequirements'] === undefined ? '/security' : '/securityRequirements',
    '/security/authentication/required',
  )
}

function readScheme(scheme: PlacedObject): Made | undefined {
  const type = textOf(scheme, 'type')
  const [kind] = Object.keys(scheme.value)
  const inner = type === undefined && kind !== undefined ? objectMember(scheme, kind) : scheme
  switch (type ?? kind) {
    case 'apiKey':
    case 'apiKeySecurityScheme':
      return { type: 'api_key' }
    case 'mutualTLS':
    case 'mtlsSecurityScheme':
      return { type: 'mtls' }
    case 'oauth2':
    case 'oauth2SecurityScheme':
      return { type: 'oauth2', ...readFlow(objectMember(inner, 'flows')?.value) }
    case 'openIdConnect':
    case 'openIdConnectSecurityScheme': {
      const url = textOf(inner, 'openIdConnectUrl')
      return { type: 'oidc', ...(url?.endsWith(WELL_KNOWN) && { issuer: url.slice(0, -WELL_KNOWN.length) }) }
    }
    default:
      return undefined
  }
}

/** The first flow with a token endpoint. */
function readFlow(flows: JsonObject | undefined): Made {
  for (const name of Object.keys(flows ?? {})) {
    const flow = objectMember({ pointer: '', value: flows! }, name)
    const tokenUrl = uriOf(flow, 'tokenUrl')
    if (tokenUrl === undefined) continue
    const scopes = Object.keys(objectMember(flow, 'scopes')?.value ?? {})
    return { ...(scopes.length > 0 && { scopes }), token_endpoint: tokenUrl }
  }
  return {}
}
