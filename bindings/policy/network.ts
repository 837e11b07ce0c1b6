import type { PlacedValue } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { insideAddress, insideName, isAddress, normalizeHost, spellHostPattern } from './host.ts'
import { asNumber, type Part } from './part.ts'
import { PatternList } from './pattern-list.ts'
import type { NetworkRequest } from './request.ts'
import type { Trace } from './trace.ts'

export interface Network {
  readonly hosts: PatternList
  /** Absent ports and protocols restrict nothing; empty lists allow nothing. */
  readonly ports: PlacedValue<readonly PlacedValue<number>[]> | undefined
  readonly protocols: PlacedValue<readonly PlacedValue<string>[]> | undefined
  readonly denyPrivate: PlacedValue<boolean> | undefined
}

export function readNetwork(part: Part): Network {
  const ports = part.list('allowed_ports')
  return {
    hosts: new PatternList('host', part.texts('allowed_hosts'), { spell: spellHostPattern }),
    ports: ports && { ...ports, value: ports.value.map((port) => asNumber(port, 1, 65_535)) },
    protocols: part.texts('allowed_protocols'),
    denyPrivate: part.flag('deny_private'),
  }
}

/** The request of a connection to a URL. */
export function requestForUrl({ hostname, port, protocol }: URL): NetworkRequest {
  const number = Number(port) || (protocol === 'http:' ? 80 : 443)
  return { domain: 'network', host: hostname, port: number, protocol: protocol.slice(0, -1) }
}

/** Schemes are case-insensitive (RFC 3986 section 3.1), and `URL.protocol` ends with a colon. */
export function normalizeProtocol(protocol: string): string {
  return protocol.replace(/:$/, '').toLowerCase()
}

export function judgeNetwork({ hosts, ports, protocols, denyPrivate }: Network) {
  const allowedPorts = ports && new Set(ports.value.map(({ value }) => value))
  const allowedProtocols = protocols && new Set(protocols.value.map(({ value }) => normalizeProtocol(value)))

  return ({ host: given, port, protocol, address }: NetworkRequest, trace: Trace | undefined): boolean => {
    const host = normalizeHost(given)
    if (host === undefined) {
      trace?.denied('network', `${quoted(given)} is no host name and no address`)
      return false
    }
    const found = hosts.find(host, trace === undefined)
    if (found === undefined) {
      trace?.denied('network', `no pattern of allowed_hosts matches the host ${quoted(host)}`, hosts.pointer)
      return false
    }
    trace?.granted('network', `the host ${quoted(host)} matches ${quoted(found.value)} of allowed_hosts`, found.pointer)
    if (allowedPorts !== undefined) {
      if (port === undefined || !allowedPorts.has(port)) {
        const what = port === undefined ? 'the request names no port' : `port ${port} is not in allowed_ports`
        trace?.denied('network', what, ports!.pointer)
        return false
      }
      trace?.passed('network', `port ${port} is in allowed_ports`, ports!.pointer)
    }
    if (allowedProtocols !== undefined) {
      if (
        protocol === undefined ||
        !(allowedProtocols.has(protocol) || allowedProtocols.has(normalizeProtocol(protocol)))
      ) {
        const what =
          protocol === undefined ? 'the request names no protocol' : `${quoted(protocol)} is not in allowed_protocols`
        trace?.denied('network', what, protocols!.pointer)
        return false
      }
      trace?.passed('network', `${quoted(protocol)} is in allowed_protocols`, protocols!.pointer)
    }
    return denyPrivate?.value !== true || isPublic(host, address, denyPrivate.pointer, trace)
  }
}

/** `deny_private`: neither the host nor the address that it resolves to may be in a private network. */
function isPublic(host: string, address: string | undefined, pointer: string, trace: Trace | undefined): boolean {
  const inside = insideName(host) ?? (address === undefined ? undefined : insideAddress(address))
  if (inside !== undefined) {
    trace?.denied('network', `deny_private: ${inside}`, pointer)
    return false
  }
  if (address !== undefined || isAddress(host)) trace?.passed('network', 'deny_private: the address is public', pointer)
  else {
    trace?.passed('network', 'deny_private: the address that the name is resolved to has to be checked', pointer)
    trace?.oblige('check-address')
  }
  return true
}
