import type { Call } from '../access/route.ts'
import type { DescribedOrRemoved } from '../contracts/directory.ts'
import type { Rule } from '../contracts/moderation.ts'
import { CARD_TYPE, cardPath, idOfName } from '../directory/catalog-entry.ts'
import { describe } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { apiHeaders } from '../http/answer.ts'
import { Problem } from '../http/problem.ts'
import { etagOf, publishedAnswer } from '../http/published.ts'
import { wordsOfRemoval } from '../moderation/rules.ts'
import { nameShown } from './name.ts'

/** The directory's card of the agent that a path segment names. Throws when the operator has taken it down. */
export async function findCard(env: Env, name: string): Promise<DescribedOrRemoved | undefined> {
  const told = await describe(env, idOfName(name), {})
  if (told.removed !== undefined) throw gone(told.removed)
  return told.status === 'OK' ? told : undefined
}

/** The answer for a card that was taken down. */
function gone(rule: Rule): Problem {
  const { reason, at } = rule
  return new Problem('gone', wordsOfRemoval(rule), { members: { reason, removedAt: new Date(at).toISOString() } })
}

/**
 * A card, byte for byte as its agent signed it. `Blazon-Standing` reports how it was verified. A revocation is answered
 * with 410 and the signed revocation as the proof.
 */
export async function cardAnswer(
  request: Request,
  { bytes, standing, revoked }: DescribedOrRemoved,
  id: string,
  origin: string,
) {
  const content = new Uint8Array(bytes!)
  if (revoked === true) {
    const headers = apiHeaders({ 'content-type': CARD_TYPE, 'blazon-standing': standing ?? 'none' })
    return new Response(content, { status: 410, headers })
  }
  return publishedAnswer(request, content, await etagOf(content), CARD_TYPE, {
    own: {
      vary: 'accept',
      'blazon-standing': standing ?? 'none',
      link: `<${origin}${cardPath(id)}>; rel="canonical"`,
    },
  })
}

/** `GET /agents/{name}/card.json`: the ADP Agent Card; `name` is its id without `agent://`. */
export async function readCard({ request, url, env, parts: { name } }: Call<'name'>): Promise<Response> {
  const described = await findCard(env, name)
  if (described === undefined) {
    throw new Problem('not-found', `The directory has no card of ${nameShown(name)}; ${url.origin}/agents lists all.`)
  }
  return cardAnswer(request, described, idOfName(name), url.origin)
}
