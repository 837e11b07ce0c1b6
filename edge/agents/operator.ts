// The operator's table: all agents, the host of each, and which are private.
import { withdraw } from '../access/admit.ts'
import { holderOfDefinition } from '../access/holders.ts'
import type { Call } from '../access/route.ts'
import { FORGOTTEN } from '../contracts/gateway.ts'
import type { Rule } from '../contracts/moderation.ts'
import { agentStub, documents, type Env, gatewayStub, moderation } from '../env.ts'
import { json, noContent } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { Problem } from '../http/problem.ts'
import { integer } from '../http/query.ts'
import { decide } from '../moderation/decide.ts'
import { formOf } from '../moderation/subjects.ts'
import { nameOf } from './find.ts'
import { hostInSetting, isHost } from './hosts.ts'
import { revokeAll } from './invitations.ts'

const PAGE = 1000
/** A day. A longer TTL for an agent's TXT record has no use. */
const MOST_TTL = 86_400
const DEFAULT_TTL = 3600

/** `GET /v1/agents?after=NAME`: the rows of the table, by name. */
export async function readTable({ url, env, bearer }: Call): Promise<Response> {
  const limit = integer(url.searchParams, 'limit', 1, PAGE) ?? PAGE
  // A token for exports reads only public rows.
  const isPrivateToo = bearer?.scope === 'operate'
  const rows = await documents(env).agentRows(url.searchParams.get('after') ?? '', limit, isPrivateToo)
  return json({ agents: rows.map(shown) })
}

const shown = ({ name, host, isPrivate }: { name: string; host: string | null; isPrivate: boolean }) => ({
  name,
  ...(host !== null && { host }),
  private: isPrivate,
})

/** `PUT /v1/agents/{name}`: `{ "host": "alice.example.com", "private": true }` replaces the row of the agent. */
export async function placeAgent(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  const { host = null, private: isPrivate = false } = objectIn(call.body, ['host', 'private'])
  if (typeof isPrivate !== 'boolean') throw new Problem('bad-request', 'Expected true or false as the member private.')
  if (host !== null && !(typeof host === 'string' && isHost(host)))
    throw new Problem('bad-request', 'Expected a host in lower case as the member host, such as alice.example.com.')
  const row = { name, host, isPrivate }
  const placed = await documents(call.env).placeAgent(row)
  if (placed === 'taken') throw new Problem('condition-failed', 'Another agent has this host: remove it there first.')
  if (placed === 'full') throw new Problem('full', 'The limit of published agents is reached.')
  await Promise.all([gatewayStub(call.env, name).changed(), hideCards(call.env, name)])
  return json(shown(row))
}

/**
 * `DELETE /v1/agents/{name}`: deletes everything stored for an agent, including its messages, tasks and keys. Ends its
 * conversations and withdraws every token for it. Can be repeated after an interruption.
 */
export async function forgetAgent(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  const { env } = call
  // The next agent under this name is another agent, so no token of this one may open it.
  await withdraw(env, [holderOfDefinition(name)])
  await revokeAll(env, name)
  const wasHere = await documents(env).forgetAgent(name)
  await Promise.all([forgetConversations(env, name), agentStub(env, name).forget(), hideCards(env, name)])
  if (wasHere) return noContent()
  throw new Problem('not-found', `Nothing was published as ${name}.`)
}

/** Erases the conversations, messages and tasks of an agent. Its object ends that with an error. */
async function forgetConversations(env: Env, name: string): Promise<void> {
  try {
    await gatewayStub(env, name).forget()
  } catch (error) {
    if (!String(error).includes(FORGOTTEN)) throw error
  }
}

/**
 * `POST /v1/agents/{name}/keys`: `{ "ttl": 3600 }` replaces the key after that time, `{ "compromised": true }` at once.
 */
export async function rotateKey(call: Call<'name'>): Promise<Response> {
  const name = nameOf(call)
  const { ttl = DEFAULT_TTL, compromised = false } = objectIn(call.body, ['ttl', 'compromised'])
  if (!Number.isInteger(ttl) || (ttl as number) < 0 || (ttl as number) > MOST_TTL)
    throw new Problem('bad-request', `Expected a number of seconds from 0 to ${MOST_TTL} as the member ttl.`)
  if (typeof compromised !== 'boolean')
    throw new Problem('bad-request', 'Expected true or false as the member compromised.')
  const rotated = await agentStub(call.env, name).rotate(name, ttl as number, compromised)
  const detail = 'The key comes from AGENT_KEYS or was not made here, or a next key already exists.'
  if (rotated === null) throw new Problem('condition-failed', detail)
  return json({ name, fingerprint: rotated.fingerprint, from: new Date(rotated.from).toISOString() })
}

/**
 * Hides the cards whose ids are the name or a host of an agent while it is private. Only the operator's settings count:
 * with its own metadata an agent could hide the cards of others.
 */
async function hideCards(env: Env, name: string): Promise<void> {
  const row = await documents(env).agentRow(name)
  const { rules } = await moderation(env).rules()
  const reason = `private: ${name}`
  const ids = row?.isPrivate === true ? idsOf(name, [row.host, hostInSetting(env, name)]) : []
  const blocked = rules.flatMap(({ of, value, verdict }) => (of === 'id' && verdict === 'block' ? [value] : []))
  const at = Date.now()
  const changes: readonly Rule[] = [
    ...rules
      .filter((rule) => rule.verdict === 'hide' && rule.reason === reason && !ids.includes(rule.value))
      .map((rule) => ({ ...rule, verdict: 'none' as const, at })),
    // Blocked ids stay blocked, with their reason. Hidden ids are announced again, because a shard may have missed
    // them.
    ...ids
      .filter((value) => !blocked.includes(value))
      .map((value) => ({ of: 'id' as const, value, verdict: 'hide' as const, reason, at })),
  ]
  if (changes.length > 0) await decide(env, changes)
}

function idsOf(name: string, hosts: readonly (string | null | undefined)[]): readonly string[] {
  const names = [name, ...hosts.flatMap((host) => (host == null ? [] : [host.replace(/:\d+$/, '')]))]
  return [...new Set(names.flatMap((one) => formOf('id', `agent://${one}`) ?? []))]
}
