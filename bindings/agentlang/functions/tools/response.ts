import { parse } from '../../../document/parse.ts'
import type { JsonObject } from '../../../text/members.ts'
import { type ToolOutcome, toolContract } from './contract.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

const LARGEST_BODY = 4 * 1024 * 1024

/** Reads the response of an HTTP tool. JSON is read strictly; other types are text. */
export function parseResponse(tool: JsonObject, { status, headers, body }: HttpResponse): ToolOutcome {
  const invalid = (keyword: string, message: string): ToolOutcome => {
    return { kind: 'validation_error', faults: [{ pointer: '', keyword, message }] }
  }
  const failed = (value?: unknown): ToolOutcome => {
    return { kind: 'execution_error', message: `the server answered with status ${status}`, status, value }
  }
  const isOk = status >= 200 && status < 300
  if (body.length > LARGEST_BODY) return isOk ? invalid('limit', 'the response is larger than 4 MiB') : failed()
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    return isOk ? toolContract(tool).checkResult({ output: text === '' ? null : text }) : failed(text)
  }
  const { document, diagnostics } = parse(body, { maxDepth: 64 })
  if (!isOk) return failed(document?.value)
  if (document === undefined) return invalid('json', `the response is not valid JSON: ${diagnostics[0]!.detail}`)
  return toolContract(tool).checkResult({ output: document.value })
}
