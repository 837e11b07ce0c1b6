// An agent's own side of its gateway: its state, what it was told, what it says, and who may speak to it.
import { buildMessage, type ContentType, type MessageType } from 'blazon/agp'
import { isDomain } from 'blazon/wellknown'
import { gatewayStub } from '../env.ts'
import { objectIn, refuseOtherMembers } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { integer, refuseOtherParameters } from '../http/query.ts'
import type { Call } from '../http/route.ts'
import { nameOf } from '../identity/publish.ts'
import type { Verdict } from './store.ts'

const PAGE = 100
const MOST_NAMES = 500
const TYPES: readonly unknown[] = ['chat', 'task']
const CONTENT_TYPES: readonly unknown[] = ['text/plain', 'text/html', 'application/json']
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

const json = (body: unknown) => Response.json(body, { headers: apiHeaders({}) })

/** `GET /v1/agents/{name}/state`. */
export async function readState(call: Call<'name'>): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  return json(await gatewayStub(call.env, nameOf(call)).state())
}

/** `GET /v1/agents/{name}/messages?after=N`: what the agent was told, as it was signed, in the order in which it came. */
export async function readMessages(call: Call<'name'>): Promise<Response> {
  const { searchParams } = call.url
  refuseOtherParameters(searchParams, { after: 'once', limit: 'once' })
  const limit = integer(searchParams, 'limit', 1, PAGE) ?? PAGE
  const after = integer(searchParams, 'after', 0, 999_999_999) ?? 0
  const rows = await gatewayStub(call.env, nameOf(call)).messages(after, limit)
  const messages = rows.map(({ seq, agent, at, text }) => ({ seq, agent, at: new Date(at).toISOString(), text }))
  return json({ messages })
}

/** `DELETE /v1/agents/{name}/messages?through=N`: those were taken. */
export async function removeMessages(call: Call<'name'>): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, { through: 'once' })
  const through = integer(call.url.searchParams, 'through', 0, 999_999_999)
  if (through === undefined)
    throw new Problem('bad-request', 'The parameter through is the number of the last message.')
  return json({ removed: await gatewayStub(call.env, nameOf(call)).removeThrough(through) })
}

/** `POST /v1/agents/{name}/messages`: says something to an agent that has a conversation with this one. */
export async function sendMessage(call: Call<'name'>): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  const members = objectIn(call.body)
  refuseOtherMembers(members, ['to', 'type', 'content', 'contentType', 'replyTo'])
  const { to, type = 'chat', content, contentType = 'text/plain', replyTo } = members
  const isRight =
    typeof content === 'string' &&
    TYPES.includes(type) &&
    CONTENT_TYPES.includes(contentType) &&
    (replyTo === undefined || (typeof replyTo === 'string' && UUID.test(replyTo)))
  if (!isRight)
    throw new Problem('bad-request', 'A message has content; type, contentType and replyTo are as in ADP/1.1.')
  const utterance = {
    type: type as MessageType,
    content,
    contentType: contentType as ContentType,
    ...(replyTo !== undefined && { replyTo }),
  }
  const { id, timestamp } = buildMessage({ from: '', to: '', content: '' })
  if (await gatewayStub(call.env, nameOf(call)).say(agentIn(to), { ...utterance, id, timestamp })) return json({ id })
  throw new Problem('not-found', 'This agent has no conversation here.')
}

/** `GET /v1/agents/{name}/speakers`. */
export async function readSpeakers(call: Call<'name'>): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  return json(await gatewayStub(call.env, nameOf(call)).speakers())
}

/** `POST /v1/agents/{name}/speakers`: `{ "speakers": "list", "allow": [...], "block": [...], "forget": [...] }`. */
export async function changeSpeakers(call: Call<'name'>): Promise<Response> {
  refuseOtherParameters(call.url.searchParams, {})
  const members = objectIn(call.body)
  refuseOtherMembers(members, ['speakers', 'allow', 'block', 'forget'])
  const { speakers } = members
  if (speakers !== undefined && speakers !== 'anyone' && speakers !== 'list')
    throw new Problem('bad-request', 'The member speakers is anyone or list.')
  const verdicts = [
    ...named(members['allow'], 'allowed'),
    ...named(members['block'], 'blocked'),
    ...named(members['forget'], null),
  ]
  if (verdicts.length > MOST_NAMES) throw new Problem('bad-request', `At most ${MOST_NAMES} agents are named at once.`)
  const gateway = gatewayStub(call.env, nameOf(call))
  if (await gateway.letSpeak(speakers, verdicts)) return json(await gateway.speakers())
  throw new Problem('full', 'As many agents are known here as there may be.')
}

function named(list: unknown = [], verdict: Verdict | null): readonly (readonly [string, Verdict | null])[] {
  if (!Array.isArray(list)) throw new Problem('bad-request', 'The members allow, block and forget are lists of agents.')
  return list.map((agent) => [agentIn(agent), verdict] as const)
}

function agentIn(text: unknown): string {
  const domain = typeof text === 'string' ? /^agent:([^/]+)$/.exec(text)?.[1] : undefined
  if (domain !== undefined && isDomain(domain)) return `agent:${domain.toLowerCase()}`
  throw new Problem('bad-request', 'An agent is agent: and its domain, as in agent:bob.example.com.')
}
