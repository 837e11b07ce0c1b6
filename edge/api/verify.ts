import { open, verify as verifyDocument } from 'blazon'
import { importKey, type Key, KeyError } from 'blazon/keys'
import type { Call } from '../access/route.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'

/**
 * `POST /v1/verify`: a proof, with status 200 for every verdict. Resolves no DIDs: the Worker sends no requests on behalf
 * of unknown clients.
 */
export async function verify({ url, body }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, { publicKey: 'once', provider: 'once' })
  const { document, kind, diagnostics } = open(body)
  if (document === undefined) {
    throw new Problem('unreadable-document', diagnostics[0]!.detail, { members: { diagnostics } })
  }
  const provider = url.searchParams.get('provider')
  if (provider !== null && kind === 'card') {
    const members = { parameter: 'provider' }
    throw new Problem('bad-request', 'The parameter provider is for agent definitions, but this is a card.', {
      members,
    })
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
    throw new Problem('bad-request', `The parameter publicKey is not a valid key: ${error.message}`, {
      members: { parameter: 'publicKey' },
    })
  }
}
