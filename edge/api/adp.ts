// The methods of ADP over HTTP (section 4): request and answer have the bodies of the invocation.
import { DEFAULT_RANKING, handleInvocation, type InvocationAnswer } from 'blazon/directory'
import type { Call } from '../access/route.ts'
import { CARD_TYPE, cardPath } from '../directory/catalog-entry.ts'
import { shardedDirectory } from '../directory/service.ts'
import { apiHeaders } from '../http/headers.ts'
import { MINUTE } from '../http/limits.ts'
import { refuseOtherParameters } from '../http/query.ts'
import { senderOf } from '../http/sender.ts'
import { madeAnswer } from '../wellknown/own.ts'

type Method = 'adp.describe' | 'adp.advertise' | 'adp.discover'

const STATUS: Readonly<Record<InvocationAnswer['status'], number>> = {
  OK: 200,
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 403,
  NOT_FOUND: 404,
  BUSY: 429,
  FULL: 507,
}

/** `POST /adp/describe`, `/adp/advertise`, `/adp/discover`. */
export function invoke(method: Method): (call: Call) => Promise<Response> {
  return async ({ request, url, env, body, bearer }) => {
    refuseOtherParameters(url.searchParams, {})
    const sender = { operator: bearer !== undefined, address: senderOf(request) }
    const answer = await handleInvocation(shardedDirectory(env), { method, body, ...sender })
    const { status, gone, bytes, partial, signature, retryAfter = MINUTE } = answer
    const isCard = method === 'adp.describe' && status === 'OK'
    const headers = apiHeaders({
      'content-type': isCard ? CARD_TYPE : 'application/json',
      ...(status === 'BUSY' && { 'retry-after': String(retryAfter) }),
      // A partial card is marked outside of it, with the place of the whole (sections 4.1 and 7.2).
      ...(partial === true && {
        'blazon-partial': 'true',
        link: `<${url.origin}${cardPath(String(answer.body['id']))}>; rel="canonical"`,
        // The signature is base64url from the sender, so anything else is kept out of the header.
        ...(signature !== undefined && /^[\w-]+$/.test(signature) && { 'blazon-signature': signature }),
      }),
    })
    return new Response(new Uint8Array(bytes), { status: gone === true ? 410 : STATUS[status], headers })
  }
}

/**
 * `GET /adp/ranking`: the ranking formula, its weights and the inputs of each factor (section 5). Shards are opened
 * without ranking options.
 */
export function readRanking({ request }: Call): Promise<Response> {
  return madeAnswer(request, DEFAULT_RANKING, 'application/json')
}
