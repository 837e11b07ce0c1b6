import { convert as convertDocument, FORMATS } from 'blazon/convert'
import { readDocument } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { choice, refuseOtherParameters } from '../http/query.ts'

const BINDINGS = ['JSONRPC', 'GRPC', 'HTTP+JSON'] as const
const SENSITIVITIES = ['public', 'internal', 'confidential', 'restricted'] as const

/** `POST /v1/convert?to=...`: the document that is the body as another kind, and what that loses. */
export async function convert(request: Request, url: URL): Promise<Response> {
  const query = url.searchParams
  refuseOtherParameters(query, { to: 'once', from: 'once', url: 'once', binding: 'once', sensitivity: 'once' })
  const to = choice(query, 'to', FORMATS)
  if (to === undefined) {
    throw new Problem('bad-request', `The parameter to is missing: one of ${FORMATS.join(', ')}.`, {
      members: { parameter: 'to' },
    })
  }
  const from = choice(query, 'from', FORMATS)
  const binding = choice(query, 'binding', BINDINGS)
  const sensitivity = choice(query, 'sensitivity', SENSITIVITIES)
  const address = query.get('url')
  const { document, loss, diagnostics } = convertDocument(await readDocument(request), {
    to,
    ...(from !== undefined && { from }),
    ...(binding !== undefined && { binding }),
    ...(address !== null && { url: address }),
    ...(sensitivity !== undefined && { classification: { sensitivity } }),
  })
  if (document === undefined) {
    throw new Problem('invalid-document', diagnostics[0]!.detail, { members: { diagnostics } })
  }
  return Response.json({ document: document.value, loss, diagnostics }, { headers: apiHeaders({}) })
}
