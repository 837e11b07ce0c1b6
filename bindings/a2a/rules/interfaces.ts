// Rules for the addresses of an agent (A2A 1.0 section 4.4.6, 0.3 section 5.5.5) and for its formats.

import type { Report, Rule } from '../../frame/rule.ts'
import { isMimeType, isUri } from '../../schema/formats.ts'
import { elements, isObject, isText, type PlacedValue, textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { oneOf, quoted } from '../../text/words.ts'
import { type A2aCard, interfacesOf } from '../a2a-card.ts'
import * as FINDINGS from '../findings.ts'

const BINDINGS = ['JSONRPC', 'GRPC', 'HTTP+JSON']

/** The address of a gRPC server: `grpc.example.com:443`, `[2001:db8::1]:443`. */
const HOST_AND_PORT = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]):\d{1,5}$/i

export const interfaceUrl: Rule<A2aCard> = {
  ...FINDINGS.A2A_URL,
  check(card, report) {
    for (const { url, binding } of interfacesOf(card)) {
      // A custom binding defines its own addresses. The schema reports empty ones.
      const name = binding?.value ?? 'JSONRPC'
      if (url.value === '' || isHttp(url.value) || !BINDINGS.includes(name) || isScriptUrl(url.value)) continue
      if (name === 'GRPC' && HOST_AND_PORT.test(url.value)) continue
      const wanted = name === 'GRPC' ? 'host:port or an absolute https URL' : 'an absolute https URL'
      report(url.pointer, `Expected ${wanted} for ${name}, found ${quoted(url.value)}`)
    }
  },
}

export const plainHttp: Rule<A2aCard> = {
  ...FINDINGS.A2A_PLAIN_HTTP,
  check(card, report) {
    for (const { url } of interfacesOf(card)) {
      if (/^http:\/\//i.test(url.value)) report(url.pointer, `Expected https, found ${quoted(url.value)}`)
    }
  },
}

function isHttp(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && isUri(text)
}

export const binding: Rule<A2aCard> = {
  ...FINDINGS.A2A_BINDING,
  check(card, report) {
    for (const { binding } of interfacesOf(card)) {
      if (binding === undefined || binding.value === '' || BINDINGS.includes(binding.value) || isUri(binding.value))
        continue
      report(binding.pointer, `Expected ${oneOf(BINDINGS)}, or a URI, found ${quoted(binding.value)}`, {
        fix: { hint: adviceOn(binding.value) },
      })
    }
  },
}

function adviceOn(name: string): string {
  const meant = BINDINGS.find((known) => known.replace('+', '') === name.toUpperCase().replace(/[^A-Z]/g, ''))
  if (meant !== undefined) return `did you mean ${meant}?`
  if (name.toUpperCase() === 'MCP') return 'MCP is no binding of A2A: publish a server card of MCP for it'
  return 'a binding of one’s own has a URI for a name'
}

export const protocolVersion: Rule<A2aCard> = {
  ...FINDINGS.A2A_PROTOCOL_VERSION,
  check({ root, version }, report) {
    const places = version === '0.3' ? [root] : elements(root, 'supportedInterfaces', isObject)
    const [form, example] = version === '0.3' ? [/^0\.\d{1,3}(\.\d{1,3})?$/, '0.3.0'] : [/^\d{1,3}\.\d{1,3}$/, '1.0']
    for (const place of places) {
      const stated = textMember(place, 'protocolVersion')
      if (stated === undefined || stated.value === '' || form.test(stated.value)) continue
      report(stated.pointer, `Expected a version such as ${example}, found ${quoted(stated.value)}`)
    }
  },
}

export const modes: Rule<A2aCard> = {
  ...FINDINGS.A2A_MODE,
  check({ root, skills }, report) {
    const lists = [root, ...skills].flatMap((of) =>
      ['defaultInputModes', 'defaultOutputModes', 'inputModes', 'outputModes'].flatMap((name) =>
        elements(of, name, isText),
      ),
    )
    for (const mode of lists) checkMode(mode, report)
  },
}

const TYPES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  json: 'application/json',
  data: 'application/json',
}

function checkMode({ pointer, value }: PlacedValue<string>, report: Report): void {
  if (value === '' || value.includes('*') || isMimeType(value)) return
  const meant = Object.hasOwn(TYPES, value) ? TYPES[value] : undefined
  const fix = meant === undefined ? {} : { fix: { hint: `did you mean ${meant}?` } }
  report(pointer, `Expected a media type such as text/plain, found ${quoted(value)}`, fix)
}
