import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { suggest } from '../../text/suggest.ts'
import { oneOf, quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { PROTOCOLS } from '../endpoints.ts'

const KNOWN = Object.keys(PROTOCOLS)

export const endpointProtocol: Rule<Card> = {
  id: 'endpoint-protocol',
  code: 'CARD-115',
  title: 'Protocol that the draft does not name',
  section: 'Agent Card 3.5',
  severity: 'info',
  why: 'Who does not know the protocol ignores the endpoint.',
  bad: '{"endpoints": [{"protocol": "https", "uri": "https://api.example.com"}]}',
  good: '{"endpoints": [{"protocol": "http+json", "uri": "https://api.example.com"}]}',
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
  id: 'endpoint-auth',
  code: 'CARD-118',
  title: 'Authentication that the draft does not name',
  section: 'Agent Card 3.5',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'Callers that do not know the scheme cannot authenticate, and leave the endpoint out.',
  bad: '{"endpoints": [{"protocol": "aitp", "uri": "agent://scout", "auth": "token"}]}',
  good: '{"endpoints": [{"protocol": "aitp", "uri": "agent://scout", "auth": "bearer"}]}',
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
