// Reads runs as far as the holder of the token may see them, and proves that nobody changed them.
import { canonicalizeValue } from 'blazon/core'
import { encodeBase64 } from 'blazon/keys'
import { assemble, type Hash, type Line, redactLine, redactRun, writeProof } from 'blazon/runs'
import { toHex } from '../../bindings/text/bytes.ts'
import { isDomain } from '../../bindings/text/host-name.ts'
import type { Call } from '../access/route.ts'
import type { Proven, RunObject, TreeLine, TreeObject } from '../contracts/runs.ts'
import { directoryMap, numberOf, runStub, tenantStub } from '../env.ts'
import { apiHeaders, json, sha256, streamOf } from '../http/answer.ts'
import { LINES_TYPE } from '../http/body.ts'
import { publicOrigins } from '../http/origins.ts'
import { Problem, refusing } from '../http/problem.ts'
import { integer, type Page, pageIn, takes } from '../http/query.ts'
import { pause } from '../platform/runtime.ts'

const MOST_RUNS = 100
const PAGE = 1000
const EVENTS = 'text/event-stream'
/** Then a reader of events connects again, with its token. */
const FOLLOWED_MS = 300_000
const PAUSE_MS = 1000
/** A record with more lines is redacted line by line, without a list of what was removed. */
const WHOLE_LINES = 5000

export const RUN_FILTER = {
  agent: 'once',
  status: 'once',
  label: 'once',
  since: 'once',
  until: 'once',
  linkage: 'once',
} as const

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

/** The tenant of a call: the holder of its token. */
export const tenantOf = ({ bearer }: Pick<Call, 'bearer'>): string => bearer!.holder

/** `GET /runs`: the runs of the tenant, in the order in which they were opened. */
export async function listRuns(call: Call): Promise<Response> {
  const query = new URLSearchParams(call.url.searchParams)
  if (numberOf(call.env, 'LEVEL_WANTED') >= 2 && !query.has('linkage')) query.set('linkage', 'verified')
  const filter = [...query].filter(([name]) => Object.hasOwn(RUN_FILTER, name))
  const rows = await tenantStub(call.env, tenantOf(call)).runs(filter, pageIn(query, MOST_RUNS))
  return json({ runs: rows.map(({ bytes: _, labels, ...run }) => ({ ...run, labels: JSON.parse(labels) as unknown })) })
}

/** The run of a call, or with the id `index` the tree of all runs of the tenant. */
async function findTree({ env, bearer, parts: { id } }: Call<'id'>) {
  const tenant = tenantStub(env, tenantOf({ bearer }))
  if (id === 'index') return { tree: tenant, row: undefined }
  const row = await tenant.run(id)
  if (row === undefined) throw new Problem('not-found', 'There is no such run.')
  return { tree: runStub(env, tenantOf({ bearer }), id), row }
}

/**
 * `GET /runs/{id}`: the record of a complete run. Before it is complete, and with `Accept: application/x-ndjson`, its
 * lines; with `text/event-stream` as they are added. Without `audit`, sensitive content is left out.
 */
export async function readRun(call: Call<'id'>): Promise<Response> {
  const { request } = call
  const { tree, row } = await findTree(call)
  const isWhole = row === undefined || call.bearer!.scope === 'audit'
  const show = isWhole ? (line: string) => line : redactLine
  const after = Number(/^\d{1,9}$/.exec(request.headers.get('last-event-id') ?? '')?.[0] ?? -1) + 1
  const own = row?.linkage ? { 'blazon-linkage': row.linkage } : {}
  const answer = async (type: string, texts: AsyncGenerator<string>) =>
    new Response(await streamOf(texts), { headers: apiHeaders({ ...own, 'content-type': type }) })
  if (takes(request, EVENTS, { named: true })) return answer(EVENTS, eventsOf(tree, after, show))
  if (row === undefined || row.size === null || takes(request, LINES_TYPE, { named: true }))
    return answer(LINES_TYPE, textsOf(tree, after, show))
  const record = (redact: Show) => answer('application/json', recordOf(tree as RunObject, row.size!, redact))
  if (isWhole || row.size > WHOLE_LINES) return record(show)
  const whole = await record(String)
  const { bytes } = redactRun(await whole.text())
  return bytes === undefined ? record(show) : new Response(bytes as BufferSource, whole)
}

type Show = (line: string) => string

async function* linesOf(read: (page: Page) => Promise<readonly TreeLine[]>, from = 0) {
  for (let after = from; ; ) {
    const page = await read({ after, limit: PAGE })
    if (page.length === 0) return
    if (page[0]!.text === null)
      throw new Problem('gone', 'The lines of this run were removed when their time was over.')
    yield* page as readonly { readonly seq: number; readonly text: string }[]
    after = page.at(-1)!.seq
  }
}

async function* textsOf(tree: TreeObject, after: number, show: Show) {
  for await (const { text } of linesOf((page) => tree.lines(page), after)) yield `${show(text)}\n`
}

/** The id of an event is the index of its line. */
async function* eventsOf(tree: TreeObject, from: number, show: Show) {
  const end = Date.now() + FOLLOWED_MS
  for (let after = from; Date.now() < end; await pause(PAUSE_MS)) {
    for await (const { seq, text } of linesOf((page) => tree.lines(page), after)) {
      yield `id: ${seq - 1}\ndata: ${show(text)}\n\n`
      if ((JSON.parse(text) as Line).type === 'run_completed') return
      after = seq
    }
    // Shows that the connection is open.
    yield ':\n\n'
  }
}

/** The canonical record in the memory of a page: a mark in the rest of the record stands for the steps. */
async function* recordOf(run: RunObject, size: number, show: Show) {
  const lineAt = async (index: number) => show((await linesOf((page) => run.lines(page), index).next()).value!.text)
  const [mark, first, last] = [crypto.randomUUID(), await lineAt(0), await lineAt(size - 1)]
  const { run_id } = JSON.parse(first) as Line
  const lines = [first, JSON.stringify({ type: 'step', run_id, step: { mark } }), last].map((line) =>
    encoder.encode(line),
  )
  const record = await refusing([TypeError], () => assemble(lines))
  const [before, behind] = decoder.decode(record).split(`{"mark":"${mark}"}`) as [string, string]
  yield before
  let comma = ''
  for await (const { text } of linesOf((page) => run.steps(page))) {
    yield comma + decoder.decode(canonicalizeValue((JSON.parse(show(text)) as Line)['step']))
    comma = ','
  }
  yield behind
}

/** A proof, and the signed checkpoint that it leads to. */
async function prove(call: Call<'id'>, what: Proven) {
  const { tree, row } = await findTree(call)
  const proof = await tree.prove(what)
  if (proof === undefined) throw new Problem('not-found', 'The tree does not have that many lines.')
  const tenant = toHex(await sha256(encoder.encode(tenantOf(call))))
  const { hostname } = new URL(publicOrigins(call.env)[0]!)
  const origin = `${isDomain(hostname) ? hostname : 'blazon.invalid'}/adp/${row?.run_id ?? `tenants/${tenant}`}`
  const checkpoint = { origin, size: proof.size, root: proof.root as Hash }
  return { ...proof, checkpoint: await directoryMap(call.env).signCheckpoint(checkpoint) }
}

const plain = (bytes: BodyInit) =>
  new Response(bytes, { headers: apiHeaders({ 'content-type': 'text/plain; charset=utf-8' }) })

/** `GET /runs/{id}/checkpoint`: the signed head of the tree (C2SP tlog-checkpoint). */
export async function readCheckpoint(call: Call<'id'>): Promise<Response> {
  return plain((await prove(call, {})).checkpoint)
}

/** `GET /runs/{id}/proof/{index}`: that a line is in the tree (C2SP tlog-proof). */
export async function readProof(call: Call<'id' | 'index'>): Promise<Response> {
  const index = Number(/^\d{1,9}$/.exec(call.parts.index)?.[0])
  const { hashes, checkpoint } = await prove(call, { index })
  return plain(writeProof({ index, hashes: hashes as Hash[], checkpoint }))
}

/** `GET /runs/{id}/consistency?from=N`: that the tree grew from its first N lines (RFC 6962 section 2.1.2). */
export async function readGrowth(call: Call<'id'>): Promise<Response> {
  const from = integer(call.url.searchParams, 'from', 0, 999_999_999) ?? 0
  const { size, hashes, checkpoint } = await prove(call, { from })
  return json({ from, size, proof: hashes.map(encodeBase64), checkpoint: decoder.decode(checkpoint) })
}
