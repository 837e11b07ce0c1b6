// What an attacker with a token can do to the routes of runs: changed bodies, and a runtime that is killed while it writes.
// Long runs without vitest import this as well.
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { split } from '../../bindings/runs/stream/seal.ts'
import { changed, REVIEW } from '../runs/records.ts'
import { prepareSite, type Runtime, startRuntime } from '../support/runtime.ts'
import { bearer } from './tokens.ts'

const AT_ONCE = 16
const decoder = new TextDecoder()

/** A trace with one span, in OTLP/JSON and in protobuf. */
const TRACE = JSON.stringify({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'x' } }] },
      scopeSpans: [
        { scope: { name: 's' }, spans: [{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), name: 'invoke_agent a' }] },
      ],
    },
  ],
})
const TRACE_BYTES = Buffer.from(
  '0a3a0a120a100a0c736572766963652e6e616d65120012240a030a017312' +
    '1d0a10abababababababababababababababab1208cdcdcdcdcdcdcdcd2a0161',
  'hex',
)

function linesOf(id: string): string[] {
  const record = changed(REVIEW, { set: { '/run_id': id } })
  return split(JSON.stringify(record)).lines!.map((line) => `${decoder.decode(line)}\n`)
}

interface Sent {
  readonly path: string
  readonly type: string
  readonly body: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

async function post({ origin }: Runtime, { path, type, body, headers = {} }: Sent) {
  const token = bearer(origin, { scope: 'write', holder: REVIEW.tenant_id })
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': type, ...token, ...headers },
    body: new Uint8Array(body),
  })
  const text = await response.text()
  return { status: response.status, size: /"size":(\d+)/.exec(text)?.[1], text }
}

type Random = () => number

/** Changes, removes, doubles or cuts some bytes. */
function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  let made = Buffer.from(bytes)
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
    const at = Math.floor(random() * made.length)
    const length = Math.floor(random() * 8)
    const [before, after] = [made.subarray(0, at), made.subarray(at + length)]
    const kind = Math.floor(random() * 4)
    if (kind === 0) made = Buffer.concat([before, Buffer.from([random() * 256]), made.subarray(at + 1)])
    else if (kind === 1) made = Buffer.concat([before, after])
    else if (kind === 2) made = Buffer.concat([made.subarray(0, at + length), made.subarray(at)])
    else made = before
  }
  return made
}

/** Sends changed bodies to each route; returns what was answered with 5xx, and whether the server still works. */
export async function sendMutations(runtime: Runtime, count: number, random: Random): Promise<string[]> {
  const wrong: string[] = []
  const id = randomUUID()
  const lines = linesOf(id)
  await post(runtime, { path: '/runs', type: 'application/x-ndjson', body: Buffer.from(lines[0]!) })
  const kinds: readonly Sent[] = [
    { path: '/runs', type: 'application/x-ndjson', body: Buffer.from(lines[0]!) },
    {
      path: `/runs/${id}/records`,
      type: 'application/x-ndjson',
      body: Buffer.from(lines.slice(1).join('')),
      headers: { 'blazon-size': '1' },
    },
    { path: '/v1/traces', type: 'application/json', body: Buffer.from(TRACE) },
    { path: '/v1/traces', type: 'application/x-protobuf', body: TRACE_BYTES },
    {
      path: '/v1/traces',
      type: 'application/x-protobuf',
      body: gzipSync(TRACE_BYTES),
      headers: { 'content-encoding': 'gzip' },
    },
  ]
  let sent = 0
  const client = async () => {
    while (sent < count) {
      const kind = kinds[sent++ % kinds.length]!
      const body = mutated(kind.body, random)
      const { status, text } = await post(runtime, { ...kind, body })
      if (status >= 500) wrong.push(`${status} ${kind.path} ${Buffer.from(body).toString('base64')}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  const first = Buffer.from(linesOf(randomUUID())[0]!)
  const { status } = await post(runtime, { path: '/runs', type: 'application/x-ndjson', body: first })
  return status === 201 ? wrong : [...wrong, `afterwards: ${status}`]
}

/** Records runs while the runtime is killed; returns what was acknowledged and is missing, doubled or different. */
export async function killWhileRecording(kills: number, lifeMs: () => number): Promise<string[]> {
  const site = await prepareSite('edge/worker.ts')
  const ids = Array.from({ length: AT_ONCE }, () => randomUUID())
  const runs: RecordedRun[] = ids.map((id) => ({ id, lines: linesOf(id), held: 0 }))
  try {
    for (let kill = 0; kill <= kills; kill++) {
      const runtime = await startRuntime(site)
      let isOver = false
      const recorders = Promise.allSettled(
        runs.map(async (run) => {
          while (!isOver && run.held < run.lines.length) await addNext(runtime, run)
        }),
      )
      // The last runtime lives until all is recorded.
      const isLast = kill === kills
      if (!isLast) await new Promise((done) => setTimeout(done, lifeMs()))
      isOver = !isLast
      if (!isLast) await runtime.kill()
      await recorders
      if (isLast) return await flawsOf(runtime, runs).finally(() => runtime.kill())
    }
    return []
  } finally {
    site.remove()
  }
}

interface RecordedRun {
  readonly id: string
  readonly lines: readonly string[]
  held: number
  /** True when the server has lost a line. */
  isShorter?: boolean
}

async function addNext(runtime: Runtime, run: RecordedRun): Promise<void> {
  const body = Buffer.from(run.lines[run.held]!)
  const type = 'application/x-ndjson'
  const sent =
    run.held === 0
      ? { path: '/runs', type, body }
      : { path: `/runs/${run.id}/records`, type, body, headers: { 'blazon-size': `${run.held}` } }
  const { status, size, text } = await post(runtime, sent)
  if (status >= 300 && status !== 409) throw new Error(`${status} ${text}`)
  if (Number(size) < run.held) run.isShorter = true
  run.held = Number(size)
}

async function flawsOf({ origin }: Runtime, runs: readonly RecordedRun[]): Promise<string[]> {
  const flaws: string[] = []
  const headers = { ...bearer(origin, { scope: 'audit', holder: REVIEW.tenant_id }), accept: 'application/x-ndjson' }
  const read = async (path: string) => (await fetch(`${origin}${path}`, { headers })).text()
  const index = await read('/runs/index')
  for (const { id, lines, isShorter } of runs) {
    if (isShorter) flaws.push(`${id}: a line that was acknowledged was missing`)
    if ((await read(`/runs/${id}`)) !== lines.join(''))
      flaws.push(`${id}: other lines than those that were acknowledged`)
    for (const word of ['opened', 'closed']) {
      const leaves = index.split('\n').filter((leaf) => leaf.includes(id) && leaf.includes(`"${word}":true`))
      if (leaves.length !== 1) flaws.push(`${id}: ${leaves.length} times ${word}`)
    }
  }
  return flaws
}
