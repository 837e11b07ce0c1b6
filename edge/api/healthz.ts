import { abiVersion } from 'blazon/core'
import { version } from '../../package.json'
import { apiHeaders } from '../http/headers.ts'
import { BODY_BYTES, DEFAULT_DEPTH } from '../http/limits.ts'

/** `GET /healthz`: shows that the Worker runs and its core answers, with their versions. */
export function healthz(): Response {
  const core = { abi: abiVersion() }
  const limits = { bodyBytes: BODY_BYTES, maxDepth: DEFAULT_DEPTH }
  return Response.json({ status: 'ok', version, core, limits }, { headers: apiHeaders({}) })
}
