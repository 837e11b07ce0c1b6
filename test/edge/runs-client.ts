// A small recorder for the tests: sends lines of runs to the Worker, and checks each answer against openapi.json.
import { assemble } from '../../bindings/runs/stream/lines.ts'
import { split } from '../../bindings/runs/stream/seal.ts'
import { changed, REVIEW } from '../runs/records.ts'
import type { Runtime } from '../support/runtime.ts'
import { checkContract } from './contract.ts'
import { bearer, type Grant } from './tokens.ts'

const decoder = new TextDecoder()

/** The lines of the review under another id, each with its line feed. */
export function linesOf(id: string, change: object = {}): string[] {
  const record = changed(REVIEW, { set: { '/run_id': id, ...change } })
  return split(JSON.stringify(record)).lines!.map((line) => `${decoder.decode(line)}\n`)
}

export const recordOf = (lines: readonly string[]): string =>
  decoder.decode(assemble(lines.map((line) => new TextEncoder().encode(line.trimEnd()))))

interface Sent {
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  readonly grant?: Partial<Grant>
}

const TYPE = { 'content-type': 'application/x-ndjson' }

export function clientOf(runtime: () => Runtime, holder = REVIEW.tenant_id) {
  async function ask(method: string, path: string, { body, headers = {}, grant }: Sent = {}) {
    const { origin } = runtime()
    const scope = method === 'POST' ? 'write' : 'audit'
    const token = bearer(origin, { scope, holder, ...grant })
    const type = body === undefined ? {} : TYPE
    const response = await fetch(origin + path, {
      method,
      headers: { connection: 'close', ...type, ...token, ...headers },
      ...(body !== undefined && { body }),
    })
    const text = await response.clone().text()
    await checkContract(method, origin + path, response)
    const isJson = /[/+]json$/.test(response.headers.get('content-type') ?? '')
    const value = (isJson ? JSON.parse(text) : {}) as Record<string, never>
    return { status: response.status, text, value, headers: response.headers }
  }
  const get = (path: string, sent: Sent = {}) => ask('GET', path, sent)
  const open = (body: Sent['body'], sent: Sent = {}) => ask('POST', '/runs', { ...sent, body: body! })
  const add = (id: string, size: number | string, body: Sent['body'], sent: Sent = {}) =>
    ask('POST', `/runs/${id}/records`, {
      ...sent,
      body: body!,
      headers: { 'blazon-size': String(size), ...sent.headers },
    })
  /** Sends a whole run. */
  const send = async (id: string, change: object = {}) => {
    const [first, ...rest] = linesOf(id, { '/tenant_id': holder, ...change })
    return [await open(first!), await add(id, 1, rest.join(''))] as const
  }
  return { ask, get, open, add, send }
}
