import { encodeBase64url } from 'blazon/keys'
import type { Call } from '../access/route.ts'
import { moderation } from '../env.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { integer, refuseOtherParameters } from '../http/query.ts'
import { cardIn } from '../moderation/subjects.ts'

/** Cards in one answer: they have up to 65,535 bytes each. */
const MOST_CARDS = 100
const MOST_IDS = 100

/** `GET /v1/directory/queue?after=ID&limit=N`: the waiting cards, by id. A rule that allows an id accepts its card. */
export async function readQueue({ url, env }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, { after: 'once', limit: 'once' })
  const limit = integer(url.searchParams, 'limit', 1, MOST_CARDS) ?? MOST_CARDS
  const { cards, size } = await moderation(env).waiting(url.searchParams.get('after') ?? '', limit)
  const waiting = cards.map((card) => {
    const { id, signer, came, bytes } = card
    const { name, description } = cardIn(card)
    return { id, name, description, key: signer, came: new Date(came).toISOString(), card: encodeBase64url(bytes) }
  })
  return Response.json({ waiting, total: size }, { headers: apiHeaders({}) })
}

/** `DELETE /v1/directory/queue?id=ID`: deletes waiting cards. Their agents may send them again. */
export async function dropWaiting({ url, env }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, { id: 'often' })
  const ids = url.searchParams.getAll('id')
  if (ids.length < 1 || ids.length > MOST_IDS) {
    throw new Problem('bad-request', `Name 1 to ${MOST_IDS} agents: id=agent://...`, { members: { parameter: 'id' } })
  }
  return Response.json({ dropped: await moderation(env).drop(ids) }, { headers: apiHeaders({}) })
}
