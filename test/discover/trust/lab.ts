// Agents of a test world, all real: zones on bind9, a server over TLS 1.3 with a private authority. For the guard,
// every public address is that of this server.
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Discovery, discover } from '../../../bindings/discover/trust/discover.ts'
import { udpResolver } from '../../../bindings/node/dns.ts'
import { guardedFetch } from '../../../bindings/node/fetch.ts'
import { certificateFor, newAuthority, spki } from '../../support/certificate.ts'
import { type DnsLab, startDns, type Zone } from '../../support/dns-lab.ts'
import { freePort } from '../../support/port.ts'

export const PUBLIC = '93.184.216.34'
const ALGORITHM = 'ECDSAP256SHA256'

/** A key of an agent, made with Node alone: the last 32 bytes of an Ed25519 SPKI are the key (RFC 8410). */
function agentKey() {
  const { publicKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ type: 'spki', format: 'der' })
  const name = (bytes: Uint8Array) => `ed25519:${createHash('sha256').update(bytes).digest('base64url')}`
  return {
    fingerprint: name(der.subarray(-32)),
    ofSpki: name(der),
    pem: (publicKey as KeyObject).export({ type: 'spki', format: 'pem' }).toString(),
  }
}

export const KEY = agentKey()
export const OTHER_KEY = agentKey()

interface Told {
  readonly domain: string
  readonly key?: typeof KEY
  readonly wellKnown: string
  readonly more?: object
}

export function metadata({ domain, key = KEY, wellKnown, more = {} }: Told) {
  return {
    protocol: 'ADP/1.1',
    identity: {
      id: `agent:${domain}`,
      domain,
      name: 'Alice',
      publicKey: { algorithm: 'ed25519', fingerprint: key.fingerprint, full: key.pem },
    },
    endpoints: { wellKnown },
    capabilities: [{ id: 'chat', name: 'Chat' }],
    security: { tlsRequired: true, authMethods: ['pubkey'] },
    ...more,
  }
}

export const send = (response: ServerResponse, body: object, headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'application/vnd.adp+json', ...headers }).end(JSON.stringify(body))

export interface World {
  readonly port: number
  readonly dns: DnsLab
  /** The certificate of the server, in PEM. */
  readonly certificate: string
  /** The certificate of its authority, in PEM. */
  readonly authority: string
  /** The requests to the server, as host and path. */
  readonly requests: string[]
  /** The user agent of each request. */
  readonly agents: (string | undefined)[]
  readonly options: discover.Options
  discover(domain: string, more?: Partial<discover.Options>): Promise<Discovery>
  close(): Promise<void>
}

export interface Making {
  readonly port: number
  /** The digest of the server's key, as in TLSA 3 1 1. */
  readonly spki: string
  /** The digest of the authority's certificate's key. */
  readonly authority: string
}

interface Plan {
  /** The names in the certificate. */
  readonly names: readonly string[]
  zones(making: Making): readonly Zone[]
  /** The behavior of the server for a host and path. */
  answer(to: string, response: ServerResponse, making: Making): unknown
  readonly server?: ServerOptions
}

export const signed = (name: string, records: string, more: Partial<Zone> = {}): Zone => ({
  name,
  records,
  algorithm: ALGORITHM,
  ...more,
})

export async function startWorld({ names, zones, answer, server = {} }: Plan): Promise<World> {
  const authority = newAuthority()
  const certificate = certificateFor(names, { issuer: authority })
  const requests: string[] = []
  const agents: (string | undefined)[] = []
  const port = await freePort()
  const digest = (of: typeof authority) => createHash('sha256').update(spki(of)).digest('hex')
  const making = { port, spki: digest(certificate), authority: digest(authority) }
  const listener: RequestListener = (request, response) => {
    const to = `${request.headers.host!.replace(/:\d+$/, '')}${request.url}`
    requests.push(to)
    agents.push(request.headers['user-agent'])
    answer(to, response, making)
  }
  const { key } = certificate
  const tls = createServer({ minVersion: 'TLSv1.3', ...server, key, cert: certificate.cert + authority.cert }, listener)
  await new Promise<void>((resolve) => tls.listen(port, '127.0.0.1', resolve))
  const dns = await startDns(zones({ ...making, port: (tls.address() as AddressInfo).port }))
  const options: discover.Options = {
    resolver: udpResolver({ address: '127.0.0.1', port: dns.port }),
    anchors: dns.anchors,
    fetch: guardedFetch({ ca: authority.cert, dial: () => '127.0.0.1' }),
  }
  return {
    port,
    dns,
    certificate: certificate.cert,
    authority: authority.cert,
    requests,
    agents,
    options,
    discover: (domain, more = {}) => discover(domain, { ...options, ...more }),
    async close() {
      await dns.close()
      tls.closeAllConnections()
      await new Promise((resolve) => tls.close(resolve))
    },
  }
}

/** The outcomes of all steps, by name. */
export const outcomes = ({ proof }: Discovery) =>
  Object.fromEntries(proof.steps.map(({ name, outcome }) => [name, outcome]))

/** The codes of the findings. */
export const codes = ({ proof }: Discovery) => proof.steps.flatMap(({ diagnostic }) => diagnostic?.code ?? [])

/** The step that ended it, and its code. */
export const endedBy = ({ agent, proof }: Discovery) => {
  const last = proof.steps.at(-1)!
  return agent === undefined ? `${last.name} ${last.diagnostic?.code}` : 'an agent'
}
