import type { Described } from 'blazon/directory'
import { CARD_TYPE, cardPath, idOfSegment } from '../directory/catalog-entry.ts'
import { describe } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { etagOf } from '../http/digest.ts'
import { Problem } from '../http/problem.ts'
import { publishedAnswer } from './answer.ts'

/** The card that the directory has of the agent that a segment of a path names. */
export async function findCard(env: Env, segment: string): Promise<Described | undefined> {
  const id = idOfSegment(segment)
  if (id === undefined) return undefined
  const described = await describe(env, id, {})
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

/** `GET /agents/{name}/card.json`: the ADP Agent Card; `name` is its id without `agent://`, percent-encoded. */
export async function readCard(request: Request, url: URL, env: Env, name: string): Promise<Response> {
  const described = await findCard(env, name)
  if (described === undefined) {
    throw new Problem(
      'not-found',
      `The directory has no card of ${name.slice(0, 130)}; ${url.origin}/agents lists all.`,
    )
  }
  return cardAnswer(request, described, idOfSegment(name)!, url.origin)
}
