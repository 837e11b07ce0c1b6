import type { Rule } from '../../frame/rule.ts'
import { isUri } from '../../schema/formats.ts'
import { isDomain } from '../../text/host-name.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { quoted } from '../../text/words.ts'
import type { Endpoint, Metadata } from '../metadata.ts'

const isUrl = ({ value }: Endpoint) => isUri(value) && URL.canParse(value)
const hasScheme = ({ value, scheme }: Endpoint) => value.toLowerCase().startsWith(`${scheme}://`)

export const endpointUrl: Rule<Metadata> = {
  id: 'endpoint-url',
  code: 'WK-120',
  title: 'Endpoint that is no URL',
  section: 'ADP/1.1 section 6.3.3',
  severity: 'error',
  why: 'Programs read a malformed URL differently: it leads to different places, or nowhere; a script runs in the program that opens it.',
  bad: '{"endpoints": {"wellKnown": "alice.example.com"}}',
  good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}',
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      if (endpoint.value === '' || (isUrl(endpoint) && !isScriptUrl(endpoint.value))) continue
      report(endpoint.pointer, `${quoted(endpoint.value)} is no URL of a server (RFC 3986)`)
    }
  },
}

export const endpointScheme: Rule<Metadata> = {
  id: 'endpoint-scheme',
  code: 'WK-121',
  title: 'Endpoint without TLS',
  section: 'ADP/1.1 section 8.2',
  severity: 'error',
  why: 'All endpoints MUST be served over TLS: https, and wss for chat. Everything else is read and changed on the way.',
  bad: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json", "chat": "ws://alice.example.com/agent/chat"}}',
  good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json", "chat": "wss://alice.example.com/agent/chat"}}',
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      if (!isUrl(endpoint) || hasScheme(endpoint) || isScriptUrl(endpoint.value)) continue
      report(endpoint.pointer, `${endpoint.name} begins with ${endpoint.scheme}://, found ${quoted(endpoint.value)}`)
    }
  },
}

export const endpointCredentials: Rule<Metadata> = {
  id: 'endpoint-credentials',
  code: 'WK-122',
  title: 'Endpoint with a password',
  section: 'ADP/1.1 section 6.3.3',
  severity: 'error',
  why: 'Anybody reads this document, and the password in it. Clients refuse such a URL.',
  bad: '{"endpoints": {"wellKnown": "https://user:pass@alice.example.com/.well-known/agent.json"}}',
  good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}',
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      if (!isUrl(endpoint)) continue
      const { username, password } = new URL(endpoint.value)
      if (username !== '' || password !== '') report(endpoint.pointer, `${endpoint.name} has a user name or a password`)
    }
  },
}

export const wellKnownOrigin: Rule<Metadata> = {
  id: 'well-known-origin',
  code: 'WK-123',
  title: 'Document of another domain',
  section: 'ADP/1.1 section 6.3.3',
  severity: 'warning',
  why: 'The member is the URL of this document. At another domain it can only be that of a provider, who has to be the one that the DNS names.',
  bad: '{"identity": {"domain": "alice.example.com"}, "endpoints": {"wellKnown": "https://bank.example/.well-known/agent.json"}}',
  good: '{"identity": {"domain": "alice.example.com"}, "endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}',
  check({ endpoints, domain }, report) {
    const own = endpoints.find(({ name }) => name === 'wellKnown')
    if (own === undefined || domain === undefined || !isDomain(domain.value) || !isUrl(own) || !hasScheme(own)) return
    const { host } = new URL(own.value)
    if (host !== domain.value.toLowerCase())
      report(own.pointer, `It lies at ${quoted(host)}, not at ${quoted(domain.value)}`)
  },
}

export const wellKnownPath: Rule<Metadata> = {
  id: 'well-known-path',
  code: 'WK-124',
  title: 'Document at another path',
  section: 'ADP/1.1 section 4.1.1',
  severity: 'warning',
  rulesets: { spec: 'off' },
  why: 'Clients look below /.well-known/, at agent.json where the DNS names no other.',
  bad: '{"endpoints": {"wellKnown": "https://alice.example.com/agent.json"}}',
  good: '{"endpoints": {"wellKnown": "https://alice.example.com/.well-known/agent.json"}}',
  check({ endpoints }, report) {
    const own = endpoints.find(({ name }) => name === 'wellKnown')
    if (own === undefined || !isUrl(own) || !hasScheme(own)) return
    const { pathname, search, hash } = new URL(own.value)
    const isPlain =
      /^\/\.well-known\/[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(pathname) && search === '' && hash === ''
    if (!isPlain)
      report(
        own.pointer,
        `Expected a path of plain segments below /.well-known/, found ${quoted(pathname + search + hash)}`,
      )
  },
}
