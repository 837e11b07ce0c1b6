// Recorders send the lines of runs here. They are on disk before the answer, and a line never changes.

import { readOtlpProtobuf, runsFromOtlp } from 'blazon/convert'
import { parseJson } from 'blazon/document'
import { checkLines, hashLines, linkStream, split } from 'blazon/runs'
import { timeOf } from '../../bindings/schema/times.ts'
import { joinLines } from '../../bindings/text/bytes.ts'
import { isObject, isText, type JsonObject, member, valueAt } from '../../bindings/text/members.ts'
import type { Call } from '../access/route.ts'
import type { CollectedSpan, TenantObject } from '../contracts/runs.ts'
import { type Env, numberOf, runStub, tenantStub } from '../env.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { diagnosed, Problem } from '../http/problem.ts'
import { unwrapAnswer } from '../http/relay.ts'
import { bytesOf } from '../storage/log.ts'
import { tenantOf } from './read.ts'

/** Safe as the name of a file; `index` is the tree of the tenant. */
const RUN_ID = /^(?!index$)[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

const LINE_FEED = 0x0a

/** `POST /runs`: opens a run with its first line. */
export async function openRun(call: Call): Promise<Response> {
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
export async function findRun({ env, bearer, parts: { id } }: Call<'id'>): Promise<void> {
  if ((await tenantStub(env, tenantOf({ bearer })).run(id)) === undefined)
    throw new Problem('not-found', 'There is no such run.')
}

/** `POST /runs/{id}/records`: adds lines after the first `Blazon-Size`. A repeated request has no further effect. */
export async function addLines(call: Call<'id'>): Promise<Response> {
  const { id } = call.parts
  const at = call.request.headers.get('blazon-size') ?? ''
  if (!/^\d{1,9}$/.test(at)) throw new Problem('bad-request', 'Expected Blazon-Size: the lines that the run has.')
  const run = runStub(call.env, tenantOf(call), id)
  return json({ size: unwrapAnswer(await run.append({ tenant: tenantOf(call), id }, Number(at), call.body)) })
}

// Traces of OpenTelemetry, as its exporters send them (OTLP/HTTP). A run is stored when its root span has ended.

/** Exporters send 512 spans at once, collectors 8,192. */
const MOST_SPANS = 10_000
/** Each run has an object of its own, which takes some milliseconds to make. */
const MOST_RUNS = 100
/** A span with its resource, like a line; those of a request, and of a trace. As JSON: protobuf may be shorter. */
const SPAN_BYTES = 1_000_000
const REQUEST_BYTES = 16 << 20
const TRACE_BYTES = 8 << 20
const PAGE = 1000

/** `POST /v1/traces`: keeps spans, and makes runs of the traces whose roots are among them. */
export async function takeTraces(call: Call): Promise<Response> {
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
