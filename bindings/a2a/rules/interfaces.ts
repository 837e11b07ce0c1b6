// Rules for the addresses of an agent (A2A 1.0 section 4.4.6, 0.3 section 5.5.5) and for its formats.

import type { Report, Rule } from '../../frame/rule.ts'
import { isMimeType, isUri } from '../../schema/formats.ts'
import { elements, isObject, isText, type PlacedValue, textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { oneOf, quoted } from '../../text/words.ts'
import { type A2aCard, interfacesOf } from '../a2a-card.ts'

const BINDINGS = ['JSONRPC', 'GRPC', 'HTTP+JSON']

/** The address of a gRPC server: `grpc.example.com:443`, `[2001:db8::1]:443`. */
const HOST_AND_PORT = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\]):\d{1,5}$/i

export const interfaceUrl: Rule<A2aCard> = {
  id: 'a2a-url',
  code: 'CARD-185',
  title: 'Invalid address of an interface',
  section: 'A2A 1.0 section 4.4.6',
  severity: 'error',
  why: 'A client connects to what stands here and nowhere else: an absolute URL of HTTP, or host and port for gRPC.',
  bad: '{"supportedInterfaces": [{"url": "/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}',
  good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}',
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
  id: 'a2a-plain-http',
  code: 'CARD-185',
  title: 'Interface without HTTPS',
  section: 'A2A 1.0 section 4.4.6',
  severity: 'warning',
  rulesets: { strict: 'error', security: 'error' },
  why: 'In production agents are reached over TLS: everybody on the way reads and changes what goes over plain HTTP.',
  bad: '{"supportedInterfaces": [{"url": "http://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}',
  good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}',
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
  id: 'a2a-binding',
  code: 'CARD-186',
  title: 'Protocol binding that few clients know',
  section: 'A2A 1.0 section 4.4.6',
  severity: 'warning',
  why: 'Clients choose an interface by its binding, letter for letter. One that is not of A2A has a URI for a name.',
  bad: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "jsonrpc", "protocolVersion": "1.0"}]}',
  good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}',
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
  id: 'a2a-protocol-version',
  code: 'CARD-186',
  title: 'Malformed protocol version',
  section: 'A2A 1.0 section 4.4.6',
  severity: 'warning',
  why: 'Clients compare major and minor version, as in 1.0; cards of 0.3 have three numbers, as in 0.3.0.',
  bad: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "v1"}]}',
  good: '{"supportedInterfaces": [{"url": "https://a.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]}',
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
  id: 'a2a-mode',
  code: 'CARD-186',
  title: 'Mode that is not a media type',
  section: 'A2A 1.0 section 4.4.1',
  severity: 'warning',
  why: 'Clients look for media types: for those that ask for text/plain, the mode text is another one.',
  bad: '{"defaultInputModes": ["text"]}',
  good: '{"defaultInputModes": ["text/plain"]}',
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
