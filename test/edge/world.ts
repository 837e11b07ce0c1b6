// The Worker with agents that it finds in DNS: their zone, their metadata, and everything else that the Worker sends
// out stays here.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { dohResolver } from '../../bindings/discover/index.ts'
import { type OraclePair, pairOf } from '../agp/oracle.ts'
import { type Asked, ask } from '../support/ask.ts'
import { startDns, startDoh, type Zone } from '../support/dns-lab.ts'
import { prepareSite, type RuntimeOptions, startRuntime } from '../support/runtime.ts'
import { refuseUpgrade } from '../support/upgrade.ts'
import { checkContract } from './contract.ts'
import { operator } from './tokens.ts'

export const OWN = 'agents.example.org'
export const HERE = `https://${OWN}`

const NET = 'example.net'
const signedZone = (name: string, records: string): Zone => ({ name, records, algorithm: 'ECDSAP256SHA256' })

/** A request that the Worker sent. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers what the Worker sends to an address. Metadata and DNS are already handled. */
export type Answering = (sent: Sent, response: ServerResponse) => void

function recordsOf({ uri, fingerprint }: OraclePair, label: string): string {
  const domain = uri.slice(6)
  const wellKnown = `https://${domain}/.well-known/agent.json`
  return `${label} A 93.184.216.34\n_agent.${label} TXT "v=ADP1.1; pk=${fingerprint}; wk=${wellKnown}"`
}

function metadataOf({ uri, fingerprint, publicPem }: OraclePair, endpoints: object = {}) {
  const domain = uri.slice(6)
  return {
    protocol: 'ADP/1.1',
    identity: { id: uri, domain, name: domain, publicKey: { algorithm: 'ed25519', fingerprint, full: publicPem } },
    endpoints: { wellKnown: `https://${domain}/.well-known/agent.json`, chat: `wss://${domain}/chat`, ...endpoints },
    capabilities: [{ id: 'chat', name: 'Chat' }],
    security: { tlsRequired: true, authMethods: ['pubkey'] },
  }
}

export interface Inhabitant {
  readonly label: string
  /** The zone of the label, example.net by default; other zones have a single label. */
  readonly zone?: string
  readonly endpoints?: object
  /** Its name at the Worker, which then also has its key. */
  readonly here?: string
  readonly pair?: OraclePair
}

/** Takes what asks for a WebSocket. */
type Upgrading = (url: URL, request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** The address that the Worker asked for. */
const targetOf = ({ url }: IncomingMessage) => new URL(decodeURIComponent(url!.slice(2)))

/** Callers that are found in DNS. The test itself publishes the agents of the Worker. */
export async function startWorld(
  inhabitants: readonly Inhabitant[],
  more: RuntimeOptions['settings'] = {},
  upgrade: Upgrading = (_, __, socket) => refuseUpgrade(socket),
) {
  const callers = inhabitants.map(({ label, zone = NET, pair }) => pair ?? pairOf(`agent:${label}.${zone}`))
  const recordsIn = (name: string) =>
    inhabitants.flatMap(({ label, zone = NET }, i) => (zone === name ? [recordsOf(callers[i]!, label)] : [])).join('\n')
  const tops = [...new Set(inhabitants.flatMap(({ zone }) => zone ?? []))]
  const dns = await startDns([
    signedZone('.', ''),
    signedZone('net', ''),
    signedZone(NET, recordsIn(NET)),
    ...tops.map((name) => signedZone(name, recordsIn(name))),
  ])
  const doh = await startDoh(dns.port)
  const sent: Sent[] = []
  const asked: string[] = []
  let answering: Answering = (_, response) => response.writeHead(404).end()
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const url = targetOf(request)
    if (url.href.startsWith(doh.url)) {
      const answer = await fetch(url, { headers: { accept: 'application/dns-message' } })
      response.setHeader('content-type', 'application/dns-message').end(Buffer.from(await answer.arrayBuffer()))
      return
    }
    const index = callers.findIndex(({ uri }) => url.hostname === uri.slice(6))
    if (index >= 0 && url.pathname === '/.well-known/agent.json') {
      asked.push(url.hostname)
      const metadata = metadataOf(callers[index]!, inhabitants[index]!.endpoints)
      response.setHeader('content-type', 'application/vnd.adp+json').end(JSON.stringify(metadata))
      return
    }
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    const one = { method: request.method!, url: url.href, headers: request.headers, body }
    sent.push(one)
    answering(one, response)
  }
  // The client may be killed during its request.
  const outside = createServer((request, response) => void take(request, response).catch(() => response.destroy()))
  outside.on('upgrade', (request, socket, head) => upgrade(targetOf(request), request, socket, head))
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
  const anchors = dns.anchors['.']!.map(({ keyTag, algorithm, digestType, digest }) =>
    [keyTag, algorithm, digestType, Buffer.from(digest).toString('hex')].join(' '),
  )
  const own = inhabitants.flatMap(({ here }, i) => (here === undefined ? [] : [[here, callers[i]!.pem]]))
  const keys = own.length === 0 ? {} : { AGENT_KEYS: JSON.stringify(Object.fromEntries(own)) }
  const site = await prepareSite('edge/worker.ts')
  const options = {
    outbound: (outside.address() as AddressInfo).port,
    settings: { PUBLIC_ORIGIN: HERE, DNS_RESOLVER: doh.url, DNS_ANCHORS: anchors.join(', '), ...keys, ...more },
  }
  let runtime = await startRuntime(site, options)

  /** Sends a request to the Worker, and checks the answer against openapi.json. */
  async function at(path: string, given: Asked = {}) {
    const answer = await ask(runtime.origin + path, { host: OWN, headers: operator(HERE), ...given })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value))
    const response = new Response(answer.status === 204 ? null : answer.text, { status: answer.status, headers })
    await checkContract(given.method ?? 'GET', runtime.origin + path, response)
    return answer
  }

  /** What other programs fetch from an address here, which has no TLS. */
  async function fetchHere(input: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input)
    const index = callers.findIndex(({ uri }) => url.hostname === uri.slice(6))
    if (index >= 0 && inhabitants[index]!.here === undefined)
      return Response.json(metadataOf(callers[index]!, inhabitants[index]!.endpoints))
    const headers = Object.fromEntries(new Headers(init.headers))
    const asked = {
      host: url.host,
      method: init.method ?? 'GET',
      headers,
      ...(init.body && { body: String(init.body) }),
    }
    const { status, text, headers: answered } = await ask(runtime.origin + url.pathname + url.search, asked)
    const type = String(answered['content-type'])
    return new Response(status === 204 ? null : text, { status, headers: { 'content-type': type } })
  }

  return {
    callers,
    fetch: fetchHere,
    resolver: () => dohResolver(doh.url),
    /** In the form of an anchors file. */
    anchors: anchors.map((row) => `. IN DS ${row}`).join('\n'),
    dns: { anchors: { '.': dns.anchors['.']! } },
    /** The hosts whose metadata the Worker has requested. */
    asked,
    /** Everything that the Worker has sent, except DNS queries and requests for metadata. */
    sent,
    at,
    json: async (path: string, given: Asked = {}) => JSON.parse((await at(path, given)).text),
    answer: (how: Answering) => {
      answering = how
    },
    origin: () => runtime.origin,
    restart: async () => {
      await runtime.kill()
      runtime = await startRuntime(site, options)
    },
    end: async () => {
      await runtime.kill()
      site.remove()
      outside.close()
      await doh.close()
      await dns.close()
    },
  }
}

export type World = Awaited<ReturnType<typeof startWorld>>
