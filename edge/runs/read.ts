// Reads runs, as far as the holder of the token may see them.
import { canonicalizeValue } from 'blazon/core'
import { assemble, type Line, redactLine, redactRun } from 'blazon/runs'
import type { Call } from '../access/route.ts'
import type { RunFilter, RunObject, TreeLine, TreeObject } from '../contracts/runs.ts'
import { numberOf, runStub, tenantStub } from '../env.ts'
import { takes } from '../http/accept.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { LINES_TYPE } from '../http/body.ts'
import { Problem } from '../http/problem.ts'
import { choice, type Page, pageIn, wrongParameter } from '../http/query.ts'
import { streamOf } from '../http/stream.ts'

const MOST_RUNS = 100
const PAGE = 1000
const EVENTS = 'text/event-stream'
/** Then a reader of events connects again, with its token. */
const FOLLOWED_MS = 300_000
const PAUSE_MS = 1000
/** A larger record is redacted line by line, without a list of what was removed. */
const WHOLE_RECORD = 8 << 20

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

/** The tenant of a call: the holder of its token. */
export const tenantOf = ({ bearer }: Pick<Call, 'bearer'>): string => bearer!.holder

/** `GET /runs`: the runs of the tenant, in the order in which they were opened. */
export async function listRuns(call: Call): Promise<Response> {
  const { searchParams } = call.url
  const linkage = choice(searchParams, 'linkage', ['verified', 'failed', 'unverifiable'])
  const wanted = numberOf(call.env, 'LEVEL_WANTED') >= 2 ? 'verified' : null
  const filter = {
    ...Object.fromEntries(['agent', 'status', 'label'].map((name) => [name, searchParams.get(name)])),
    ...Object.fromEntries(['since', 'until'].map((name) => [name, timeIn(searchParams, name)])),
    linkage: linkage ?? wanted,
  }
  const given = Object.entries(filter).filter(([, value]) => value !== null)
  const page = pageIn(searchParams, MOST_RUNS)
  const rows = await tenantStub(call.env, tenantOf(call)).runs(Object.fromEntries(given) as RunFilter, page)
  const runs = rows.map(({ id, agent, labels, started, bytes: _, ...rest }) => {
    const at = started === null ? null : new Date(started).toISOString()
    return { ...rest, run_id: id, agent_id: agent, labels: JSON.parse(labels) as unknown, started_at: at }
  })
  return json({ runs })
}

function timeIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)
  if (text === null) return null
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw wrongParameter(name, 'a time such as 2026-03-01T12:00:00Z', text)
}

/** The run of a call, or with the id `index` the tree of all runs of the tenant. */
export async function findTree({ env, bearer, parts: { id } }: Call<'id'>) {
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
  const answer = (type: string, body: BodyInit) =>
    new Response(body, { headers: apiHeaders({ ...own, 'content-type': type }) })
  if (takes(request, EVENTS, { named: true })) return answer(EVENTS, await streamOf(eventsOf(tree, after, show)))
  if (row === undefined || row.size === null || takes(request, LINES_TYPE, { named: true }))
    return answer(LINES_TYPE, await streamOf(textsOf(tree, after, show)))
  const run = tree as RunObject
  const redacted = isWhole ? undefined : redactRun((await wholeOf(recordOf(run, row.size, String))) ?? '').bytes
  return answer('application/json', redacted ?? (await streamOf(recordOf(run, row.size, show))))
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
  for (let after = from; Date.now() < end; await scheduler.wait(PAUSE_MS)) {
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
  const mark = crypto.randomUUID()
  const ends = [0, size - 1].map(async (after) => show((await run.lines({ after, limit: 1 }))[0]!.text!))
  const [first, last] = await Promise.all(ends)
  const lines = [first!, JSON.stringify({ type: 'step', step: mark }), last!]
  const [before, behind] = decoder.decode(assemble(lines.map((line) => encoder.encode(line)))).split(`"${mark}"`)
  yield before!
  let comma = ''
  for await (const { text } of linesOf((page) => run.steps(page))) {
    yield comma + decoder.decode(canonicalizeValue((JSON.parse(show(text)) as Line)['step']))
    comma = ','
  }
  yield behind!
}

/** The text, unless it is too large to be redacted as a whole. */
async function wholeOf(texts: AsyncIterable<string>): Promise<string | undefined> {
  let whole = ''
  for await (const text of texts) {
    whole += text
    if (whole.length > WHOLE_RECORD) return undefined
  }
  return whole
}
