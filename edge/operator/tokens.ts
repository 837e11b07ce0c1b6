// Issues and withdraws tokens. Requires the secret that they are derived from.
import { isAgentName } from 'blazon/adl'
import { generationOf, secretOf, withdraw } from '../access/admit.ts'
import { isAgent, isDefinition, isHolder } from '../access/holders.ts'
import type { Call } from '../access/route.ts'
import { isScope, SCOPES, type Scope, tokenOf } from '../access/token.ts'
import { json } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { publicOrigins } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'

const MOST_HOLDERS = 100
/** For each scope, the holders that a token may have in addition to a name. */
const HOLDERS: Readonly<Partial<Record<Scope, (holder: string) => boolean>>> = {
  'publish-one': isAgent,
  'read-one': isDefinition,
}

/** `POST /v1/tokens`: `{ "scope": "publish", "holders": [...] }` issues a token for each holder. */
export async function giveTokens({ env, body }: Call): Promise<Response> {
  const { scope, holders } = objectIn(body)
  if (!isScope(scope)) throw new Problem('bad-request', `Expected one of ${SCOPES.join(', ')} as the member scope.`)
  const mayHold = HOLDERS[scope] ?? isAgentName
  const [secret, origin] = [secretOf(env)!, publicOrigins(env)[0]!]
  const tokens = await Promise.all(
    holdersIn(holders, mayHold).map(async (holder) => {
      const generation = await generationOf(env, holder)
      return [holder, await tokenOf(secret, origin, { scope, holder, generation })] as const
    }),
  )
  return json({ tokens: Object.fromEntries(tokens) })
}

/**
 * `DELETE /v1/tokens?holder=HOLDER`: withdraws all tokens of each holder; tokens issued afterwards are different. Peers of
 * the holder's agent are disconnected and must connect again.
 */
export async function withdrawTokens({ url, env }: Call): Promise<Response> {
  const withdrawn = holdersIn(url.searchParams.getAll('holder'), isHolder)
  await withdraw(env, withdrawn)
  return json({ withdrawn })
}

function holdersIn(holders: unknown, mayHold: (holder: string) => boolean): readonly string[] {
  const isList = Array.isArray(holders) && holders.length > 0 && holders.length <= MOST_HOLDERS
  const isOne = (holder: unknown) => typeof holder === 'string' && mayHold(holder)
  if (isList && holders.every(isOne)) return holders
  throw new Problem(
    'bad-request',
    `Expected 1 to ${MOST_HOLDERS} holders: ids of agents (agent://...) or paths of definitions (/agents/NAME) for publish-one, paths for read-one, and otherwise names of a-z, 0-9, ".", "_" and "-".`,
  )
}
