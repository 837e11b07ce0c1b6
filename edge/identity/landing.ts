import type { Call } from '../access/route.ts'
import { Problem } from '../http/problem.ts'
import { etagOf, publishedAnswer } from '../http/published.ts'
import { findAgent } from './find.ts'
import { landingPage, nothingPage } from './page.ts'

/** No script runs, whatever the page holds; a form can only go to the host of the page. */
const POLICY =
  "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** `GET /`: the page of the agent of this host (ADP/1.1 section 7.1), or else the first page of the deployment. */
export async function readLanding(call: Call): Promise<Response> {
  const { request } = call
  if (call.agent === undefined) return firstPage(call)
  const agent = await findAgent(call, call.agent)
  return pageAnswer(request, agent === undefined ? nothingPage() : landingPage(agent), agent?.isPrivate)
}

async function firstPage({ request, env }: Call): Promise<Response> {
  if (env.ASSETS !== undefined) return env.ASSETS.fetch(request)
  throw new Problem('not-found', 'This server has no first page, because it has no static files.')
}

export async function pageAnswer(request: Request, html: string, isPrivate = false): Promise<Response> {
  const bytes = new TextEncoder().encode(html)
  const answer = publishedAnswer(request, bytes, await etagOf(bytes), 'text/html; charset=utf-8', { isPrivate })
  answer.headers.set('content-security-policy', POLICY)
  // A form then sends its origin to its own host only, which is how `connect` recognizes forms of other sites.
  answer.headers.set('referrer-policy', 'same-origin')
  return answer
}
