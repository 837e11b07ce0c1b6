// Agents at the Worker, and others on this machine, which find each other with real DNS. Shared by the tests of
// messages.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SocketLike } from '../../bindings/agp/session.ts'
import { peer } from '../../scripts/peers.mjs'
import type { OraclePair, Said } from '../agp/oracle.ts'
import { type Asked, ask } from '../support/ask.ts'
import { startDns, startDoh } from '../support/dns-lab.ts'
import { prepareSite, type Runtime, startRuntime } from '../support/runtime.ts'
import { refuseUpgrade } from '../support/upgrade.ts'
import { checkContract } from './contract.ts'
import { operator } from './tokens.ts'

const { WebSocketServer } = await peer('ws', 'sockets')

const OWN = 'agents.example.org'
const HERE = `https://${OWN}`

export interface World {
  runtime: Runtime
  /** The WebSocket servers of agents outside the Worker; none when absent. */
  readonly receivers: Map<string, (socket: SocketLike) => void>
  readonly asked: string[]
  /** Requests that asked for a WebSocket. */
  readonly dialed: { readonly method: string; readonly url: string; readonly headers: object; readonly body: '' }[]
  at(path: string, given?: Asked): Promise<Awaited<ReturnType<typeof ask>>>
  json(path: string, given?: Asked): Promise<Said>
  /** Kills the runtime with SIGKILL, and starts another one with the same storage. */
  again(): Promise<void>
  close(): Promise<void>
}

const domainOf = ({ uri }: OraclePair) => uri.slice(6)

function recordsOf(pair: OraclePair): string {
  const [domain, label] = [domainOf(pair), domainOf(pair).split('.')[0]]
  const wellKnown = `https://${domain}/.well-known/agent.json`
  return `${label} A 93.184.216.34\n_agent.${label} TXT "v=ADP1.1; pk=${pair.fingerprint}; wk=${wellKnown}"`
}

function metadataOf(pair: OraclePair) {
  const { uri, fingerprint, publicPem } = pair
  const domain = domainOf(pair)
  return {
    protocol: 'ADP/1.1',
    identity: { id: uri, domain, name: domain, publicKey: { algorithm: 'ed25519', fingerprint, full: publicPem } },
    endpoints: { wellKnown: `https://${domain}/.well-known/agent.json`, chat: `wss://${domain}/agent/chat` },
    capabilities: [{ id: 'chat', name: 'Chat' }],
    security: { tlsRequired: true, authMethods: ['pubkey'] },
  }
}

/** The server for everything that the Worker fetches. */
async function outside(
  others: readonly OraclePair[],
  { receivers, asked, dialed }: World,
  doh: string,
): Promise<Server> {
  const target = (url = '') => new URL(decodeURIComponent(url.slice(2)))
  const server = createServer((request, response) => {
    const url = target(request.url)
    asked.push(url.href)
    const other = others.find((pair) => url.hostname === domainOf(pair))
    if (url.href.startsWith(doh))
      void fetch(url, { headers: { accept: 'application/dns-message' } })
        .then((answer) => answer.arrayBuffer())
        .then((bytes) => response.setHeader('content-type', 'application/dns-message').end(Buffer.from(bytes)))
        .catch(() => response.destroy())
    else if (other !== undefined)
      response.setHeader('content-type', 'application/vnd.adp+json').end(JSON.stringify(metadataOf(other)))
    else response.writeHead(404).end()
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    const url = target(request.url)
    asked.push(url.href)
    dialed.push({ method: request.method!, url: url.href, headers: request.headers, body: '' })
    const take = receivers.get(url.hostname)
    if (take === undefined) refuseUpgrade(socket)
    else sockets.handleUpgrade(request, socket, head, take)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  return server
}

/** The agents in `own` are at the Worker, with keys that the operator has given. All are below example.net. */
export async function openWorld(
  own: Readonly<Record<string, OraclePair>>,
  others: readonly OraclePair[],
): Promise<World> {
  const records = [...Object.values(own), ...others].map(recordsOf).join('\n')
  const zone = (name: string, text = '') => ({ name, records: text, algorithm: 'ECDSAP256SHA256' })
  const dns = await startDns([zone('.'), zone('net'), zone('example.net', records)])
  const doh = await startDoh(dns.port)
  const anchors = dns.anchors['.']!.map(({ keyTag, algorithm, digestType, digest }) =>
    [keyTag, algorithm, digestType, Buffer.from(digest).toString('hex')].join(' '),
  )
  const world = { receivers: new Map(), asked: [], dialed: [] } as unknown as World
  const server = await outside(others, world, doh.url)
  const site = await prepareSite('edge/worker.ts')
  const keys = Object.fromEntries(Object.entries(own).map(([name, { pem }]) => [name, pem]))
  const options = {
    outbound: (server.address() as AddressInfo).port,
    settings: {
      PUBLIC_ORIGIN: HERE,
      DNS_RESOLVER: doh.url,
      DNS_ANCHORS: anchors.join(', '),
      AGENT_KEYS: JSON.stringify(keys),
    },
  }
  world.runtime = await startRuntime(site, options)
  world.at = async (path, given = {}) => {
    const url = world.runtime.origin + path
    const answer = await ask(url, { host: OWN, headers: operator(HERE), ...given })
    const { status, text } = answer
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string])
    await checkContract(given.method ?? 'GET', url, new Response(status === 204 ? null : text, { status, headers }))
    return answer
  }
  world.json = async (path, given) => JSON.parse((await world.at(path, given)).text)
  world.again = async () => {
    await world.runtime.kill()
    world.runtime = await startRuntime(site, options)
  }
  world.close = async () => {
    await world.runtime.kill()
    site.remove()
    server.close()
    await doh.close()
    await dns.close()
  }
  for (const [name, pair] of Object.entries(own)) await publish(world, name, domainOf(pair))
  return world
}

async function publish(world: World, name: string, host: string): Promise<void> {
  await world.at(`/v1/agents/${name}`, { method: 'PUT', body: { host } })
  const body = { name, endpoints: { chat: `wss://${host}/agent/chat` } }
  const { status, text } = await world.at(`/agents/${name}/agent.json`, { method: 'POST', body })
  if (status !== 201) throw new Error(text)
}
