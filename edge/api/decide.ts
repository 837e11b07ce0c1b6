import { decide as decideRequest, type PermissionRequest, verify } from 'blazon/adl'
import { canonicalizeValue } from 'blazon/core'
import { parseJson } from 'blazon/document'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'
import type { Call } from '../http/route.ts'

/** The depth that section 18.5 allows a document, and the body around it. */
const DEPTH = 34

/** `POST /v1/decide`: tells if `document` permits `request`, the two members of the body. */
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
      `The body has the members document and request, not ${JSON.stringify(other.slice(0, 80))}.`,
    )
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document) || request === undefined) {
    throw new Problem('bad-request', 'The body is an object with the members document (an object) and request.')
  }
  // A document that carries a signature permits nothing before the signature was verified (ADL 18.1).
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
