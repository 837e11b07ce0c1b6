// Traces of OpenTelemetry, as its exporters send them (OTLP/HTTP). A run is stored when its root span has ended.
import { readOtlpProtobuf, runsFromOtlp } from 'blazon/convert'
import { parseJson } from 'blazon/document'
import { split } from 'blazon/runs'
import { joinLines } from '../../bindings/text/bytes.ts'
import { isObject, isText, type JsonObject } from '../../bindings/text/members.ts'
import type { Call } from '../access/route.ts'
import type { CollectedSpan } from '../contracts/runs.ts'
import { tenantStub } from '../env.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { diagnosed, Problem } from '../http/problem.ts'
import { tenantOf } from './read.ts'
import { startRun } from './write.ts'

/** `POST /v1/traces`: keeps spans, and makes runs of the traces whose roots are among them. */
export async function takeTraces(call: Call): Promise<Response> {
  const isProtobuf = /^application\/x-protobuf/i.test(call.request.headers.get('content-type') ?? '')
  const read = isProtobuf ? readOtlpProtobuf(call.body) : { value: objectIn(call.body) }
  if ('fault' in read) throw new Problem('bad-request', read.fault)
  const tenant = tenantStub(call.env, tenantOf(call))
  for (const [trace, texts] of await tenant.collect([...spansIn(read.value)])) {
    // The latest text is the first.
    const resourceSpans = texts.toReversed().map((text) => parseJson(text).document!.value)
    const faults: Problem[] = []
    for (const run of runsFromOtlp({ resourceSpans }, { tenant: tenantOf(call) }).runs)
      await storeRun(call, run).catch((error) => faults.push(asProblem(error)))
    await tenant.forget(trace)
    if (faults[0] !== undefined) throw faults[0]
  }
  // An empty message is an ExportTraceServiceResponse without a partial success.
  const headers = apiHeaders({ 'content-type': 'application/x-protobuf' })
  return isProtobuf ? new Response(new Uint8Array(), { headers }) : json({})
}

function* spansIn(request: JsonObject): Generator<CollectedSpan> {
  for (const { resource, scopeSpans } of objectsIn(request['resourceSpans']))
    for (const { scope, spans } of objectsIn(scopeSpans))
      for (const span of objectsIn(spans)) {
        const { traceId, parentSpanId } = span
        if (!isText(traceId)) continue
        const isRoot = !isText(parentSpanId) || /^0*$/.test(parentSpanId)
        const text = JSON.stringify({ resource, scopeSpans: [{ scope, spans: [span] }] })
        yield { trace: traceId.toLowerCase().slice(0, 32), isRoot, text }
      }
}

const objectsIn = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isObject) : [])

/** Repeated, this has no further effect: an exporter repeats a request that had no answer. */
async function storeRun(call: Call, run: JsonObject): Promise<void> {
  const { lines, diagnostics } = split(run)
  if (lines === undefined) throw diagnosed('invalid-document', diagnostics)
  const first = parseJson(lines[0]!).document!.value as JsonObject
  await startRun(call.env, tenantOf(call), first, joinLines(lines))
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}
