// Schemes of A2A as security.authentication.
import { isObject, type JsonObject, member, objectMember, type PlacedObject } from '../../document/members.ts'
import { type Job, textOf, uriOf } from '../job.ts'
import { child, type Made } from '../json.ts'
import { TYPES } from './security.ts'

const WELL_KNOWN = '/.well-known/openid-configuration'

/** The first scheme that is required, or else the first there is; neither ADL nor an Agent Card has room for more. */
export function firstScheme(
  root: PlacedObject,
): { readonly scheme: PlacedObject; readonly required: boolean } | undefined {
  const schemes = objectMember(root, 'securitySchemes')
  const list = member(root.value, 'securityRequirements') ?? member(root.value, 'security')
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const requirement = isObject(first)
    ? (objectMember({ pointer: '', value: first }, 'schemes')?.value ?? first)
    : undefined
  const required = Object.keys(requirement ?? {})[0]
  const name = required ?? Object.keys(schemes?.value ?? {})[0]
  const scheme = name === undefined ? undefined : objectMember(schemes, name)
  return scheme === undefined ? undefined : { scheme, required: required !== undefined }
}

export function readSecurity({ root, ledger }: Job, definition: Made): void {
  const first = firstScheme(root)
  const read = first === undefined ? undefined : readScheme(first.scheme)
  if (first === undefined || read === undefined) return
  const authentication = child(child(definition, 'security'), 'authentication')
  Object.assign(authentication, read)
  ledger.told(first.scheme.pointer, '/security/authentication')
  if (!first.required) return
  authentication['required'] = true
  ledger.told(
    root.value['securityRequirements'] === undefined ? '/security' : '/securityRequirements',
    '/security/authentication/required',
  )
}

/** The kind of a scheme in words of A2A 0.3, and its members, in both versions. */
export function openScheme(scheme: PlacedObject): { readonly kind: string; readonly inner: PlacedObject | undefined } {
  const type = textOf(scheme, 'type')
  if (type !== undefined) return { kind: type, inner: scheme }
  const [name = ''] = Object.keys(scheme.value)
  return { kind: Object.hasOwn(TYPES, name) ? TYPES[name]! : name, inner: objectMember(scheme, name) }
}

function readScheme(scheme: PlacedObject): Made | undefined {
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
