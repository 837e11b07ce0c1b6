// Searches of the directory through the Worker, against a Worker whose object returns a constant answer of the same size.
import { importBundled } from '../support/bundle.mjs'
import { usageOf } from '../support/usage.mjs'
import { corpus } from './rank.mjs'

export const title = 'Searches through the Worker, 16 clients and the server on this machine'

export const notes = []

const CLIENTS = 16
const LINES = 500
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 8)
const ROUND_MS = 1000

const { operator, withWorker } = await importBundled(
  'bench-search',
  `export { operator } from './test/edge/tokens.ts'
   export { withWorker } from './test/support/runtime.ts'`,
)

export function cases() {
  const sizes = (process.env['BENCH_CARDS'] ?? '1000,20000').split(',').map(Number)
  return sizes.map((size) => ({
    name: `\`adp.discover\` among ${size.toLocaleString('en')} cards, times the time of a constant answer`,
    unit: 'x',
    atMost: 2,
    aim: 1.33,
    measure: () => searching(size),
  }))
}

async function searching(size) {
  const { cards, queries } = corpus(size)
  const bodies = queries.map(({ tags, text }, i) =>
    JSON.stringify({ query: text, ...(i % 2 === 0 && { tags }), limit: 10 }),
  )
  return withWorker('edge/worker.ts', {}, async (directory) => {
    await fill(directory, cards)
    const answers = []
    for (const body of bodies) answers.push(await search(directory, body))
    const lengths = answers.map(({ length }) => length).sort((a, b) => a - b)
    const middle = answers.find(({ length }) => length === lengths[lengths.length >> 1])
    return withWorker('test/bench/echo-worker.mjs', { settings: { CONSTANT: middle } }, async (constant) => {
      const expected = bodies.map(() => middle)
      const rounds = []
      await rateOf(directory, bodies, answers)
      await rateOf(constant, bodies, expected)
      const before = [usageOf(directory).cpu, usageOf(constant).cpu]
      const counts = [0, 0]
      for (let round = 0; round < ROUNDS; round++) {
        const ours = await rateOf(directory, bodies, answers)
        const theirs = await rateOf(constant, bodies, expected)
        counts[0] += ours
        counts[1] += theirs
        rounds.push(theirs / ours)
      }
      const [ours, theirs] = [directory, constant].map((runtime, i) => (usageOf(runtime).cpu - before[i]) / counts[i])
      notes.push(
        `${size.toLocaleString('en')} cards: ${(ours / theirs).toFixed(2)} times the processor time of the constant answer.`,
      )
      return rounds.sort((a, b) => a - b)[rounds.length >> 1]
    })
  })
}

async function fill(runtime, cards) {
  const headers = { ...operator(runtime.origin), 'content-type': 'text/plain' }
  for (let from = 0; from < cards.length; from += LINES) {
    const body = cards
      .slice(from, from + LINES)
      .map(lineOf)
      .join('\n')
    const send = () => fetch(`${runtime.origin}/v1/directory/import`, { method: 'POST', headers, body })
    // On a busy machine the runtime closes a connection now and then.
    const { lines, stored, unchanged } = await (await send().catch(send)).json()
    if (stored + unchanged !== lines) throw new Error(`only ${stored} of ${lines} cards were stored`)
  }
}

function lineOf({ id: number, description, skills }) {
  const id = `agent://corpus/a${number}`
  const tool = { name: `tool${number % 7}`, description, input_schema: { type: 'object' } }
  const uri = `https://host${number % 100}.example.org/adp`
  const card = {
    id,
    name: `Agent ${number}`,
    description,
    skills,
    tools: [tool],
    endpoints: [{ protocol: 'http+json', uri, auth: 'none' }],
    metadata: { ttl: 86_400 },
    seq: 1,
  }
  return JSON.stringify({ id, card: Buffer.from(JSON.stringify(card)).toString('base64url'), standing: 'token' })
}

/** Answers in a round. Each is compared with the expected one. */
async function rateOf(runtime, bodies, expected) {
  let next = 0
  const end = performance.now() + ROUND_MS
  const client = async () => {
    while (performance.now() < end) {
      const i = next++ % bodies.length
      if ((await search(runtime, bodies[i])) !== expected[i]) throw new Error(`another answer to ${bodies[i]}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return next
}

async function search({ origin }, body) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/adp/discover`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status}: ${text}`)
  return text
}
