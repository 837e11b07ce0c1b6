import { decide as decideRequest, type PermissionRequest, verify } from 'blazon/adl'
import { canonicalizeValue } from 'blazon/core'
import { parseJson } from 'blazon/document'
import type { Call } from '../access/route.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'

/** The depth that section 18.5 allows a document, and the body around it. */
const DEPTH = 34

/** `POST /v1/decide`: decides if `document` permits `request`; the body has these two members. */
export async function decide({ url, body }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, {})
  const read = parseJson(body, { maxDepth: DEPTH })
  if (read.document === undefined) {
    const { diagnostics } = read
    throw new Problem('unreadable-document', diagnostics[0]!.detail, { members: { diagnostics } })
  }
  const { document, request, ...others } = (read.document.value ?? {}) as { document?: unknown; request?: unknown }
  const [other] = Object.keys(others)
  if (other !== undefined) {
    throw new Problem(
      'bad-request',
      `Unknown member ${JSON.stringify(other.slice(0, 80))}: the body has the members document and request.`,
    )
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document) || request === undefined) {
    throw new Problem('bad-request', 'Expected an object with the members document (an object) and request.')
  }
  // A signed document permits nothing before its signature is verified (ADL 18.1).
  const definition = parseJson(canonicalizeValue(document)).document!
  const proof = await verify(definition)
  try {
    const decision = decideRequest(definition, request as PermissionRequest, { proof })
    return Response.json(decision, { headers: apiHeaders({}) })
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    throw new Problem('bad-request', error.message)
  }
}
