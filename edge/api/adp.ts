// The methods of ADP over HTTP (section 4): the body of a request is that of the invocation, and so is the answer's.
import {
  createDirectory,
  createMemoryStore,
  handleInvocation,
  type InvocationAnswer,
  type RankingProfile,
} from 'blazon/directory'
import { CARD_TYPE, cardPath } from '../directory/catalog-entry.ts'
import { idOf, shardedDirectory } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { readDocument } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { requireVoucher } from '../http/operator.ts'
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
/** When a sender that was counted out may come again, in seconds: the limit is by the minute, unless something else is said. */
const MINUTE = 60

/** `POST /adp/describe`, `/adp/advertise`, `/adp/discover`. */
export function invoke(method: Method): (request: Request, url: URL, env: Env) => Promise<Response> {
  return async (request, url, env) => {
    refuseOtherParameters(url.searchParams, {})
    const body = await readDocument(request)
    const operator = request.headers.has('authorization')
    if (operator) await requireVoucher(request, env, idOf(body))
    const directory = shardedDirectory(env)
    const answer = await handleInvocation(directory, { method, body, operator, address: senderOf(request) })
    const { status, bytes, partial, signature, retryAfter = MINUTE } = answer
    const isCard = method === 'adp.describe' && status === 'OK'
    const headers = apiHeaders({
      'content-type': isCard ? CARD_TYPE : 'application/json',
      ...(status === 'BUSY' && { 'retry-after': String(retryAfter) }),
      // A part of a card is marked outside of it, and says where the whole is (sections 4.1 and 7.2).
      ...(partial === true && {
        'blazon-partial': 'true',
        link: `<${url.origin}${cardPath(String(answer.body['id']))}>; rel="canonical"`,
        // base64url of whoever signed, or what passes for it: a header takes nothing else.
        ...(signature !== undefined && /^[\w-]+$/.test(signature) && { 'blazon-signature': signature }),
      }),
    })
    return new Response(new Uint8Array(bytes), { status: STATUS[status], headers })
  }
}

/** Shards are opened without options that rank, so that each has the figures of this one. */
let ranking: RankingProfile | undefined

/** `GET /adp/ranking`: the formula in force, its weights and what goes into each factor (section 5). */
export function readRanking(request: Request): Promise<Response> {
  ranking ??= createDirectory({ store: createMemoryStore() }).rankingProfile()
  return madeAnswer(request, ranking, 'application/json')
}
