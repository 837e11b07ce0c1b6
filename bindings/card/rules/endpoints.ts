import type { Rule } from '../../frame/subject.ts'
import { isUri } from '../../schema/formats.ts'
import { hostOf, isScriptUrl, revealedBy } from '../../text/host-name.ts'
import { elements, isText, member, type PlacedObject, type PlacedValue, textMember } from '../../text/members.ts'
import { mayHoldSecret, RANDOM_TEXT, REVOKE_SECRET, searchSecrets } from '../../text/secret-shapes.ts'
import { oneOf, quoted, suggest } from '../../text/words.ts'
import { readAgentUri } from '../agent-uri.ts'
import { hasScheme, PROTOCOLS } from '../endpoints.ts'
import {
  CLEARTEXT_ENDPOINT,
  ENDPOINT_AUTH,
  ENDPOINT_METHOD,
  ENDPOINT_PROTOCOL,
  ENDPOINT_SCHEME,
  ENDPOINT_URI,
  NO_METHODS,
  PRIVATE_HOST,
  SCRIPT_ENDPOINT,
  SECRET,
} from '../findings.ts'
import type { Card } from '../subject.ts'

/** A limit, because each suggestion compares the method with every tool. */
const MOST_SUGGESTED = 50

export const endpointMethod: Rule<Card> = {
  ...ENDPOINT_METHOD,
  check({ tools, endpoints }, report) {
    const names = new Set(tools.map((tool) => member(tool.value, 'name')).filter(isText))
    const known = [...names].slice(0, MOST_SUGGESTED)
    for (const endpoint of endpoints) {
      const methods = elements(endpoint, 'methods', isText)
      for (const [i, { pointer, value }] of methods.entries()) {
        if (names.has(value)) continue
        const meant = i < MOST_SUGGESTED && value.length < 256 ? suggest(value, known) : undefined
        const fix = meant === undefined ? {} : { fix: { hint: `did you mean ${quoted(meant)}?` } }
        report(pointer, `No tool has the name ${quoted(value)}`, fix)
      }
    }
  },
}

export const noMethods: Rule<Card> = {
  ...NO_METHODS,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const methods = member(endpoint.value, 'methods')
      if (!Array.isArray(methods) || methods.length > 0) continue
      report(`${endpoint.pointer}/methods`, 'No method can be reached at this endpoint', {
        fix: { hint: "leave 'methods' out when all tools can" },
      })
    }
  },
}

const KNOWN = Object.keys(PROTOCOLS)

export const endpointProtocol: Rule<Card> = {
  ...ENDPOINT_PROTOCOL,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const protocol = textMember(endpoint, 'protocol')
      if (protocol === undefined || protocol.value === '' || KNOWN.includes(protocol.value)) continue
      const lower = protocol.value.toLowerCase()
      const meant = KNOWN.includes(lower) ? lower : MEANT[lower]
      const fix = meant === undefined ? {} : { fix: { hint: `did you mean ${meant}?` } }
      report(
        protocol.pointer,
        `${quoted(protocol.value)} is not in the draft, which has ${oneOf(KNOWN)}: others may ignore it`,
        fix,
      )
    }
  },
}

const MEANT: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  http: 'http+json',
  https: 'http+json',
  rest: 'http+json',
  wss: 'ws',
  websocket: 'ws',
  grpcs: 'grpc',
})

const AUTH = ['none', 'bearer', 'mutual_tls', 'aitp_signed']

export const endpointAuth: Rule<Card> = {
  ...ENDPOINT_AUTH,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const auth = textMember(endpoint, 'auth')
      if (auth === undefined || AUTH.includes(auth.value)) continue
      const meant = suggest(auth.value.slice(0, 40).toLowerCase().replaceAll('-', '_'), AUTH)
      const fix = meant === undefined ? {} : { fix: { hint: `did you mean ${meant}?` } }
      report(auth.pointer, `${quoted(auth.value)} is not in the draft: expected ${oneOf(AUTH)}`, fix)
    }
  },
}

/** The endpoints whose protocol the draft defines, with their URIs. Other protocols define their `uri` themselves. */
function* known(card: Card): Generator<{ protocol: string; schemes: readonly string[]; uri: PlacedValue<string> }> {
  for (const endpoint of card.endpoints) {
    const protocol = textMember(endpoint, 'protocol')?.value ?? ''
    const uri = textMember(endpoint, 'uri')
    // A separate rule covers URIs that run as a script.
    if (!Object.hasOwn(PROTOCOLS, protocol) || uri === undefined || uri.value === '' || isScriptUrl(uri.value)) continue
    yield { protocol, schemes: PROTOCOLS[protocol]!, uri }
  }
}

export const endpointUri: Rule<Card> = {
  ...ENDPOINT_URI,
  check(card, report) {
    for (const { protocol, uri } of known(card)) {
      if (protocol === 'aitp' && uri.value.startsWith('agent://')) {
        const read = readAgentUri(uri.value)
        if ('detail' in read) report(uri.pointer, `${quoted(uri.value)} is no agent:// URI: ${read.detail}`)
      } else if (!isUri(uri.value)) report(uri.pointer, `${quoted(uri.value)} is no URI (RFC 3986)`)
    }
  },
}

export const endpointScheme: Rule<Card> = {
  ...ENDPOINT_SCHEME,
  check(card, report) {
    for (const { protocol, schemes, uri } of known(card)) {
      if (hasScheme(uri.value, schemes) || !isUri(uri.value)) continue
      const wanted = oneOf(schemes.map((scheme) => `${scheme}://`))
      report(uri.pointer, `A URI of ${protocol} begins with ${wanted}, found ${quoted(uri.value)}`)
    }
  },
}

/** Schemes without encryption: the network can read the traffic. */
const CLEARTEXT = /^(?:http|ws):\/\//i

export const cleartext: Rule<Card> = {
  ...CLEARTEXT_ENDPOINT,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const uri = textMember(endpoint, 'uri')
      if (uri === undefined || !CLEARTEXT.test(uri.value)) continue
      report(uri.pointer, `${quoted(uri.value)} is not encrypted${secretOf(endpoint)}`)
    }
  },
}

const secretOf = (endpoint: PlacedObject) =>
  member(endpoint.value, 'auth') === 'bearer' ? ', and everybody on the way reads the token' : ''

export const scriptEndpoint: Rule<Card> = {
  ...SCRIPT_ENDPOINT,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const uri = textMember(endpoint, 'uri')
      if (uri === undefined || !isScriptUrl(uri.value)) continue
      report(uri.pointer, `${quoted(uri.value)} is run or read where it is opened: it leads to no agent`)
    }
  },
}

const LONGEST_HOST = 255

export const privateHost: Rule<Card> = {
  ...PRIVATE_HOST,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const uri = textMember(endpoint, 'uri')
      const host = uri && hostOf(uri.value)
      if (host === undefined || host === '' || host.length > LONGEST_HOST) continue
      const what = revealedBy(host)
      if (what !== undefined) report(uri!.pointer, `Host ${quoted(host)} is ${what}`)
    }
  },
}

/**
 * True for random text that is meant to be public: ids that are keys, and signatures. Extensions may hold any random
 * text.
 */
function isPublic(pointer: string, what: string): boolean {
  if (/^\/(id|did|signature|endpoints\/\d+\/uri)$/.test(pointer)) return what === RANDOM_TEXT
  return what === RANDOM_TEXT && pointer.startsWith('/extensions/')
}

export const secret: Rule<Card> = {
  ...SECRET,
  check({ document, root, id, did, signature }, report) {
    const known = [id, did, signature].map((text) => text?.value ?? '').join(' ')
    if (!mayHoldSecret(document.bytes, known)) return
    searchSecrets(root.value, (pointer, what) => {
      if (!isPublic(pointer, what)) report(pointer, `The text looks like ${what}`, { fix: REVOKE_SECRET })
    })
  },
}
