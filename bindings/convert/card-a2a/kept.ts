// Restores members of the A2A card that an Agent Card was made from.
import { A2A } from '../../a2a/specification.ts'
import { validateAs } from '../../frame/verbs.ts'
import { isObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'
import type { Version } from '../sides/a2a.ts'
import { KINDS, openScheme } from '../sides/schemes.ts'
import { authOf } from './auth.ts'

/** Restores the authentication, if the endpoints still require the same. */
export function putKeptSecurity(
  made: MutableObject,
  version: Version,
  kept: PlacedObject | undefined,
  auth: string | undefined,
  ledger: Ledger,
): boolean {
  const schemes = objectMember(kept, 'securitySchemes')
  if (kept === undefined || schemes === undefined || authOf(kept)?.auth !== auth) return false
  const list = member(kept.value, 'securityRequirements') ?? member(kept.value, 'security')
  const requirements = Array.isArray(list) ? list.map((entry) => requirementOf(entry, version)) : []
  const entries = Object.keys(schemes.value).map(
    (name) => [name, schemeOf(objectMember(schemes, name), version)] as const,
  )
  const name = version === '1.0' ? 'securityRequirements' : 'security'
  const additions = {
    securitySchemes: Object.fromEntries(entries),
    ...(requirements.length > 0 && { [name]: requirements }),
  }
  if (!fits({ ...made, ...additions }, '/securit')) return false
  Object.assign(made, additions)
  for (const member of ['securitySchemes', 'securityRequirements', 'security'])
    if (kept.value[member] !== undefined)
      ledger.shown(`${kept.pointer}/${member}`, `/${member}`, 'put back in its place')
  return true
}

/** Restores the capabilities except streaming, which follows from the tools. */
export function putKeptCapabilities(made: MutableObject, kept: PlacedObject | undefined, ledger: Ledger): void {
  const capabilities = objectMember(kept, 'capabilities')
  const { streaming: _, ...others } = capabilities?.value ?? {}
  if (capabilities === undefined || !fits({ ...made, capabilities: others }, '/capabilities')) return
  made['capabilities'] = others
  for (const name of Object.keys(others))
    ledger.shown(`${capabilities.pointer}/${name}`, `/capabilities/${name}`, 'put back in its place')
}

/** True when a part of an A2A card is valid. */
function fits(made: MutableObject, part: string): boolean {
  const { diagnostics } = validateAs(A2A, JSON.stringify(made), {})
  return !diagnostics.some(({ severity, source }) => severity === 'error' && source.pointer.startsWith(part))
}

/** A scheme in the form of a version. */
function schemeOf(scheme: PlacedObject | undefined, version: Version): unknown {
  if (scheme === undefined) return undefined
  const { kind, inner } = openScheme(scheme)
  const { type: _t, in: where, location = where, ...others } = inner?.value ?? {}
  const isKnown = Object.hasOwn(KINDS, kind)
  if (version === '1.0')
    return { [isKnown ? KINDS[kind]! : kind]: { ...(location !== undefined && { location }), ...others } }
  return { type: kind, ...(location !== undefined && { in: location }), ...others }
}

/** A requirement in the form of a version. */
function requirementOf(entry: unknown, version: Version): unknown {
  const schemes = isObject(entry) ? (objectMember({ pointer: '', value: entry }, 'schemes')?.value ?? entry) : {}
  const scopes = Object.entries(schemes).map(([name, value]) => [
    name,
    isObject(value) ? (member(value, 'list') ?? []) : value,
  ])
  if (version === '0.3') return Object.fromEntries(scopes)
  return { schemes: Object.fromEntries(scopes.map(([name, list]) => [name, { list }])) }
}
