// A2A authentication schemes in both versions.
import { isObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { textOf } from '../job.ts'
import type { MutableObject } from '../json.ts'
import type { Version } from './a2a.ts'

export interface Scheme {
  /** Its name in the card. */
  readonly name: string
  /** The form of A2A 1.0: one member, which names the kind, and its value. */
  readonly kind: string
  readonly value: MutableObject
  readonly scopes: readonly string[]
}

/** The names of kinds in OpenAPI and A2A 0.3. */
const TYPES: Readonly<Record<string, string>> = {
  apiKeySecurityScheme: 'apiKey',
  httpAuthSecurityScheme: 'http',
  oauth2SecurityScheme: 'oauth2',
  openIdConnectSecurityScheme: 'openIdConnect',
  mtlsSecurityScheme: 'mutualTLS',
}

/** The inverse of `TYPES`. */
export const KINDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TYPES).map(([kind, type]) => [type, kind]),
)

/** Writes how a client authenticates, and whether that is required. */
export function putScheme(card: MutableObject, version: Version, scheme: Scheme, required: boolean): void {
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

/** The first required scheme, or else the first one; ADL and Agent Cards have room for one. */
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

/** Reads the kind of a scheme in the terms of A2A 0.3, and its members, from both versions. */
export function openScheme(scheme: PlacedObject): { readonly kind: string; readonly inner: PlacedObject | undefined } {
  const type = textOf(scheme, 'type')
  if (type !== undefined) return { kind: type, inner: scheme }
  const [name = ''] = Object.keys(scheme.value)
  return { kind: Object.hasOwn(TYPES, name) ? TYPES[name]! : name, inner: objectMember(scheme, name) }
}
