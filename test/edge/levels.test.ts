// All of ADP/1.1 with real parts on this machine: three levels of signed zones, TLS 1.3 with a private authority and
// TLSA, two Workers. A program in Node reaches all four levels of trust with one of them, and the Workers talk to each
// other.
import { createHash } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../bindings/agp/index.ts'
import { type Discovery, discover, replay } from '../../bindings/discover/index.ts'
import { guardedFetch, guardedWebSocket, udpResolver } from '../../bindings/node/index.ts'
import { type OraclePair, pairOf } from '../agp/oracle.ts'
import { ask } from '../support/ask.ts'
import { certificateFor, newAuthority, spki } from '../support/certificate.ts'
import { bind, type DnsLab, startDns, startDoh } from '../support/dns-lab.ts'
import { prepareSite, type Runtime, startRuntime } from '../support/runtime.ts'
import { refuseUpgrade } from '../support/upgrade.ts'
import { operator } from './tokens.ts'

if (!bind.available) console.warn(`NOT RUN: the Worker behind a signed DNS: ${bind.reason}`)

const PUBLIC = '93.184.216.34'
const ALICE = pairOf('agent:alice.example.net')
/** The agents, each on its own Worker. */
const OWN: Readonly<Record<string, OraclePair>> = {
  bob: pairOf('agent:bob.example.net'),
  carol: pairOf('agent:carol.example.net'),
}
const hostOf = ({ uri }: OraclePair) => uri.slice('agent:'.length)

const authority = newAuthority()
const certificate = certificateFor(['*.example.net'], { issuer: authority })
const runtimes = new Map<string, Runtime>()
const ends: (() => unknown)[] = []
let dns: DnsLab
/** The port of all hosts, which TLSA and SVCB name. */
let port: number

const aliceMetadata = () => ({
  protocol: 'ADP/1.1',
  identity: {
    id: ALICE.uri,
    domain: hostOf(ALICE),
    name: 'Alice',
    publicKey: { algorithm: 'ed25519', fingerprint: ALICE.fingerprint, full: ALICE.publicPem },
  },
  endpoints: {
    wellKnown: `https://${hostOf(ALICE)}:${port}/.well-known/agent.json`,
    chat: `wss://${hostOf(ALICE)}:${port}/chat`,
  },
  capabilities: [{ id: 'chat', name: 'Chat' }],
  security: { tlsRequired: true, authMethods: ['pubkey'] },
})

/** Passes a request to the Worker of a host; Alice has none. */
function pass(target: URL, asked: IncomingMessage, response: ServerResponse): void {
  const runtime = runtimes.get(target.hostname)
  if (runtime === undefined) {
    response.writeHead(200, { 'content-type': 'application/vnd.adp+json' }).end(JSON.stringify(aliceMetadata()))
    return
  }
  const headers = { ...asked.headers, host: target.host }
  const options = { method: asked.method, headers, agent: false } as const
  const upstream = request(`${runtime.origin}${target.pathname}${target.search}`, options, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  })
  upstream.on('error', () => response.destroy())
  asked.pipe(upstream)
}

function upgrade(target: URL, asked: IncomingMessage, socket: Duplex): void {
  const runtime = runtimes.get(target.hostname)
  if (runtime === undefined) return void refuseUpgrade(socket)
  // The local runtime has its own compression, so it gets no extension header.
  const { 'sec-websocket-extensions': _, ...headers } = { ...asked.headers, host: target.host }
  const upstream = request(`${runtime.origin}${target.pathname}`, { headers, agent: false })
  upstream.on('error', () => socket.destroy())
  socket.on('error', () => upstream.destroy())
  upstream.on('upgrade', (answer, other) => {
    const lines = answer.rawHeaders.flatMap((name, i, all) => (i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : []))
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
    for (const [a, b] of [
      [socket, other],
      [other, socket],
    ] as const)
      a.pipe(b).on('error', () => a.destroy())
  })
  upstream.end()
}

async function startFront(): Promise<void> {
  const { key, cert } = certificate
  const to = ({ headers, url }: IncomingMessage) => new URL(`https://${headers.host}${url}`)
  const front = createTls({ key, cert: cert + authority.cert, minVersion: 'TLSv1.3' }, (asked, response) =>
    pass(to(asked), asked, response),
  )
  front.on('upgrade', (asked, socket) => upgrade(to(asked), asked, socket))
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
  ;({ port } = front.address() as AddressInfo)
  ends.push(() => {
    front.close()
    front.closeAllConnections()
  })
}

function zoneOf(pair: OraclePair): string {
  const [host, label] = [hostOf(pair), hostOf(pair).split('.')[0]]
  const digest = createHash('sha256').update(spki(certificate)).digest('hex')
  return [
    `${label} A ${PUBLIC}`,
    `${label} SVCB 1 . alpn="h2,http/1.1" port="${port}"`,
    `_agent.${label} TXT "v=ADP1.1; pk=${pair.fingerprint}; wk=https://${host}:${port}/.well-known/agent.json"`,
    `_${port}._tcp.${label} TLSA 3 1 1 ${digest}`,
  ].join('\n')
}

/** The same servers answer what the Workers fetch. */
async function startOutside(doh: string): Promise<number> {
  const target = (url = '') => new URL(decodeURIComponent(url.slice(2)))
  const outside = createHttp((asked, response) => {
    const url = target(asked.url)
    if (!url.href.startsWith(doh)) return pass(url, asked, response)
    void fetch(url, { headers: { accept: 'application/dns-message' } })
      .then((answer) => answer.arrayBuffer())
      .then((bytes) => response.setHeader('content-type', 'application/dns-message').end(Buffer.from(bytes)))
      .catch(() => response.destroy())
  })
  outside.on('upgrade', (asked, socket) => upgrade(target(asked.url), asked, socket))
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done))
  ends.push(() => {
    outside.close()
    outside.closeAllConnections()
  })
  return (outside.address() as AddressInfo).port
}

const originOf = (name: string) => `https://${name}.operator.example`
const at = async (name: string, path: string, method = 'GET', body?: object) => {
  const { origin } = runtimes.get(hostOf(OWN[name]!))!
  const headers = operator(originOf(name))
  const given = { host: `${name}.operator.example`, headers, method, ...(body !== undefined && { body }) }
  const { status, text } = await ask(`${origin}${path}`, given)
  if (status >= 400) throw new Error(text)
  return text === '' ? undefined : JSON.parse(text)
}

async function startWorker(name: string, outbound: number, doh: string): Promise<void> {
  const pair = OWN[name]!
  const [{ keyTag, algorithm, digestType, digest }] = dns.anchors['.'] as never as [Record<string, never>]
  const anchor = [keyTag, algorithm, digestType, Buffer.from(digest as never).toString('hex')].join(' ')
  const site = await prepareSite('edge/worker.ts')
  const settings = {
    PUBLIC_ORIGIN: originOf(name),
    DNS_RESOLVER: doh,
    DNS_ANCHORS: anchor,
    AGENT_KEYS: JSON.stringify({ [name]: pair.pem }),
  }
  const runtime = await startRuntime(site, { outbound, settings })
  ends.push(() => runtime.kill().then(() => site.remove()))
  runtimes.set(hostOf(pair), runtime)
  const host = `${hostOf(pair)}:${port}`
  await at(name, `/v1/agents/${name}`, 'PUT', { host })
  const endpoints = { chat: `wss://${host}/agent/chat` }
  await at(name, `/agents/${name}/agent.json`, 'POST', { domain: hostOf(pair), name, endpoints })
}

const given = () => {
  const dialer = { ca: authority.cert, dial: () => '127.0.0.1' }
  const resolver = udpResolver({ address: '127.0.0.1', port: dns.port })
  return {
    discovery: { resolver, anchors: dns.anchors, fetch: guardedFetch(dialer) },
    WebSocket: guardedWebSocket({ ...dialer, resolve: async () => [PUBLIC] }),
  }
}

describe.runIf(bind.available)('agents at Workers behind TLS 1.3, in signed zones', () => {
  beforeAll(async () => {
    await startFront()
    const signed = (name: string, records = '') => ({ name, records, algorithm: 'ECDSAP256SHA256' })
    const all = [ALICE, ...Object.values(OWN)].map(zoneOf).join('\n')
    dns = await startDns([signed('.'), signed('net'), signed('example.net', all)])
    const doh = await startDoh(dns.port)
    ends.push(
      () => dns.close(),
      () => doh.close(),
    )
    const outbound = await startOutside(doh.url)
    for (const name of Object.keys(OWN)) await startWorker(name, outbound, doh.url)
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })

  test('[agp/8.1-1] a program in Node reaches all four levels, each through verified signatures', async () => {
    const { discovery, WebSocket } = given()
    let found: Discovery | undefined
    const connected = await connect('agent:bob.example.net', {
      key: ALICE.pem,
      as: ALICE.uri,
      discover: async (domain) => {
        found = await discover(domain, { ...discovery, need: 'peer', require: 'key-verified' })
        return found
      },
      onMessage: () => {},
      WebSocket,
      handshakeSeconds: 60,
      reconnectSeconds: 0,
    })
    if (!connected.ok) throw new Error(connected.diagnostic.detail)
    const { levels, peer } = connected.conversation
    expect(peer).toBe('agent:bob.example.net')
    const names = ['dns-verified', 'dane-verified', 'key-verified', 'peer-verified']
    expect(Object.fromEntries(levels.map(({ level, quality }) => [level, quality]))).toEqual(
      Object.fromEntries(names.map((name) => [name, 'checked'])),
    )
    const sent = await connected.conversation.send({ content: 'from far away' })
    expect(sent.ok).toBe(true)
    await connected.conversation.close()
    const { messages } = await at('bob', '/v1/agents/bob/messages')
    expect(JSON.parse(messages[0].text).body.content).toBe('from far away')
    const again = await replay(JSON.parse(JSON.stringify(found!.trace)), { anchors: dns.anchors })
    expect(again.proof).toEqual(found!.proof)
  })

  test('one Worker finds and verifies the agent of the other, sends it a message, and gets an answer the same way', async () => {
    for (const [from, to, content] of [
      ['bob', 'carol', 'good morning'],
      ['carol', 'bob', 'and to you'],
    ] as const) {
      const message = { to: OWN[to]!.uri, content }
      const { id } = await at(from, `/v1/agents/${from}/messages`, 'POST', message)
      const heard = async () => {
        const { messages } = await at(to, `/v1/agents/${to}/messages`)
        return messages
          .map(({ text }: { text: string }) => JSON.parse(text))
          .find((one: { id: string }) => one.id === id)
      }
      await expect.poll(heard).toMatchObject({ from: OWN[from]!.uri, body: { content } })
      await expect.poll(async () => (await at(from, `/v1/agents/${from}/state`)).outbox.waiting).toBe(0)
    }
  })
})
