import { parseJson } from 'blazon/document'
import type { Call } from '../access/route.ts'
import { CARD_TYPE, idOfName } from '../directory/catalog-entry.ts'
import { prefersPage, wants } from '../http/accept.ts'
import { etagOf, publishedAnswer } from '../http/published.ts'
import { cardAnswer, findCard } from './card.ts'
import { findOrRefuse, findPublished } from './document.ts'
import { agentPage } from './page.ts'

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * `GET /agents/{name}`: the identifier itself (ADL 6.1). Answers with the definition, or for browsers with a page about
 * it. Answers with the agent's card (ADP) when the client asks for that or there is no definition.
 */
export async function readAgent(call: Call<'name'>): Promise<Response> {
  const { request, url, env, parts } = call
  const { name } = parts
  if (wants(request, CARD_TYPE) || (await findPublished(call)) === null) {
    const card = await findCard(env, name)
    if (card !== undefined) return cardAnswer(request, card, idOfName(name), url.origin)
  }
  const { bytes, etag, type, isPrivate } = await findOrRefuse(call)
  const own = { vary: 'accept' }
  if (!prefersPage(request)) return publishedAnswer(request, bytes, etag, type, { own, isPrivate })
  const page = new TextEncoder().encode(
    await agentPage(parseJson(new Uint8Array(bytes)).document!, `${url.origin}/agents/${name}`),
  )
  const answer = publishedAnswer(request, page, await etagOf(page), 'text/html; charset=utf-8', { own, isPrivate })
  answer.headers.set('content-security-policy', PAGE_POLICY)
  return answer
}
