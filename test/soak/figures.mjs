// What the Worker's directory takes, without a development server before it:
// node test/soak/figures.mjs [cards, 1000,10000,100000] [seconds, 10] [at once, 16]
//
// Client, Worker and shard share this machine, so a quiet one with more cores gives better figures.
import { createRequire } from 'node:module'
import { importBundled } from '../support/bundle.mjs'
import { usageOf } from '../support/usage.mjs'

const [sizes = '1000,10000,100000', seconds = '10', atOnce = '16'] = process.argv.slice(2)
const { prepareSite, startRuntime, operator, post, random } = await importBundled(
  'soak-figures',
  `export { post } from './test/edge/directory/ordeal.ts'
   export { operator } from './test/edge/tokens.ts'
   export { prepareSite, startRuntime } from './test/support/runtime.ts'
   export { random } from './test/support/random.ts'`,
)
const WebSocket = createRequire(import.meta.resolve('miniflare'))('ws')
let inspector = 9340
const LINES = 500
const TAGS = [
  'nlp/translation',
  'nlp/summarization',
  'vision/ocr',
  'coding/debugging',
  'retrieval/web-search',
  'ops/security',
]
const SYLLABLES = [
  'ta',
  'ri',
  'mo',
  'ne',
  'ku',
  'sal',
  'ver',
  'pin',
  'dor',
  'lec',
  'gra',
  'tion',
  'ment',
  'able',
  'con',
  'pro',
]

const next = random(1)
const below = (n) => Math.floor(next() * n)
const VOCABULARY = Array.from({ length: 8000 }, () =>
  Array.from({ length: 2 + below(3) }, () => SYLLABLES[below(SYLLABLES.length)]).join(''),
)
/** Few words are frequent, most are rare, as in texts. */
const word = () => VOCABULARY[Math.floor(VOCABULARY.length * next() ** 3)]
const words = (n) => Array.from({ length: n }, word).join(' ')

for (const size of sizes.split(',').map(Number)) await measure(size)

async function measure(size) {
  const site = await prepareSite('edge/worker.ts')
  // Connections to the one before are not to be taken for this one's.
  inspector++
  let runtime = await startRuntime(site, { inspector })
  try {
    const filled = await fill(runtime, size)
    const before = usageOf(runtime)
    const { rate, p50, p99, all } = await ask(runtime)
    const { memory, cpu } = usageOf(runtime)
    const heap = await heapMemory(inspector)
    const { memoryBytes } = (await state(runtime)).shards[0]
    await saved(runtime)
    await runtime.kill()
    runtime = await startRuntime(site)
    const start = performance.now()
    await discover(runtime)
    const first = performance.now() - start
    const { shards } = await state(runtime)
    const { openedFrom, startedInMs, storedBytes } = shards[0]
    console.log(
      `${size} cards: ${rate.toFixed(0)} queries/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${atOnce} at once, ` +
        `${((cpu - before.cpu) / all).toFixed(2)} ms of processor each; ` +
        `${filled.toFixed(0)} cards/s came in; workerd has ${Math.round(memory / 1024)} MiB, of it the isolate ${heap} MiB of values and ${(memoryBytes / 2 ** 20).toFixed(0)} MiB of index; ${(storedBytes / 2 ** 20).toFixed(0)} MiB on disk; ` +
        `after a kill ready in ${startedInMs} ms from the ${openedFrom}, first answer after ${first.toFixed(0)} ms`,
    )
  } finally {
    await runtime.kill()
    site.remove()
  }
}

/** Cards a second. */
async function fill(runtime, size) {
  const start = performance.now()
  for (let from = 0; from < size; from += LINES) {
    const lines = Array.from({ length: Math.min(LINES, size - from) }, (_, i) => line(from + i))
    const { stored, unchanged } = await importLines(runtime, lines.join('\n'))
    if (stored + unchanged !== lines.length) throw new Error(`of ${lines.length} cards ${stored} came in`)
  }
  return size / ((performance.now() - start) / 1000)
}

/** On a machine with much to do the runtime closes a connection now and then; who asks again loses nothing. */
async function importLines(runtime, lines) {
  const headers = { ...operator(runtime.origin), 'content-type': 'text/plain' }
  const send = () => post(runtime, '/v1/directory/import', lines, headers)
  return (await send().catch(send)).body
}

function line(i) {
  const id = `agent://corpus/${String(i).padStart(7, '0')}`
  const skills = [TAGS[below(TAGS.length)], `${TAGS[below(TAGS.length)]}/${word()}`]
  const tools = [{ name: word(), description: words(8), input_schema: { type: 'object' } }]
  const card = {
    id,
    name: words(2),
    description: words(12 + below(14)),
    skills,
    tools,
    metadata: { ttl: 86_400 },
    seq: 1,
  }
  return JSON.stringify({ id, card: Buffer.from(JSON.stringify(card)).toString('base64url'), standing: 'token' })
}

async function discover(runtime) {
  const tags = below(2) === 0 ? [TAGS[below(TAGS.length)]] : []
  const { status } = await post(runtime, '/adp/discover', JSON.stringify({ query: words(3), tags, limit: 10 }))
  if (status !== 200) throw new Error(`a query was answered with ${status}`)
}

/** Queries by so many clients at once, after a second of getting warm. */
async function ask(runtime) {
  const times = []
  let all = 0
  const begin = performance.now() + 1000
  const end = begin + 1000 * Number(seconds)
  const client = async () => {
    for (let at = performance.now(); at < end; at = performance.now()) {
      await discover(runtime)
      all++
      if (at >= begin) times.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: Number(atOnce) }, client))
  times.sort((a, b) => a - b)
  const quantile = (q) => times[Math.floor(q * (times.length - 1))]
  return { rate: times.length / Number(seconds), p50: quantile(0.5), p99: quantile(0.99), all }
}

/** MiB of values that are in use in the isolate, which all objects of the Worker share here. */
async function heapMemory(port) {
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json`)).json()
  const socket = new WebSocket(webSocketDebuggerUrl)
  await new Promise((done, fail) => socket.once('open', done).once('error', fail))
  const call = (id, method) =>
    new Promise((done) => {
      socket.on('message', (data) => {
        const answer = JSON.parse(data)
        if (answer.id === id) done(answer.result ?? answer.error)
      })
      socket.send(JSON.stringify({ id, method }))
    })
  await call(1, 'HeapProfiler.enable')
  await call(2, 'HeapProfiler.collectGarbage')
  const { usedSize } = await call(3, 'Runtime.getHeapUsage')
  socket.close()
  return (usedSize / 2 ** 20).toFixed(0)
}

async function state({ origin }) {
  return (await fetch(`${origin}/v1/directory/state`, { headers: operator(origin) })).json()
}

/** Waits until the index is saved: a minute after the last change at the latest. */
async function saved(runtime) {
  for (let i = 0; i < 180; i++) {
    const { shards } = await state(runtime)
    if (shards[0].unsaved === 0) return
    await new Promise((done) => setTimeout(done, 500))
  }
}
