// Recorders send the lines of runs here. They are on disk before the answer, and a line never changes.
import { checkLines, hashLines, linkStream } from 'blazon/runs'
import { timeOf } from '../../bindings/schema/times.ts'
import { isText, type JsonObject, member, valueAt } from '../../bindings/text/members.ts'
import type { Call } from '../access/route.ts'
import { type Env, numberOf, runStub, tenantStub } from '../env.ts'
import { json } from '../http/answer.ts'
import { diagnosed, Problem } from '../http/problem.ts'
import { opened } from '../http/relay.ts'
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
export async function startRun(env: Env, tenant: string, first: JsonObject, body: Uint8Array): Promise<number> {
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
  return opened(await runStub(env, tenant, id).append({ tenant, id, isNew: true }, 0, body))
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
  return json({ size: opened(await run.append({ tenant: tenantOf(call), id }, Number(at), call.body)) })
}
