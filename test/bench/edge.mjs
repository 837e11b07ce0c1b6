// The Worker in the local runtime, which shares this machine with its clients, against a Worker that does nothing: messages
// that are verified, stored and acknowledged over many WebSockets, and the metadata of one host among many.
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import { canonicalizeValue } from '../../dist/core.js'
import { importBundled } from '../support/bundle.mjs'
import { usageOf } from '../support/usage.mjs'

export const title = 'The Worker, client and server on this machine'

export const notes = [
  'A message comes over one of 2,000 WebSockets, of an agent each, whose object was put away before; 64 are on their way at' +
    ' once. Its signature is verified, it is on disk, and then a signed ack comes back. The echo does nothing of that.',
  'Memory is what each of the second thousand WebSockets adds. The engine, our code, and what was learned of the first are there by then:' +
    ' about 200 MB more than those of the echo, which no further WebSocket adds to.',
]

const SOCKETS = Number(process.env['BENCH_SOCKETS'] ?? 2000)
const AT_ONCE = 64
/** The Worker keeps 10,000 that nobody has taken. */
const MESSAGES = 9000
const HOSTS = Number(process.env['BENCH_HOSTS'] ?? 1000)
/** The runtime puts an object away after ten seconds. */
const AWAY_MS = 15_000
const OWN = 'agents.example.org'
const BOB = 'bob.example.com'
const SECONDS_OF_READING = 3

const { bearer, jcs, operator, pairOf, signed, startDns, startDoh, withWorker } = await importBundled(
  'bench-edge',
  `export { bearer, operator } from './test/edge/tokens.ts'
   export { jcs, pairOf, signed } from './test/agp/oracle.ts'
   export { startDns, startDoh } from './test/support/dns-lab.ts'
   export { withWorker } from './test/support/runtime.ts'`,
)
const WebSocket = createRequire(import.meta.resolve('miniflare'))('ws')

export async function* cases() {
  let came
  const once = (of) => async () => {
    came ??= await conversations()
    return of(came)
  }
  const row = (name, unit, atMost, aim, of) => ({ name, unit, atMost, aim, measure: once(of) })
  yield row('a message, verified, on disk, acked', ' us', 1000, 400, ({ each }) => each)
  yield row('the same, p99', ' ms', 200, 80, ({ p99 }) => p99)
  yield row('processor for a message, times that of an echo', 'x', 10, 6, ({ processor }) => processor)
  yield row('memory for a WebSocket, times that of an echo', 'x', 1.15, 1.05, ({ memory }) => memory)
  yield {
    name: `metadata of one of ${HOSTS} hosts, times the time of a constant answer`,
    unit: 'x',
    atMost: 2.22,
    aim: 1.43,
    measure: reading,
  }
  for (const [lines, atMost, aim] of [
    [1, 2, 1.25],
    [100, 3.33, 1.67],
  ])
    yield {
      name: `appends of ${lines} to runs, times the time of a Worker that only inserts them`,
      unit: 'x',
      atMost,
      aim,
      measure: () => appending(lines),
    }
}

async function conversations() {
  const ours = await withAgent((runtime, callers) => talk(runtime, callers, inside, sayings(callers)))
  const echo = await withWorker('test/bench/echo-worker.mjs', {}, (runtime) =>
    talk(runtime, Array.from({ length: SOCKETS }), greeted, () => ['x'.repeat(400), () => true]),
  )
  return {
    each: 1000 / ours.rate,
    p99: ours.p99,
    processor: ours.processor / echo.processor,
    memory: ours.memory / echo.memory,
  }
}

/** Opens a WebSocket for each caller, waits until the object is away, and then says things over all of them. */
async function talk(runtime, callers, open, next) {
  const sockets = []
  const openAll = async (some) => {
    for (let from = 0; from < some.length; from += 8)
      sockets.push(...(await Promise.all(some.slice(from, from + 8).map((caller) => open(runtime, caller)))))
    await pause(AWAY_MS)
    return usageOf(runtime)
  }
  const half = callers.length / 2
  const before = await openAll(callers.slice(0, half))
  const idle = await openAll(callers.slice(half))
  const times = []
  let begun = 0
  const speaker = async (first) => {
    // Each has WebSockets of its own.
    for (let i = first; begun < MESSAGES; i = i + AT_ONCE < sockets.length ? i + AT_ONCE : first) {
      begun++
      const [text, isAnswer] = next(i)
      const start = performance.now()
      sockets[i].socket.send(text)
      const told = await sockets[i].told()
      if (!isAnswer(told)) throw new Error(`no ack, but ${told}`)
      times.push(performance.now() - start)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => speaker(i)))
  const took = performance.now() - start
  const after = usageOf(runtime)
  for (const { socket } of sockets) socket.close()
  times.sort((a, b) => a - b)
  return {
    rate: times.length / took,
    p99: times[Math.floor(times.length * 0.99)],
    processor: (after.cpu - idle.cpu) / times.length,
    memory: (idle.memory - before.memory) / half,
  }
}

/** Messages that were signed before the clock runs, of each caller in turn. */
function sayings(callers) {
  const ready = callers.map(() => [])
  // Some speakers are faster than others.
  const most = Math.ceil((MESSAGES / callers.length) * 2) + 2
  for (const [i, caller] of callers.entries())
    for (let n = 0; n < most; n++) ready[i].push(signed(message(caller, 'chat', 'x'.repeat(100)), caller))
  return (i) => {
    const said = ready[i].pop()
    return [JSON.stringify(said), (answer) => JSON.parse(JSON.parse(answer).body.content).ack === said.id]
  }
}

const message = ({ uri }, type, content) => ({
  id: randomUUID(),
  from: uri,
  to: `agent:${BOB}`,
  type,
  timestamp: new Date().toISOString(),
  body: { content: typeof content === 'string' ? content : jcs(content), contentType: 'text/plain' },
})

/** A WebSocket, and what is told over it, a message at a time. */
async function opened({ origin }, _caller, host) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/agent/chat`, { headers: host && { host } })
  const came = []
  let wanted
  const take = (one) => {
    if (wanted === undefined) came.push(one)
    else wanted(one)
    wanted = undefined
  }
  socket.on('message', (data) => take(String(data)))
  socket.on('close', (code, reason) => take(new Error(`closed: ${code} ${reason}`)))
  await new Promise((done, fail) => socket.once('open', done).once('error', fail))
  const told = async () => {
    const one = came.shift() ?? (await new Promise((done) => (wanted = done)))
    if (typeof one === 'string') return one
    throw one
  }
  return { socket, told }
}

/** A WebSocket over which as much was said as over one with a handshake: what has not been used takes less memory. */
async function greeted(runtime) {
  const one = await opened(runtime)
  for (let i = 0; i < 3; i++) {
    one.socket.send('x'.repeat(700))
    await one.told()
  }
  return one
}

/** The handshake of section 7.2.1. */
async function inside(runtime, caller) {
  const { socket, told } = await opened(runtime, caller, BOB)
  const { uri, fingerprint } = caller
  const nonce = randomBytes(16).toString('base64url')
  const hello = { hello: 1, agent: uri, fingerprint, protocol: 'ADP/1.1', nonce }
  socket.send(JSON.stringify(signed(message(caller, 'system', hello), caller)))
  const { id } = JSON.parse(await told())
  socket.send(JSON.stringify(signed(message(caller, 'ack', { ack: id }), caller)))
  // The Worker takes few at a time who are not proved: its answer shows that this one is.
  socket.send(JSON.stringify(signed(message(caller, 'system', { heartbeat: 1 }), caller)))
  await told()
  return { socket, told }
}

/** A Worker with an agent, and the domains of those who speak to it: ten below each name. */
async function withAgent(use) {
  const callers = Array.from({ length: SOCKETS }, (_, i) => pairOf(`agent:a${i % 10}.d${Math.floor(i / 10)}.test`))
  const dns = await startDns([
    { name: '.', records: '', algorithm: 'ECDSAP256SHA256' },
    { name: 'test', records: callers.map(recordsOf).join('\n') },
  ])
  const doh = await startDoh(dns.port)
  const world = createServer((asked, answer) => answerOf(callers, doh, asked, answer))
  await new Promise((done) => world.listen(0, '127.0.0.1', done))
  const anchors = dns.anchors['.'].map(({ keyTag, algorithm, digestType, digest }) =>
    [keyTag, algorithm, digestType, Buffer.from(digest).toString('hex')].join(' '),
  )
  const settings = { PUBLIC_ORIGIN: `https://${OWN}`, DNS_RESOLVER: doh.url, DNS_ANCHORS: anchors.join(', ') }
  try {
    return await withWorker('edge/worker.ts', { outbound: world.address().port, settings }, async (runtime) => {
      const rateLimit = { requestsPerMinute: 1_000_000, burstSize: 1_000_000 }
      await publish(runtime, 'bob', BOB, { endpoints: { chat: `wss://${BOB}/agent/chat` }, rateLimit })
      return await use(runtime, callers)
    })
  } finally {
    world.close()
    await doh.close()
    await dns.close()
  }
}

function recordsOf({ uri, fingerprint }) {
  const domain = uri.slice(6)
  const text = `v=ADP1.1; pk=${fingerprint}; wk=https://${domain}/.well-known/agent.json`
  const name = domain.replace(/\.test$/, '')
  // Of one address few are looked for within a minute.
  const zone = Number(name.split('.d')[1])
  return `${name} A 93.184.${zone >> 8}.${zone & 255}\n_agent.${name} TXT "${text}"`
}

/** Whatever the Worker fetches: answers of the DNS, and metadata. */
async function answerOf(callers, doh, asked, answer) {
  const url = new URL(decodeURIComponent(asked.url.slice(2)))
  if (url.href.startsWith(doh.url)) {
    const told = await fetch(url, { headers: { accept: 'application/dns-message' } })
    answer.setHeader('content-type', 'application/dns-message').end(Buffer.from(await told.arrayBuffer()))
    return
  }
  const [, i, d] = /^a(\d)\.d(\d+)\.test$/.exec(url.hostname)
  const metadata = metadataOf(callers[Number(d) * 10 + Number(i)])
  answer.setHeader('content-type', 'application/vnd.adp+json').end(JSON.stringify(metadata))
}

function metadataOf({ uri, fingerprint, publicPem }) {
  const domain = uri.slice(6)
  return {
    protocol: 'ADP/1.1',
    identity: { id: uri, domain, name: domain, publicKey: { algorithm: 'ed25519', fingerprint, full: publicPem } },
    endpoints: { wellKnown: `https://${domain}/.well-known/agent.json`, chat: `wss://${domain}/chat` },
    capabilities: [{ id: 'chat', name: 'Chat' }],
    security: { tlsRequired: true, authMethods: ['pubkey'] },
  }
}

/** How many times as long as a constant answer the metadata of a host takes. */
async function reading() {
  return withWorker('edge/worker.ts', { settings: { PUBLIC_ORIGIN: `https://${OWN}` } }, async (runtime) => {
    for (let i = 0; i < HOSTS; i++) await publish(runtime, `a${i}`, `a${i}.example.com`)
    const { text } = await ask(runtime, '/.well-known/agent.json', { host: 'a7.example.com' })
    return withWorker('test/bench/echo-worker.mjs', { settings: { CONSTANT: text } }, async (constant) => {
      const rates = [0, 0]
      for (let round = 0; round < 6; round++) {
        rates[0] += await rateOf(runtime, (i) => `a${i % HOSTS}.example.com`, text.length)
        rates[1] += await rateOf(constant, () => OWN, text.length)
      }
      return rates[1] / rates[0]
    })
  })
}

/** How many times as long as bare inserts an append takes. */
async function appending(lines) {
  return withWorker('edge/worker.ts', {}, (runtime) =>
    withWorker('test/bench/echo-worker.mjs', {}, async (bare) => {
      const [ours, theirs] = await Promise.all([recordersAt(runtime), recordersAt(bare)])
      const counts = [0, 0]
      for (let round = 0; round < 8; round++) {
        // A round before the first one warms up.
        const both = [await appendsOf(ours, lines), await appendsOf(theirs, lines)]
        if (round > 0) for (const i of [0, 1]) counts[i] += both[i]
      }
      if (process.env['BENCH_VERBOSE'])
        console.error(`${lines}: ${counts.map((count) => (count * lines) / 3.5)} lines/s`)
      return counts[1] / counts[0]
    }),
  )
}

const AT_THE_END = ['steps', 'status', 'final_output', 'error', 'completed_at', 'metadata']
/** What the first line of a run holds. */
const STARTED = JSON.parse(readFileSync('fixtures/runs/review.json', 'utf8'))
for (const name of AT_THE_END) delete STARTED[name]

/** Sixteen runs that were opened. */
function recordersAt(runtime) {
  const headers = {
    ...bearer(runtime.origin, { scope: 'write', holder: STARTED.tenant_id }),
    'content-type': 'application/x-ndjson',
  }
  return Promise.all(
    Array.from({ length: 16 }, async () => {
      const id = randomUUID()
      const line = canonicalizeValue({ run: { ...STARTED, run_id: id }, run_id: id, seq: 0, type: 'run_started' })
      const body = `${Buffer.from(line)}\n`
      const { status, text } = await ask(runtime, '/runs', { method: 'POST', headers, body })
      if (status >= 300) throw new Error(`${status} ${text}`)
      return { runtime, headers, id, size: 1 }
    }),
  )
}

/** Requests that all recorders together make in half a second. */
async function appendsOf(recorders, lines) {
  const end = performance.now() + 500
  let count = 0
  const record = async (recorder) => {
    for (; performance.now() < end; count++) {
      const { runtime, headers, id, size } = recorder
      const body = Array.from({ length: lines }, (_, i) => stepLine(id, size + i)).join('')
      const sent = { method: 'POST', headers: { ...headers, 'blazon-size': String(size) }, body }
      const { status, text } = await ask(runtime, `/runs/${id}/records`, sent)
      recorder.size = size + lines
      if (status !== 200 || !text.startsWith('{"size":')) throw new Error(`${status} ${text}`)
    }
  }
  await Promise.all(recorders.map(record))
  return count
}

/** A canonical line of 500 bytes. */
function stepLine(id, seq) {
  const action = `{"input":{"query":"${'x'.repeat(280)}"},"name":"search","type":"tool_call"}`
  const step = `{"action":${action},"index":${seq - 1},"observation":{"type":"none"},"timestamp":"2026-01-01T00:00:00Z"}`
  return `{"run_id":"${id}","seq":${seq},"step":${step},"type":"step"}\n`
}

/** Answers in a second, 16 asked for at once. */
async function rateOf(runtime, hostOf, length) {
  let count = 0
  const end = performance.now() + (1000 * SECONDS_OF_READING) / 6
  const client = async (i) => {
    for (; performance.now() < end; i += 16) {
      const { status, text } = await ask(runtime, '/.well-known/agent.json', { host: hostOf(i) })
      if (status !== 200 || Math.abs(text.length - length) > 40) throw new Error(`${status}: ${text.slice(0, 100)}`)
      count++
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, i) => client(i)))
  return count
}

async function publish(runtime, name, host, more = {}) {
  const headers = { ...operator(`https://${OWN}`), 'content-type': 'application/json' }
  for (const [method, path, body] of [
    ['PUT', `/v1/agents/${name}`, { host }],
    ['POST', `/agents/${name}/agent.json`, { name, ...more }],
  ]) {
    const { status, text } = await ask(runtime, path, { method, host: OWN, headers, body: JSON.stringify(body) })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  }
}

const connections = new Agent({ keepAlive: true })

function ask({ origin }, path, { method = 'GET', host, headers, body }) {
  return new Promise((done, fail) => {
    const asked = request(
      origin + path,
      { agent: connections, method, headers: { ...(host && { host }), ...headers } },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => done({ status: answer.statusCode, text }))
      },
    )
    asked.on('error', fail).end(body)
  })
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms))
