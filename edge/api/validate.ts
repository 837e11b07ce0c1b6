import { validate as validateDocument } from 'blazon'
import { formatErrors, RULESETS } from 'blazon/adl'
import { wants } from '../http/accept.ts'
import { readDocument } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { choice, refuseOtherParameters } from '../http/query.ts'

/** The form of section 16.1, for those that ask for it by name. */
const ADL_ERRORS = 'application/vnd.adl.errors+json'

/** `POST /v1/validate`: a report, 200 whether the document is valid or not. */
export async function validate(request: Request, url: URL): Promise<Response> {
  const query = url.searchParams
  refuseOtherParameters(query, { as: 'once', ruleset: 'once' })
  const ruleset = choice(query, 'ruleset', RULESETS)
  const as = choice(query, 'as', ['adl', 'adl-discovery', 'card', 'a2a'] as const)
  const report = validateDocument(await readDocument(request), {
    ...(ruleset !== undefined && { ruleset }),
    ...(as !== undefined && { as }),
  })
  const headers = apiHeaders({ vary: 'accept' })
  if (!wants(request, ADL_ERRORS)) return Response.json(report, { headers })
  headers.set('content-type', ADL_ERRORS)
  return Response.json(formatErrors(report), { headers })
}
