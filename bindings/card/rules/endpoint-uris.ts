import type { Rule } from '../../frame/rule.ts'
import { isUri } from '../../schema/formats.ts'
import { member, type PlacedObject, type PlacedValue, textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { oneOf, quoted } from '../../text/words.ts'
import { readAgentUri } from '../agent-uri.ts'
import type { Card } from '../card.ts'
import { hasScheme, PROTOCOLS } from '../endpoints.ts'
import { CLEARTEXT_ENDPOINT, ENDPOINT_SCHEME, ENDPOINT_URI } from '../findings.ts'

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
