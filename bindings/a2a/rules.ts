// Rules for the addresses of an agent (A2A 1.0 section 4.4.6, 0.3 section 5.5.5) and for its formats; for security schemes
// and the requirements that refer to them (1.0 section 4.5, 0.3 section 5.5.3); for the form of signatures (1.0 section
// 8.4, RFC 7515 section 7.2.2), which `verify` judges.

import type { FindingKind } from '../document/finding.ts'
import { didYouMean } from '../document/fixes.ts'
import { misspelledRule } from '../frame/misspelled.ts'
import { type Report, type Rule, rule } from '../frame/subject.ts'
import { isMimeType, isUri } from '../schema/formats.ts'
import { isScriptUrl } from '../text/host-name.ts'
import {
  elements,
  escapeToken,
  isObject,
  isText,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textMember,
  textsOf,
} from '../text/members.ts'
import { oneOf, quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { readJws } from './jws.ts'
import { A2A_READING, type A2aCard, entriesOf, interfacesOf, shapeOf } from './subject.ts'

const BINDINGS = ['JSONRPC', 'GRPC', 'HTTP+JSON']

/** The address of a gRPC server: `grpc.example.com:443`, `[2001:db8::1]:443`. */
const HOST_AND_PORT = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]):\d{1,5}$/i

function isHttp(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && isUri(text)
}

function adviceOn(name: string): string {
  const meant = BINDINGS.find((known) => known.replace('+', '') === name.toUpperCase().replace(/[^A-Z]/g, ''))
  if (meant !== undefined) return `did you mean ${meant}?`
  if (name.toUpperCase() === 'MCP') return 'MCP is no binding of A2A: publish a server card of MCP for it'
  return /^(?:https?|rest)$/i.test(name) ? 'did you mean HTTP+JSON?' : 'a binding of your own needs a URI as its name'
}

const TYPES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  json: 'application/json',
  data: 'application/json',
}

function checkMode({ pointer, value }: PlacedValue<string>, report: Report): void {
  if (value === '' || value.includes('*') || isMimeType(value)) return
  const meant = Object.hasOwn(TYPES, value) ? TYPES[value] : undefined
  report(pointer, `Expected a media type such as text/plain, found ${quoted(value)}`, didYouMean(meant))
}

/** The names of members that hold URLs, anywhere in the card. */
const ADDRESSES = [
  'url',
  'documentationUrl',
  'iconUrl',
  'termsOfServiceUrl',
  'uri',
  'openIdConnectUrl',
  'authorizationUrl',
  'tokenUrl',
]

function* placesOf(root: PlacedObject, schemes: ReadonlyMap<string, PlacedObject>): Generator<PlacedObject> {
  yield root
  const provider = objectMember(root, 'provider')
  if (provider !== undefined) yield provider
  for (const name of ['supportedInterfaces', 'additionalInterfaces']) yield* elements(root, name, isObject)
  for (const scheme of schemes.values()) yield* within(scheme)
}

/** Yields a scheme, its variant (1.0) and its flows. */
function* within(scheme: PlacedObject): Generator<PlacedObject> {
  yield scheme
  for (const name of Object.keys(scheme.value)) {
    const inner = objectMember(scheme, name)
    if (inner === undefined) continue
    yield inner
    for (const flow of Object.keys(inner.value)) {
      const last = objectMember(inner, flow)
      if (last === undefined) continue
      yield last
      for (const deepest of Object.keys(last.value)) {
        const end = objectMember(last, deepest)
        if (end !== undefined) yield end
      }
    }
  }
}

function checkOne(
  { pointer, value }: PlacedObject,
  kinds: readonly string[],
  report: (at: string, detail: string) => void,
) {
  const found = kinds.filter((kind) => Object.hasOwn(value, kind))
  if (found.length === 1) return
  // The schema reports misspelt members.
  if (found.length === 0 && Object.keys(value).length > 0) return
  report(
    pointer,
    `Expected exactly one of ${kinds.join(', ')}, found ${found.length === 0 ? 'none' : found.join(' and ')}`,
  )
}

/** How many schemes one finding names. */
const MOST_NAMED = 5

/**
 * The part of the 0.3 schema for this type of scheme, which applies in addition to the common part. Undefined for an
 * unknown type.
 */
export function partOfScheme(scheme: JsonObject): string | undefined {
  const type = member(scheme, 'type')
  return isText(type) && shapeOf('0.3', 'scheme').members!.get('type')!.options!.includes(type) ? type : undefined
}

const signatureRule = (finding: FindingKind, isMissing: boolean): Rule<A2aCard> =>
  rule(finding, ({ signatures }, report) => {
    for (const signature of signatures) {
      const read = readJws(signature.value)
      if (!('problem' in read) || (read.isMissing === true) !== isMissing) continue
      const at = textMember(signature, read.member)
      // The schema reports ill-typed and missing members.
      if (at !== undefined && at.value !== '') report(at.pointer, read.problem)
    }
  })

/** Root members from before 0.3, with their replacement in 0.3. */
const IN_OLDER: Readonly<Record<string, string>> = {
  authentication: '0.3 says it by securitySchemes and security',
  protocol: '0.3 says it as protocolVersion: "0.3.0"',
  endpoints: '0.3 has url and additionalInterfaces',
}

/** The rules of A2A cards except those that the schemas check. */
export const RULES: readonly Rule<A2aCard>[] = [
  /** For 0.3 cards, whose objects allow any member. */
  rule(FINDINGS.A2A_OLDER_MEMBER, ({ root, version }, report) => {
    if (version === '1.0') return
    for (const [name, hint] of Object.entries(IN_OLDER)) {
      if (!Object.hasOwn(root.value, name)) continue
      report(`/${name}`, `${quoted(name)} is of A2A before 0.3: ${hint}`, { atName: true, fix: { hint } })
    }
  }),
  rule(FINDINGS.A2A_URL, (card, report) => {
    for (const { url, binding } of interfacesOf(card)) {
      // A custom binding defines its own addresses. The schema reports empty ones.
      const name = binding?.value ?? 'JSONRPC'
      if (url.value === '' || isHttp(url.value) || !BINDINGS.includes(name) || isScriptUrl(url.value)) continue
      if (name === 'GRPC' && HOST_AND_PORT.test(url.value)) continue
      const wanted = name === 'GRPC' ? 'host:port or an absolute https URL' : 'an absolute https URL'
      report(url.pointer, `Expected ${wanted} for ${name}, found ${quoted(url.value)}`)
    }
  }),
  rule(FINDINGS.A2A_PLAIN_HTTP, (card, report) => {
    for (const { url } of interfacesOf(card)) {
      if (/^http:\/\//i.test(url.value)) report(url.pointer, `Expected https, found ${quoted(url.value)}`)
    }
  }),
  rule(FINDINGS.A2A_SCRIPT_URL, ({ root, schemes }, report) => {
    for (const place of placesOf(root, schemes)) {
      for (const name of ADDRESSES) {
        const address = textMember(place, name)
        // A data URL of a picture is harmless.
        if (address === undefined || (name === 'iconUrl' && /^data:image\/(?!svg)/i.test(address.value))) continue
        if (!isScriptUrl(address.value)) continue
        report(address.pointer, `${quoted(address.value)} is run or read where it is opened: it leads nowhere else`)
      }
    }
  }),
  rule(FINDINGS.A2A_BINDING, (card, report) => {
    for (const { binding } of interfacesOf(card)) {
      if (binding === undefined || binding.value === '' || BINDINGS.includes(binding.value) || isUri(binding.value))
        continue
      report(binding.pointer, `Expected ${oneOf(BINDINGS)}, or a URI, found ${quoted(binding.value)}`, {
        fix: { hint: adviceOn(binding.value) },
      })
    }
  }),
  rule(FINDINGS.A2A_PROTOCOL_VERSION, ({ root, version }, report) => {
    const places = version === '0.3' ? [root] : elements(root, 'supportedInterfaces', isObject)
    const [form, example] = version === '0.3' ? [/^0\.\d{1,3}(\.\d{1,3})?$/, '0.3.0'] : [/^\d{1,3}\.\d{1,3}$/, '1.0']
    for (const { pointer, value } of textsOf(places, 'protocolVersion'))
      if (value !== '' && !form.test(value))
        report(pointer, `Expected a version such as ${example}, found ${quoted(value)}`)
  }),
  // A 1.0 card must not have other members at all.
  misspelledRule<A2aCard>(FINDINGS.A2A_MISSPELLED_MEMBER, ({ version }) =>
    version === '0.3' ? shapeOf('0.3') : undefined,
  ),
  rule(FINDINGS.A2A_OTHER_VERSION, (card, report) => {
    const other = A2A_READING.otherVersion?.(card)
    if (other !== undefined) report(other.pointer, other.detail)
  }),
  rule(FINDINGS.A2A_MODE, ({ root, skills }, report) => {
    const lists = [root, ...skills].flatMap((of) =>
      ['defaultInputModes', 'defaultOutputModes', 'inputModes', 'outputModes'].flatMap((name) =>
        elements(of, name, isText),
      ),
    )
    for (const mode of lists) checkMode(mode, report)
  }),
  rule(FINDINGS.A2A_SCHEME_KIND, ({ schemes, version }, report) => {
    if (version === '0.3') return
    const kinds = [...shapeOf('1.0', 'scheme').members!.keys()]
    const flows = [...shapeOf('1.0', 'flows').members!.keys()]
    for (const scheme of schemes.values()) {
      checkOne(scheme, kinds, report)
      const own = objectMember(scheme, 'oauth2SecurityScheme', 'flows')
      if (own !== undefined) checkOne(own, flows, report)
    }
  }),
  rule(FINDINGS.A2A_UNDECLARED_SCHEME, ({ root, skills, version }, report) => {
    const declared = objectMember(root, 'securitySchemes')?.value ?? {}
    const names = Object.keys(declared)
    const known = names.length === 0 ? 'none' : oneOf(names.slice(0, MOST_NAMED).map(quoted))
    const name = version === '1.0' ? 'securityRequirements' : 'security'
    for (const requirement of [root, ...skills].flatMap((of) => elements(of, name, isObject))) {
      const named = version === '1.0' ? objectMember(requirement, 'schemes') : requirement
      for (const scheme of Object.keys(named?.value ?? {})) {
        if (Object.hasOwn(declared, scheme)) continue
        const detail = `${quoted(scheme)} is not declared in securitySchemes, which has ${known}`
        report(`${named!.pointer}/${escapeToken(scheme)}`, detail, { atName: true })
      }
    }
  }),
  rule(FINDINGS.A2A_DEPRECATED_FLOW, ({ schemes, version }, report) => {
    for (const scheme of schemes.values()) {
      const flows = entriesOf(
        objectMember(version === '1.0' ? objectMember(scheme, 'oauth2SecurityScheme') : scheme, 'flows'),
      )
      for (const name of ['implicit', 'password']) {
        const flow = flows.get(name)
        if (flow !== undefined)
          report(flow.pointer, `The flow ${name} is deprecated: use authorizationCode or clientCredentials`, {
            atName: true,
          })
      }
    }
  }),
  signatureRule(FINDINGS.A2A_SIGNATURE_FORM, false),
  signatureRule(FINDINGS.A2A_SIGNATURE_HEADER, true),
]
