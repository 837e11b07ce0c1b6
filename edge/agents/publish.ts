import { isAgentName, LIMITS, mayPublish, validate, verify } from 'blazon/adl'
import { type Document, parseJson } from 'blazon/document'
import type { Call } from '../access/route.ts'
import { documents } from '../env.ts'
import { apiHeaders } from '../http/answer.ts'
import { Problem } from '../http/problem.ts'
import { etagOf, writeCondition } from '../http/published.ts'
import { choice, refuseOtherParameters } from '../http/query.ts'
import { describe } from './describe.ts'

/** `PUT /agents/{name}/adl.json`: publishes a definition. Nothing of a refused definition is stored. */
export async function publishAgentDocument({ request, url, env, parts, body: bytes }: Call<'name'>): Promise<Response> {
  const { name } = parts
  if (!isAgentName(name)) {
    throw new Problem(
      'bad-request',
      'A name has 1 to 128 of a-z, 0-9, ".", "_" and "-", and begins and ends with a letter or digit.',
    )
  }
  const query = url.searchParams
  refuseOtherParameters(query, { reviewed: 'once', acknowledge: 'often' })
  const condition = writeCondition(request.headers)
  const document = readOrRefuse(bytes)
  const { valid, diagnostics } = validate(document)
  if (!valid) throw new Problem('invalid-document', firstError(diagnostics), { members: { diagnostics } })
  const reviewed = choice(query, 'reviewed', ['true'] as const) !== undefined
  const { allowed, needs, acknowledged } = mayPublish(document, { reviewed, acknowledged: query.getAll('acknowledge') })
  if (!allowed) throw new Problem('review-needed', needs[0]!.detail, { members: { needs } })
  await refuseBrokenSignature(document)
  const etag = await etagOf(bytes)
  const content = new Uint8Array(bytes).buffer
  const outcome = await documents(env).write(
    { name, bytes: content, etag, updated: Date.now(), ...describe(document.value) },
    condition,
  )
  if (outcome === 'condition-failed') {
    throw new Problem('condition-failed', `${name} is not in the state that the request names.`)
  }
  if (outcome === 'full')
    throw new Problem('full', 'The limit of published definitions is reached: no more fit into a discovery document.')
  const address = `${url.origin}/agents/${name}/adl.json`
  const headers = apiHeaders({ etag, ...(outcome === 'created' && { location: address }) })
  const body = { name, url: address, etag, outcome, acknowledged, diagnostics }
  return Response.json(body, { status: outcome === 'created' ? 201 : 200, headers })
}

function readOrRefuse(bytes: Uint8Array): Document {
  const { document } = parseJson(bytes, { maxDepth: LIMITS.depth })
  if (document !== undefined) return document
  // An unreadable document gets ADL codes as well.
  const report = validate(bytes)
  throw new Problem('invalid-document', firstError(report.diagnostics), {
    members: { diagnostics: report.diagnostics },
  })
}

function firstError(diagnostics: ReturnType<typeof validate>['diagnostics']): string {
  return diagnostics.find(({ severity }) => severity === 'error')!.detail
}

/**
 * Refuses a document whose signature its own key does not confirm: it was changed after it was signed, which is worse
 * than no signature.
 */
async function refuseBrokenSignature(document: Document): Promise<void> {
  const proof = await verify(document)
  if (proof.verdict !== 'failed') return
  const step = proof.steps.find(({ outcome }) => outcome === 'failed')
  throw new Problem('invalid-document', step?.detail ?? 'The signature does not match.', { members: { proof } })
}
