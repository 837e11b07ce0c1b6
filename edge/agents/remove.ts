import { isAgentUri } from 'blazon/card'
import type { Call } from '../access/route.ts'
import { idOfName } from '../directory/catalog-entry.ts'
import { describe } from '../directory/service.ts'
import { json } from '../http/answer.ts'
import { Problem } from '../http/problem.ts'
import { refuseOtherParameters } from '../http/query.ts'
import { decide } from '../moderation/decide.ts'
import { reasonOf } from '../moderation/rules.ts'
import { idForm } from '../moderation/subjects.ts'
import { nameShown } from './name.ts'

/**
 * `DELETE /agents/{name}?reason=...`: takes the card of an agent down. Its id is then blocked and answers 410 with the
 * reason, until a rule allows it again.
 */
export async function removeAgent({ url, env, parts: { name } }: Call<'name'>): Promise<Response> {
  refuseOtherParameters(url.searchParams, { reason: 'once' })
  const id = idOfName(name)
  if (!isAgentUri(id)) throw new Problem('not-found', `${nameShown(name)} is not the name of an agent.`)
  const wrong = (expected: string) =>
    new Problem('bad-request', `The parameter reason: expected ${expected}.`, { members: { parameter: 'reason' } })
  const reason = reasonOf(url.searchParams.get('reason') ?? '', (_, expected) => wrong(expected))
  if (reason.trim() === '') throw wrong('why the card is taken down; it is shown to anyone who asks for the card')
  const { status } = await describe(env, id, {})
  const at = Date.now()
  await decide(env, [{ of: 'id', value: idForm(id), verdict: 'block', reason, at }])
  const body = { id, removed: status === 'OK', reason, at: new Date(at).toISOString() }
  return json(body)
}
