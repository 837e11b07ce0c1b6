import { buildDiscovery } from 'blazon/discover'
import type { Call } from '../access/route.ts'
import { publishedAnswer } from '../agents/answer.ts'
import { listAll } from '../agents/store.ts'
import { etagOf } from '../http/digest.ts'

/** `GET /.well-known/adl-agents`: the discovery document of this domain (ADL 6.4). */
export async function adlAgents({ request, url, env }: Call): Promise<Response> {
  const bytes = buildDiscovery(await listAll(env, url.origin))
  return publishedAnswer(request, bytes, await etagOf(bytes), 'application/json')
}
