import type { Rule } from '../../frame/subject.ts'
import { isUri } from '../../schema/formats.ts'
import { isDomain, isScriptUrl } from '../../text/host-name.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import type { Endpoint, Metadata } from '../subject.ts'

const isUrl = ({ value }: Endpoint) => isUri(value) && URL.canParse(value)
const hasScheme = ({ value, scheme }: Endpoint) => value.toLowerCase().startsWith(`${scheme}://`)

export const endpointUrl: Rule<Metadata> = {
  ...FINDINGS.ENDPOINT_URL,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      if (endpoint.value === '' || (isUrl(endpoint) && !isScriptUrl(endpoint.value))) continue
      report(endpoint.pointer, `${quoted(endpoint.value)} is no URL of a server (RFC 3986)`)
    }
  },
}

export const endpointScheme: Rule<Metadata> = {
  ...FINDINGS.ENDPOINT_SCHEME,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      if (!isUrl(endpoint) || hasScheme(endpoint) || isScriptUrl(endpoint.value)) continue
      report(endpoint.pointer, `${endpoint.name} begins with ${endpoint.scheme}://, found ${quoted(endpoint.value)}`)
    }
  },
}

export const endpointCredentials: Rule<Metadata> = {
  ...FINDINGS.ENDPOINT_CREDENTIALS,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      if (!isUrl(endpoint)) continue
      const { username, password } = new URL(endpoint.value)
      if (username !== '' || password !== '') report(endpoint.pointer, `${endpoint.name} has a user name or a password`)
    }
  },
}

export const wellKnownOrigin: Rule<Metadata> = {
  ...FINDINGS.WELL_KNOWN_ORIGIN,
  check({ endpoints, domain }, report) {
    const own = endpoints.find(({ name }) => name === 'wellKnown')
    if (own === undefined || domain === undefined || !isDomain(domain.value) || !isUrl(own) || !hasScheme(own)) return
    const { host } = new URL(own.value)
    if (host !== domain.value.toLowerCase())
      report(own.pointer, `It lies at ${quoted(host)}, not at ${quoted(domain.value)}`)
  },
}

export const wellKnownPath: Rule<Metadata> = {
  ...FINDINGS.WELL_KNOWN_PATH,
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
