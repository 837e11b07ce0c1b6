import { verify as verifyDocument } from 'blazon'
import { LIMITS } from 'blazon/adl'
import { detectKind, parse } from 'blazon/document'
import { importKey, type Key, KeyError } from 'blazon/keys'
import { readDocument } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'

/** `POST /v1/verify`: a proof, 200 whatever its verdict. Nothing is resolved: a Worker asks nobody on a stranger's word. */
export async function verify(request: Request, url: URL): Promise<Response> {
  refuseOtherParameters(url.searchParams, { publicKey: 'once', provider: 'once' })
  const { document, diagnostics } = parse(await readDocument(request), { maxDepth: LIMITS.depth })
  if (document === undefined) {
    throw new Problem('unreadable-document', diagnostics[0]!.detail, { members: { diagnostics } })
  }
  const provider = url.searchParams.get('provider')
  if (provider !== null && detectKind(document) === 'card') {
    const members = { parameter: 'provider' }
    throw new Problem('bad-request', 'The parameter provider is for agent definitions, and this is a card', { members })
  }
  const key = url.searchParams.get('publicKey')
  const expected = { ...(key !== null && { keys: [await readKey(key)] }), ...(provider !== null && { provider }) }
  const proof = await verifyDocument(document, { expect: expected })
  return Response.json(proof, { headers: apiHeaders({}) })
}

async function readKey(text: string): Promise<Key> {
  try {
    return await importKey(text)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    throw new Problem('bad-request', `The parameter publicKey is no key: ${error.message}`, {
      members: { parameter: 'publicKey' },
    })
  }
}
