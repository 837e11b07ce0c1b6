import type { Rule } from '../../frame/rule.ts'
import { isUri } from '../../schema/formats.ts'
import { member, type PlacedObject, type PlacedValue, textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { oneOf, quoted } from '../../text/words.ts'
import { readAgentUri } from '../agent-uri.ts'
import type { Card } from '../card.ts'
import { hasScheme, PROTOCOLS } from '../endpoints.ts'

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
  id: 'endpoint-uri',
  code: 'CARD-116',
  title: 'Endpoint that is no URI',
  section: 'Agent Card 3.5',
  severity: 'error',
  why: 'Programs read a malformed URI differently: it leads to different places, or nowhere.',
  bad: '{"endpoints": [{"protocol": "http+json", "uri": "https://api.example.com/a b"}]}',
  good: '{"endpoints": [{"protocol": "http+json", "uri": "https://api.example.com/a%20b"}]}',
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
  id: 'endpoint-scheme',
  code: 'CARD-117',
  title: 'URI of another protocol',
  section: 'Agent Card 3.5',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'The form of the URI depends on the protocol: clients of this one do not know what to do with that scheme.',
  bad: '{"endpoints": [{"protocol": "ws", "uri": "https://api.example.com/ws"}]}',
  good: '{"endpoints": [{"protocol": "ws", "uri": "wss://api.example.com/ws"}]}',
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
  id: 'cleartext-endpoint',
  code: 'CARD-140',
  title: 'Endpoint without encryption',
  section: 'Agent Card 7',
  severity: 'warning',
  rulesets: { spec: 'off', security: 'error' },
  why: 'Whoever is on the way reads requests and answers, takes tokens, and puts in answers of their own.',
  bad: '{"endpoints": [{"protocol": "http+json", "uri": "http://api.example.com", "auth": "bearer"}]}',
  good: '{"endpoints": [{"protocol": "http+json", "uri": "https://api.example.com", "auth": "bearer"}]}',
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
