// Reads runs as far as the holder of the token may see them, and proves that nobody changed them.

import { readOtlpProtobuf, runsFromOtlp } from 'blazon/convert'
import { canonicalizeValue } from 'blazon/core'
import { parseJson } from 'blazon/document'
import { encodeBase64 } from 'blazon/keys'
import {
  assemble,
  checkLines,
  type Hash,
  hashLines,
  type Line,
  linkStream,
  redactLine,
  redactRun,
  split,
  writeProof,
} from 'blazon/runs'
import { timeOf } from '../../bindings/schema/times.ts'
import { joinLines, toHex } from '../../bindings/text/bytes.ts'
import { isDomain } from '../../bindings/text/host-name.ts'
import { isObject, isText, type JsonObject, member, valueAt } from '../../bindings/text/members.ts'
import { type Access, type Call, route } from '../access/route.ts'
import type { CollectedSpan, Proven, RunObject, TenantObject, TreeLine, TreeObject } from '../contracts/runs.ts'
import { directoryMap, type Env, numberOf, runStub, tenantStub } from '../env.ts'
import { apiHeaders, json, sha256, streamOf } from '../http/answer.ts'
import { type BodyRule, LINES_BODY, LINES_TYPE, objectIn } from '../http/body.ts'
import { publicOrigins } from '../http/origins.ts'
import { diagnosed, Problem, refusing } from '../http/problem.ts'
import { integer, PAGED, type Page, pageIn, prefersPage, takes } from '../http/query.ts'
import { unwrapAnswer } from '../http/relay.ts'
import { pause } from '../platform/runtime.ts'
import { bytesOf } from '../storage/log.ts'
import { listPage, runPage } from './page.ts'

const MOST_RUNS = 100
const PAGE = 1000
const EVENTS = 'text/event-stream'
/** Then a reader of events connects again, with its token. */
const FOLLOWED_MS = 300_000
const PAUSE_MS = 1000
/** A record with more lines is redacted line by line, without a list of what was removed. */
const WHOLE_LINES = 5000

const RUN_FILTER = {
  agent: 'once',
  status: 'once',
  label: 'once',
  since: 'once',
  until: 'once',
  linkage: 'once',
} as const

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()]

/** The tenant of a call: the holder of its token. */
const tenantOf = ({ bearer }: Pick<Call, 'bearer'>): string => bearer!.holder

/** `GET /runs`: the runs of the tenant, in the order in which they were opened. */
async function listRuns(call: Call): Promise<Response> {
  const query = new URLSearchParams(call.url.searchParams)
  if (numberOf(call.env, 'LEVEL_WANTED') >= 2 && !query.has('linkage')) query.set('linkage', 'verified')
  const filter = [...query].filter(([name]) => Object.hasOwn(RUN_FILTER, name))
  const page = pageIn(query, MOST_RUNS)
  const rows = await tenantStub(call.env, tenantOf(call)).runs(filter, page)
  if (prefersPage(call.request)) {
    if (rows.length === page.limit) query.set('after', String(rows.at(-1)!.seq))
    return listPage(rows, rows.length === page.limit ? `/runs?${query}` : undefined)
  }
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
 * lines; with `text/event-stream` as they are added, and for a browser a page. Without `audit`, sensitive content is
 * left out.
 */
async function readRun(call: Call<'id'>): Promise<Response> {
  const { request } = call
  const { tree, row } = await findTree(call)
  const isWhole = row === undefined || call.bearer!.scope === 'audit'
  const show = isWhole ? (line: string) => line : redactLine
  const after = Number(/^\d{1,9}$/.exec(request.headers.get('last-event-id') ?? '')?.[0] ?? -1) + 1
  const own = row?.linkage ? { 'blazon-linkage': row.linkage } : {}
  const answer = async (type: string, texts: AsyncGenerator<string>) =>
    new Response(await streamOf(texts), { headers: apiHeaders({ ...own, 'content-type': type }) })
  if (row !== undefined && prefersPage(request)) return runPage(row.run_id, textsOf(tree, 0, show))
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
async function readCheckpoint(call: Call<'id'>): Promise<Response> {
  return plain((await prove(call, {})).checkpoint)
}

/** `GET /runs/{id}/proof/{index}`: that a line is in the tree (C2SP tlog-proof). */
async function readProof(call: Call<'id' | 'index'>): Promise<Response> {
  const index = Number(/^\d{1,9}$/.exec(call.parts.index)?.[0])
  const { hashes, checkpoint } = await prove(call, { index })
  return plain(writeProof({ index, hashes: hashes as Hash[], checkpoint }))
}

/** `GET /runs/{id}/consistency?from=N`: that the tree grew from its first N lines (RFC 6962 section 2.1.2). */
async function readGrowth(call: Call<'id'>): Promise<Response> {
  const from = integer(call.url.searchParams, 'from', 0, 999_999_999) ?? 0
  const { size, hashes, checkpoint } = await prove(call, { from })
  return json({ from, size, proof: hashes.map(encodeBase64), checkpoint: decoder.decode(checkpoint) })
}

// Recorders send the lines of runs here. They are on disk before the answer, and a line never changes.

/** Safe as the name of a file; `index` is the tree of the tenant. */
const RUN_ID = /^(?!index$)[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

const LINE_FEED = 0x0a

/** `POST /runs`: opens a run with its first line. */
async function openRun(call: Call): Promise<Response> {
  const end = call.body.indexOf(LINE_FEED)
  if (end >= 0 && end < call.body.length - 1) throw new Problem('bad-request', 'Expected one line: run_started.')
  const { values, diagnostics } = checkLines(await hashLines(call.body))
  if (diagnostics.length > 0) throw diagnosed('invalid-document', diagnostics)
  if (values.length !== 1) throw new Problem('bad-request', 'Expected one line: run_started.')
  const size = await startRun(call.env, tenantOf(call), values[0]!, call.body)
  return json({ run_id: values[0]!.run_id, size }, 201)
}

/** Opens a run in the tree of its tenant, and stores its first lines; returns its size. */
async function startRun(env: Env, tenant: string, first: JsonObject, body: Uint8Array): Promise<number> {
  const id = member(first, 'run_id')
  if (!isText(id) || !RUN_ID.test(id) || valueAt(first, '/run/run_id') !== id)
    throw new Problem('bad-request', 'run_id: expected the same twice, 1 to 128 of a-z, A-Z, 0-9, ".", "_" and "-".')
  if (valueAt(first, '/run/tenant_id') !== tenant)
    throw new Problem('bad-request', `tenant_id: expected ${JSON.stringify(tenant)}, the holder of the token.`)
  const labels = valueAt(first, '/run/context/labels')
  const run = {
    run_id: id,
    agent_id: textAt(first, '/run/agent/agent_id'),
    labels: JSON.stringify(Array.isArray(labels) ? labels.filter(isText).slice(0, 100) : []),
    started_at: inUtc(textAt(first, '/run/started_at')),
    linkage: numberOf(env, 'LEVEL_WANTED') < 2 ? null : await linkageOf(first, env),
  }
  if (!(await tenantStub(env, tenant).open(run))) throw new Problem('full', 'There are too many runs of this tenant.')
  return unwrapAnswer(await runStub(env, tenant, id).append({ tenant, id, isNew: true }, 0, body))
}

/** A moment in UTC, so that times sort as texts. Another text stays: the record says what is wrong with it. */
function inUtc(text: string): string {
  const time = timeOf(text)
  return time === undefined ? text : new Date(time).toISOString()
}

function textAt(line: JsonObject, pointer: string): string {
  const value = valueAt(line, pointer)
  return isText(value) ? value.slice(0, 200) : ''
}

/** Whether the run belongs to the certificate in its first line (ADP-1 section 7.3). */
async function linkageOf({ run, chain }: JsonObject, { AIP_ANCHORS: setting = '' }: Env): Promise<string> {
  const anchors = setting.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return (await linkStream({ record: run as JsonObject, chain }, { anchors })).verdict
  } catch (error) {
    // A certificate in the setting is malformed.
    console.error(error)
    return 'failed'
  }
}

/** Refuses lines of an unknown run before they are read. */
async function findRun({ env, bearer, parts: { id } }: Call<'id'>): Promise<void> {
  if ((await tenantStub(env, tenantOf({ bearer })).run(id)) === undefined)
    throw new Problem('not-found', 'There is no such run.')
}

/** `POST /runs/{id}/records`: adds lines after the first `Blazon-Size`. A repeated request has no further effect. */
async function addLines(call: Call<'id'>): Promise<Response> {
  const { id } = call.parts
  const at = call.request.headers.get('blazon-size') ?? ''
  if (!/^\d{1,9}$/.test(at)) throw new Problem('bad-request', 'Expected Blazon-Size: the lines that the run has.')
  const run = runStub(call.env, tenantOf(call), id)
  return json({ size: unwrapAnswer(await run.append({ tenant: tenantOf(call), id }, Number(at), call.body)) })
}

// Traces of OpenTelemetry, as its exporters send them (OTLP/HTTP). A run is stored when its root span has ended.

/** Exporters send 512 spans at once, collectors 8,192. */
const MOST_SPANS = 10_000
/** A span with its resource, like a line; those of a request, and of a trace. As JSON: protobuf may be shorter. */
const SPAN_BYTES = 1_000_000
const REQUEST_BYTES = 16 << 20
const TRACE_BYTES = 8 << 20

/** `POST /v1/traces`: keeps spans, and makes runs of the traces whose roots are among them. */
async function takeTraces(call: Call): Promise<Response> {
  const isProtobuf = /^application\/x-protobuf/i.test(call.request.headers.get('content-type') ?? '')
  const read = isProtobuf ? readOtlpProtobuf(call.body) : { value: objectIn(call.body) }
  if ('fault' in read) throw new Problem('bad-request', read.fault)
  const tenant = tenantStub(call.env, tenantOf(call))
  const faults: Problem[] = []
  const note = (error: unknown) => faults.push(asProblem(error))
  let room = MOST_RUNS
  for (const trace of await tenant.collect(boundedSpansIn(read.value))) {
    const runs = await waitingRuns(tenant, trace, tenantOf(call)).catch((error) => void note(error))
    room -= runs?.length ?? 0
    if (room < 0) note(tooMany(`runs, at most ${MOST_RUNS}: its spans lack their parents`))
    else for (const run of runs ?? []) await storeRun(call, run).catch(note)
    await tenant.forget(trace)
  }
  if (faults[0] !== undefined) throw faults[0]
  // An empty message is an ExportTraceServiceResponse without a partial success.
  const headers = apiHeaders({ 'content-type': 'application/x-protobuf' })
  return isProtobuf ? new Response(new Uint8Array(), { headers }) : json({})
}

const tooMany = (what: string) => new Problem('body-too-large', `Too much for one request: ${what}.`)

/** The runs of the spans of a trace that wait, the earliest first. */
async function waitingRuns(tenant: TenantObject, trace: string, holder: string): Promise<readonly JsonObject[]> {
  const resourceSpans: unknown[] = []
  for (let [after, bytes] = [0, 0]; ; ) {
    const page = await tenant.waiting(trace, { after, limit: PAGE })
    if (page.length === 0) return runsFromOtlp({ resourceSpans }, { tenant: holder }).runs
    for (const row of page) bytes += row.bytes
    if (bytes > TRACE_BYTES) throw tooMany(`a trace of more than ${TRACE_BYTES} bytes`)
    for (const { text } of page) resourceSpans.push(parseJson(text).document!.value)
    after = page.at(-1)!.seq
  }
}

/** All spans are known to be few enough before one is kept. */
function boundedSpansIn(request: JsonObject): CollectedSpan[] {
  const spans: CollectedSpan[] = []
  let [roots, bytes] = [0, 0]
  for (const span of spansIn(request)) {
    roots += Number(span.isRoot)
    const own = bytesOf(span.text)
    bytes += own
    if (own > SPAN_BYTES) throw tooMany(`a span with its resource, as JSON at most ${SPAN_BYTES} bytes`)
    if (spans.push(span) > MOST_SPANS) throw tooMany(`spans, at most ${MOST_SPANS}`)
    if (roots > MOST_RUNS) throw tooMany(`root spans, at most ${MOST_RUNS}: set OTEL_BSP_MAX_EXPORT_BATCH_SIZE`)
    if (bytes > REQUEST_BYTES) throw tooMany(`spans, as JSON at most ${REQUEST_BYTES} bytes`)
  }
  return spans
}

/** The resource and scope of a span that is no root say nothing about its run: spans of one request share them. */
function* spansIn(request: JsonObject): Generator<CollectedSpan> {
  for (const { resource, scopeSpans } of objectsIn(request['resourceSpans']))
    for (const { scope, spans } of objectsIn(scopeSpans))
      for (const span of objectsIn(spans)) {
        const { traceId, parentSpanId } = span
        if (!isText(traceId)) continue
        const isRoot = !isText(parentSpanId) || /^0*$/.test(parentSpanId)
        const around = isRoot ? { resource } : {}
        const text = JSON.stringify({ ...around, scopeSpans: [{ ...(isRoot && { scope }), spans: [span] }] })
        yield { trace: traceId.toLowerCase().slice(0, 32), isRoot, text }
      }
}

const objectsIn = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

/** Repeated, this has no further effect: an exporter repeats a request that had no answer. */
async function storeRun(call: Call, { tenant_id: named, metadata, ...run }: JsonObject): Promise<void> {
  const tenant = tenantOf(call)
  const kept = named === tenant ? metadata : { ...(metadata as JsonObject), 'otel.tenant_id': named }
  const { lines, diagnostics } = split({ ...run, tenant_id: tenant, ...(kept !== undefined && { metadata: kept }) })
  if (lines === undefined) throw diagnosed('invalid-document', diagnostics)
  const first = parseJson(lines[0]!).document!.value as JsonObject
  await startRun(call.env, tenant, first, joinLines(lines))
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

const WRITE: Access = { scope: 'write' }
/** Holders of `write` see their own runs without sensitive content. */
const access: Access = { scope: 'audit', or: 'write' }
/** A browser asks for the token as a password. */
const READ: Access = { ...access, basic: true }
const RUN_BODY: BodyRule = { ...LINES_BODY, bytes: 4 << 20 }
const TRACES_BODY = {
  types: ['application/x-protobuf', 'application/json'],
  codings: ['identity', 'gzip'],
  bytes: 4 << 20,
}

export const ROUTES = [
  route('/runs', {
    GET: { access: READ, query: { ...PAGED, ...RUN_FILTER }, answer: listRuns },
    POST: { access: WRITE, body: RUN_BODY, query: {}, answer: openRun },
  }),
  route('/runs/{id}', { GET: { access: READ, query: {}, answer: readRun } }),
  route('/runs/{id}/records', {
    POST: { access: WRITE, before: findRun, body: RUN_BODY, query: {}, answer: addLines },
  }),
  route('/runs/{id}/checkpoint', { GET: { access, query: {}, answer: readCheckpoint } }),
  route('/runs/{id}/proof/{index}', { GET: { access, query: {}, answer: readProof } }),
  route('/runs/{id}/consistency', { GET: { access, query: { from: 'once' }, answer: readGrowth } }),
  route('/v1/traces', { POST: { access: WRITE, body: TRACES_BODY, query: {}, answer: takeTraces } }),
]
