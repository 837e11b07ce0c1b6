import type { Described } from 'blazon/directory'
import { CARD_TYPE, cardPath, idOfName } from '../directory/catalog-entry.ts'
import { describe } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { etagOf } from '../http/digest.ts'
import { Problem } from '../http/problem.ts'
import type { Call } from '../http/route.ts'
import { publishedAnswer } from './answer.ts'
import { nameShown } from './name.ts'

/** The directory's card of the agent that a part of a path names. */
export async function findCard(env: Env, name: string): Promise<Described | undefined> {
  const described = await describe(env, idOfName(name), {})
  return described.status === 'OK' && described.revoked !== true ? described : undefined
}

/** A card, byte for byte as its agent signed it; `Blazon-Standing` says how it was verified. */
export async function cardAnswer(request: Request, { bytes, standing }: Described, id: string, origin: string) {
  const content = new Uint8Array(bytes!)
  return publishedAnswer(request, content, await etagOf(content), CARD_TYPE, {
    vary: 'accept',
    'blazon-standing': standing ?? 'none',
    link: `<${origin}${cardPath(id)}>; rel="canonical"`,
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
