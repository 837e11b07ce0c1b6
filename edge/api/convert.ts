import type { ConversionResult } from 'blazon'
import { SENSITIVITIES } from 'blazon/adl'
import { convert as convertDocument, FORMATS } from 'blazon/convert'
import type { Call } from '../access/route.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { choice, refuseOtherParameters } from '../http/query.ts'

const BINDINGS = ['JSONRPC', 'GRPC', 'HTTP+JSON'] as const
const CARRY = ['public', 'all', 'nothing'] as const

/** `POST /v1/convert?to=...`: converts the document in the body to another format, with a loss report. */
export async function convert({ url, body }: Call): Promise<Response> {
  const query = url.searchParams
  const texts = { id: 'once', url: 'once', serverName: 'once', version: 'once', description: 'once' } as const
  refuseOtherParameters(query, {
    to: 'once',
    from: 'once',
    binding: 'once',
    carry: 'once',
    sensitivity: 'once',
    ...texts,
  })
  const to = choice(query, 'to', FORMATS)
  if (to === undefined) {
    throw new Problem('bad-request', `The parameter to is missing: one of ${FORMATS.join(', ')}.`, {
      members: { parameter: 'to' },
    })
  }
  const from = choice(query, 'from', FORMATS)
  const binding = choice(query, 'binding', BINDINGS)
  const sensitivity = choice(query, 'sensitivity', SENSITIVITIES)
  const carry = choice(query, 'carry', CARRY)
  const given = Object.keys(texts).flatMap((name) => (query.has(name) ? [[name, query.get(name)]] : []))
  const options = {
    to,
    ...(from !== undefined && { from }),
    ...(binding !== undefined && { binding }),
    ...(carry !== undefined && { carry }),
    ...Object.fromEntries(given),
    ...(sensitivity !== undefined && { classification: { sensitivity } }),
  }
  const { document, loss, diagnostics } = attempt(body, options)
  if (document === undefined) {
    throw new Problem('invalid-document', diagnostics[0]!.detail, { members: { diagnostics } })
  }
  return Response.json({ document: document.value, loss, diagnostics }, { headers: apiHeaders({}) })
}

/** Invalid values of options, such as an id that is not an agent:// URI, are the caller's fault. */
function attempt(...given: Parameters<typeof convertDocument>): ConversionResult {
  try {
    return convertDocument(...given)
  } catch (error) {
    if (error instanceof RangeError) throw new Problem('bad-request', error.message)
    throw error
  }
}
