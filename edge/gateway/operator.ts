// The operator's API for an agent's gateway: its state, the messages it received, sending messages, and who may speak
// to it.
import type { ContentType, MessageType } from 'blazon/agp'
import { isDomain } from 'blazon/wellknown'
import type { Call } from '../access/route.ts'
import { nameOf } from '../agents/find.ts'
import { MODES, type Verdict } from '../contracts/gateway.ts'
import { gatewayStub } from '../env.ts'
import { json } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { Problem } from '../http/problem.ts'
import { integer, pageIn } from '../http/query.ts'

const PAGE = 100
/** Leaves room in a message for the signatures and for names of 253 characters. */
const MOST_BYTES = 260_000
const DAY = 86_400
const MOST_DAYS = 7
/** The lifetime of a message that should go out at once. */
const LEAST_MS = 60_000
const MOST_NAMES = 500
const TYPES: readonly unknown[] = ['chat', 'task']
const CONTENT_TYPES: readonly unknown[] = ['text/plain', 'text/html', 'application/json']
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** The object of the agent that a call is for. */
const gatewayOf = (call: Call<'name'>) => gatewayStub(call.env, nameOf(call))

/** `GET /v1/agents/{name}/state`. */
export async function readState(call: Call<'name'>): Promise<Response> {
  return json(await gatewayOf(call).state())
}

/**
 * `GET /v1/agents/{name}/messages?after=N`: the messages that the agent received, as they were signed, in order of
 * arrival.
 */
export async function readMessages(call: Call<'name'>): Promise<Response> {
  const gateway = gatewayOf(call)
  const rows = await gateway.messages(pageIn(call.url.searchParams, PAGE))
  const messages = rows.map(({ seq, about, at, text }) => ({ seq, agent: about, at: new Date(at).toISOString(), text }))
  return json({ messages })
}

/** `DELETE /v1/agents/{name}/messages?through=N`: removes the messages that the operator has taken. */
export async function removeMessages(call: Call<'name'>): Promise<Response> {
  const gateway = gatewayOf(call)
  const through = integer(call.url.searchParams, 'through', 0, 999_999_999)
  if (through === undefined)
    throw new Problem('bad-request', 'Expected the number of the last message as the parameter through.')
  return json({ removed: await gateway.removeThrough(through) })
}

/** `POST /v1/agents/{name}/messages`: sends a message to an agent, now or when it connects within `retainSeconds`. */
export async function sendMessage(call: Call<'name'>): Promise<Response> {
  const gateway = gatewayOf(call)
  const members = objectIn(call.body, ['to', 'type', 'content', 'contentType', 'replyTo', 'retainSeconds'])
  const { to, type = 'chat', content, contentType = 'text/plain', replyTo, retainSeconds = DAY } = members
  const isRight =
    typeof content === 'string' &&
    TYPES.includes(type) &&
    CONTENT_TYPES.includes(contentType) &&
    (replyTo === undefined || (typeof replyTo === 'string' && UUID.test(replyTo))) &&
    typeof retainSeconds === 'number' &&
    retainSeconds >= 0 &&
    retainSeconds <= MOST_DAYS * DAY
  if (!isRight)
    throw new Problem(
      'bad-request',
      `Expected a message with content; type, contentType and replyTo as in ADP/1.1; retainSeconds of at most ${MOST_DAYS * DAY}.`,
    )
  const message = {
    type: type as MessageType,
    content,
    contentType: contentType as ContentType,
    ...(replyTo !== undefined && { replyTo }),
  }
  if (new TextEncoder().encode(JSON.stringify(message)).length > MOST_BYTES)
    throw new Problem('body-too-large', `A message has at most ${MOST_BYTES} bytes of content.`, {
      members: { limit: MOST_BYTES },
    })
  const [name, id] = [nameOf(call), crypto.randomUUID()]
  const until = Date.now() + Math.max(LEAST_MS, retainSeconds * 1000)
  const outcome = await gateway.say(name, { id, to: agentIn(to), content: message, until }, retainSeconds === 0)
  if (outcome === 'kept') return json({ id }, 202)
  if (outcome === 'gone') throw new Problem('not-found', `Nothing was published as ${name}.`)
  if (outcome === 'self') throw new Problem('bad-request', 'An agent cannot send messages to itself.')
  if (outcome === 'full') throw new Problem('full', 'The queue of messages is full.')
  if (outcome === 'shut-out') throw new Problem('forbidden', 'This agent is not allowed, so it gets no messages.')
  throw new Problem('not-found', 'This agent has no open conversation.')
}

/** `GET /v1/agents/{name}/speakers`. */
export async function readSpeakers(call: Call<'name'>): Promise<Response> {
  return json(await gatewayOf(call).speakers())
}

/** `POST /v1/agents/{name}/speakers`: `{ "speakers": "list", "allow": [...], "block": [...], "forget": [...] }`. */
export async function changeSpeakers(call: Call<'name'>): Promise<Response> {
  const gateway = gatewayOf(call)
  const members = objectIn(call.body, ['speakers', 'allow', 'block', 'forget'])
  const { speakers } = members
  const mode = MODES.find((one) => one === speakers)
  if (speakers !== undefined && mode === undefined)
    throw new Problem('bad-request', `Expected one of ${MODES.join(', ')} as the member speakers.`)
  const verdicts = [
    ...readVerdicts(members['allow'], 'allowed'),
    ...readVerdicts(members['block'], 'blocked'),
    ...readVerdicts(members['forget'], null),
  ]
  if (verdicts.length > MOST_NAMES) throw new Problem('bad-request', `Expected at most ${MOST_NAMES} agents.`)
  if (await gateway.letSpeak(mode, verdicts)) return json(await gateway.speakers())
  throw new Problem('full', 'The limit of remembered agents is reached.')
}

function readVerdicts(list: unknown = [], verdict: Verdict | null): readonly (readonly [string, Verdict | null])[] {
  if (!Array.isArray(list))
    throw new Problem('bad-request', 'Expected lists of agents as the members allow, block and forget.')
  return list.map((agent) => [agentIn(agent), verdict] as const)
}

function agentIn(text: unknown): string {
  const domain = typeof text === 'string' ? /^agent:([^/]+)$/.exec(text)?.[1] : undefined
  if (domain !== undefined && isDomain(domain)) return `agent:${domain.toLowerCase()}`
  throw new Problem('bad-request', 'Expected an agent as agent: and its domain, such as agent:bob.example.com.')
}
