import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { suggest } from '../../text/suggest.ts'
import { oneOf, quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { PROTOCOLS } from '../endpoints.ts'
import { ENDPOINT_AUTH, ENDPOINT_PROTOCOL } from '../findings.ts'

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
