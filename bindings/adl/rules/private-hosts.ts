import { parseAddress, specialPurpose } from '../../document/address.ts'
import type { Rule } from '../../document/rule.ts'
import type { Agent } from '../agent.ts'
import { patterns, uris } from '../places.ts'
import { quoted } from '../words.ts'

/**
 * Names that lead nowhere on the Internet: localhost (RFC 6761), local (RFC 6762) with the private names of its appendix G,
 * home.arpa (RFC 8375), and internal, which ICANN reserved in 2024.
 */
const PRIVATE = ['localhost', 'local', 'home.arpa', 'internal', 'intranet', 'private', 'corp', 'home', 'lan']

/** What a host tells of the inside of a network, or undefined. */
function revealed(host: string): string | undefined {
  const address = parseAddress(host.replace(/^\[(.*)\]$/, '$1'))
  if (address !== undefined) {
    const purpose = specialPurpose(address)
    return purpose === undefined ? 'an address and no registered name' : `an address for special use: ${purpose}`
  }
  const name = host.toLowerCase().replace(/\.$/, '')
  const suffix = PRIVATE.find((end) => name === end || name.endsWith(`.${end}`))
  if (suffix !== undefined) return `a name of a private network: .${suffix}`
  return /^[a-z0-9-]+$/.test(name) ? 'a name without a domain' : undefined
}

/** The host of a URI with an authority. */
function hostOf(uri: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(uri)?.[1]
}

export const privateHosts: Rule<Agent> = {
  id: 'private-host',
  code: 'BADL-115',
  title: 'Private host or address',
  section: 'ADL 18.4',
  severity: 'warning',
  why: 'A published document tells attackers how the network inside is named and numbered; elsewhere the name leads to another host.',
  bad: '{"permissions": {"network": {"allowed_hosts": ["db.corp"]}}}',
  good: '{"permissions": {"network": {"allowed_hosts": ["db.acme.example.com"]}}}',
  check(agent, report) {
    for (const { kind, isAllowing, pointer, value } of patterns(agent)) {
      if (kind !== 'host' || !isAllowing || value.length > 255) continue
      const what = revealed(value)
      if (what !== undefined) report(pointer, `Host ${quoted(value)} is ${what}`)
    }
    for (const { pointer, value } of uris(agent)) {
      const host = hostOf(value)
      if (host === undefined || host === '' || host.length > 255 || hasNoHost(value)) continue
      const what = revealed(host)
      if (what !== undefined) report(pointer, `Host ${quoted(host)} is ${what}`)
    }
  },
}

/** Of other schemes the authority may be another thing: a bucket in s3. */
const hasNoHost = (uri: string) => !/^(https?|wss?):/i.test(uri)
