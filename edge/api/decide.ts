import { decide as decideRequest, type PermissionRequest, verify } from 'blazon/adl'
import { canonicalizeValue } from 'blazon/core'
import { parse } from 'blazon/document'
import { readDocument } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'

/** The document may be as deep as section 18.5 has it, in a body around it. */
const DEPTH = 34

/** `POST /v1/decide`: whether `document` permits `request`, the two members of the body. */
export async function decide(httpRequest: Request, url: URL): Promise<Response> {
  refuseOtherParameters(url.searchParams, {})
  const body = parse(await readDocument(httpRequest), { maxDepth: DEPTH })
  if (body.document === undefined) {
    const { diagnostics } = body
    throw new Problem('unreadable-document', diagnostics[0]!.detail, { members: { diagnostics } })
  }
  const { document, request, ...others } = (body.document.value ?? {}) as { document?: unknown; request?: unknown }
  const [other] = Object.keys(others)
  if (other !== undefined) {
    throw new Problem(
      'bad-request',
      `The body has the members document and request, not ${JSON.stringify(other.slice(0, 80))}.`,
    )
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document) || request === undefined) {
    throw new Problem('bad-request', 'The body is an object with the members document (an object) and request.')
  }
  // A document that carries a signature permits nothing before the signature was verified (ADL 18.1).
  const definition = parse(canonicalizeValue(document)).document!
  const proof = await verify(definition)
  try {
    const decision = decideRequest(definition, request as PermissionRequest, { proof })
    return Response.json(decision, { headers: apiHeaders({}) })
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    throw new Problem('bad-request', error.message)
  }
}
