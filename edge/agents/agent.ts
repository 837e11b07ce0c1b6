import { parse } from 'blazon/document'
import { CARD_TYPE, idOfSegment } from '../directory/catalog-entry.ts'
import type { Env } from '../env.ts'
import { prefersPage, wants } from '../http/accept.ts'
import { etagOf } from '../http/digest.ts'
import { publishedAnswer } from './answer.ts'
import { cardAnswer, findCard } from './card.ts'
import { findOrRefuse, findPublished } from './document.ts'
import { agentPage } from './page.ts'

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * `GET /agents/{name}`: the identifier itself (ADL 6.1). The definition, or for browsers a page about it; or the agent's card
 * (ADP), for those who ask for one, and where there is no definition.
 */
export async function readAgent(request: Request, url: URL, env: Env, name: string): Promise<Response> {
  if (wants(request, CARD_TYPE) || (await findPublished(env, name)) === null) {
    const card = await findCard(env, name)
    if (card !== undefined) return cardAnswer(request, card, idOfSegment(name)!, url.origin)
  }
  const { bytes, etag, type } = await findOrRefuse(env, name, url.origin)
  if (!prefersPage(request)) return publishedAnswer(request, bytes, etag, type, { vary: 'accept' })
  const page = new TextEncoder().encode(
    agentPage(parse(new Uint8Array(bytes)).document!, `${url.origin}/agents/${name}`),
  )
  const answer = publishedAnswer(request, page, await etagOf(page), 'text/html; charset=utf-8', { vary: 'accept' })
  answer.headers.set('content-security-policy', PAGE_POLICY)
  return answer
}
