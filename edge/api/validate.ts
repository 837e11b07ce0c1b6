import { KINDS, validate as validateDocument } from 'blazon'
import { formatErrors, RULESETS } from 'blazon/adl'
import type { Call } from '../access/route.ts'
import { wants } from '../http/accept.ts'
import { apiHeaders } from '../http/headers.ts'
import { choice, refuseOtherParameters } from '../http/query.ts'

/** The form of section 16.1, for clients that request it by name. */
const ADL_ERRORS = 'application/vnd.adl.errors+json'

const CHECKED = KINDS.filter(({ isChecked }) => isChecked).map(({ kind }) => kind)

/** `POST /v1/validate`: a report, with status 200 for valid and invalid documents alike. */
export async function validate({ request, url, body }: Call): Promise<Response> {
  const query = url.searchParams
  refuseOtherParameters(query, { as: 'once', ruleset: 'once' })
  const ruleset = choice(query, 'ruleset', RULESETS)
  const as = choice(query, 'as', CHECKED)
  const report = validateDocument(body, {
    ...(ruleset !== undefined && { ruleset }),
    ...(as !== undefined && { as }),
  })
  const headers = apiHeaders({ vary: 'accept' })
  if (!wants(request, ADL_ERRORS)) return Response.json(report, { headers })
  headers.set('content-type', ADL_ERRORS)
  return Response.json(formatErrors(report), { headers })
}
