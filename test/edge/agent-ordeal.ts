// Stress test for an agent at the Worker: continuous messages, tasks and invitations, and a runtime that is killed
// repeatedly. Everything acknowledged must exist afterwards, exactly once, and a taken message must not be taken again.
import { randomBytes, randomUUID } from 'node:crypto'
import { jcs, type OraclePair, type Said, signed } from '../agp/oracle.ts'
import { signedHeaders } from '../agp/signing.ts'
import { type Raw, raw } from '../agp/sockets.ts'
import { startWorld, type World } from './world.ts'

const BOB = 'bob.example.com'
const LABELS = ['alice', 'carol', 'dora', 'eric']
const ENOUGH_MS = 240_000
/** Messages in transit of one caller. */
const AT_ONCE = 4
const PAGE = 100
const MUCH = { requestsPerMinute: 1_000_000, burstSize: 100_000 }

export interface Plan {
  readonly kills: number
  /** The number of acknowledgements between a start and the kill: from the first number up to the second. */
  readonly life: readonly [number, number]
  readonly random: () => number
}

export interface Tally {
  kills: number
  messages: number
  tasks: number
  redeemed: number
  results: number
  replays: number
  /** Violations that must never happen. */
  readonly flaws: string[]
}

interface Known {
  readonly world: World
  readonly plan: Plan
  readonly tally: Tally
  /** Acknowledged messages that the agent has not taken yet, by id. */
  readonly acked: Map<string, { readonly message: Said; readonly of: OraclePair }>
  /** Ids that were seen and taken: they must never appear again. */
  readonly taken: Set<string>
  readonly tasks: Set<string>
  /** Tasks whose completion was acknowledged: their results must arrive. */
  readonly ended: Set<string>
  readonly codes: Set<string>
  /** The last accepted request of each caller, as it was sent. */
  readonly requests: Map<OraclePair, { readonly headers: Record<string, string>; readonly body: string }>
  isKilled: boolean
}

export async function ordeal(plan: Plan, say: (line: string) => void = () => {}): Promise<Tally> {
  const tally: Tally = { kills: 0, messages: 0, tasks: 0, redeemed: 0, results: 0, replays: 0, flaws: [] }
  const world = await startWorld(
    LABELS.map((label) => ({ label, endpoints: { tasks: `https://${label}.example.net/agent/tasks` } })),
  )
  world.answer((_, response) => response.writeHead(204).end())
  const sets = {
    taken: new Set<string>(),
    tasks: new Set<string>(),
    ended: new Set<string>(),
    codes: new Set<string>(),
  }
  const known: Known = { world, plan, tally, acked: new Map(), requests: new Map(), ...sets, isKilled: false }
  try {
    await publish(world)
    while (tally.kills < plan.kills) {
      await oneLife(known)
      await inspect(known)
      const { flaws, ...figures } = tally
      say(`${JSON.stringify(figures)}, ${flaws.length} flaws`)
    }
    await allResults(known)
    return tally
  } finally {
    await world.end()
  }
}

/**
 * The answers of an agent that allows 60 messages, and one more per minute: to 60 messages, and to 30 more after its
 * runtime died.
 */
export async function sayMoreAfterDeath(): Promise<{ before: unknown[]; after: unknown[] }> {
  const world = await startWorld([{ label: 'alice' }])
  const [alice] = world.callers
  const say = async (count: number) => {
    const socket = await greet(world, alice!)
    for (let i = 0; i < count; i++) socket.send(signed(said(alice!, 'chat', `${i}`), alice!))
    const told = []
    while (told.length < count) {
      const answer = await inTime('an answer', socket.next())
      if (answer.closed !== undefined) break
      told.push(JSON.parse(answer.body.content))
    }
    return told
  }
  try {
    await publish(world, { requestsPerMinute: 1, burstSize: 60 })
    const before = await say(60)
    await world.restart()
    return { before, after: await say(30) }
  } finally {
    await world.end()
  }
}

async function publish(world: World, rateLimit = MUCH): Promise<void> {
  await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
  const endpoints = { chat: `wss://${BOB}/agent/chat`, tasks: `https://${BOB}/agent/tasks` }
  const made = { name: 'Bob', endpoints, rateLimit }
  const { status, text } = await world.at('/agents/bob/agent.json', { method: 'POST', body: made })
  if (status !== 201) throw new Error(text)
}

/** All callers work until enough is acknowledged; then the runtime is killed while they work. */
async function oneLife(known: Known): Promise<void> {
  const { world, plan, tally } = known
  const [least, most] = plan.life
  const before = tally.messages + tally.tasks + tally.redeemed
  const enough = before + least + plan.random() * (most - least)
  known.isKilled = false
  const busy = [
    ...world.callers.map((of) => speak(known, of)),
    ...world.callers.map((of) => ask(known, of)),
    invite(known),
  ]
  const late = Date.now() + ENOUGH_MS
  while (tally.messages + tally.tasks + tally.redeemed < enough) {
    if (Date.now() > late) throw new Error(`nothing is acknowledged any more: ${JSON.stringify(tally)}`)
    await pause(3)
  }
  known.isKilled = true
  await inTime('the restart', world.restart())
  tally.kills++
  await inTime('the last requests', Promise.all(busy))
}

/** Errors caused by the death of the runtime are not flaws: nothing was acknowledged. */
async function untilKilled(known: Known, work: () => Promise<void>): Promise<void> {
  while (!known.isKilled) {
    try {
      await work()
    } catch (error) {
      if (!known.isKilled && !/ECONN|socket hang up|closed/.test(String(error))) throw error
      await pause(5)
    }
  }
}

const said = (of: OraclePair, type: string, content: string) => ({
  id: randomUUID(),
  from: of.uri,
  to: `agent:${BOB}`,
  type,
  timestamp: new Date().toISOString(),
  body: { content, contentType: type === 'chat' ? 'text/plain' : 'application/json' },
})

async function greet(world: World, of: OraclePair): Promise<Raw> {
  const socket = await inTime(
    'a handshake',
    raw(`${world.origin().replace('http', 'ws')}/agent/chat`, { headers: { host: BOB } }),
  )
  const nonce = randomBytes(16).toString('base64url')
  const hello = { hello: 1, agent: of.uri, fingerprint: of.fingerprint, protocol: 'ADP/1.1', nonce }
  socket.send(signed(said(of, 'system', jcs(hello)), of))
  const answer = await inTime('a hello', socket.next())
  if (answer.closed !== undefined) throw new Error('closed')
  socket.send(signed(said(of, 'ack', jcs({ ack: answer.id })), of))
  return socket
}

function speak(known: Known, of: OraclePair): Promise<void> {
  return untilKilled(known, async () => {
    const socket = await greet(known.world, of)
    try {
      while (!known.isKilled) {
        const messages = Array.from({ length: AT_ONCE }, (_, i) => signed(said(of, 'chat', `${i}`), of))
        for (const message of messages) socket.send(message)
        for (const _ of messages) await acked(known, of, messages, socket)
      }
    } finally {
      socket.close()
    }
  })
}

async function acked(known: Known, of: OraclePair, messages: readonly Said[], socket: Raw): Promise<void> {
  const answer = await inTime('a message', socket.next())
  if (answer.closed !== undefined) throw new Error('closed')
  const { ack } = JSON.parse(answer.body.content)
  const message = messages.find(({ id }) => id === ack)
  if (message === undefined) known.tally.flaws.push(`${of.uri}: ${answer.body.content} in place of an ack`)
  else {
    known.acked.set(message.id, { message, of })
    known.tally.messages++
  }
}

async function requested(known: Known, path: string, value: object, of: OraclePair) {
  const body = JSON.stringify(value)
  const signature = signedHeaders({ method: 'POST', url: `https://${BOB}${path}`, body }, of)
  const headers = { 'content-type': 'application/json', ...signature }
  const answer = await known.world.at(path, { method: 'POST', host: BOB, headers, body })
  if (answer.status === 202) known.requests.set(of, { headers, body })
  return answer
}

/** Gives tasks, and completes every second one. */
function ask(known: Known, of: OraclePair): Promise<void> {
  const { world, tally } = known
  const callback = `https://${of.uri.slice(6)}/agent/webhook`
  return untilKilled(known, async () => {
    const { status, text } = await requested(known, '/agent/tasks', { task: 'x', input: 1, callback }, of)
    if (status !== 202) return void tally.flaws.push(`a task: ${status} ${text}`)
    const { id } = JSON.parse(text)
    known.tasks.add(id)
    if (tally.tasks++ % 2 === 0) return
    const end = { method: 'POST', body: { state: 'completed', result: id } }
    if ((await world.at(`/v1/agents/bob/tasks/${id}`, end)).status === 200) known.ended.add(id)
  })
}

function invite(known: Known): Promise<void> {
  const { world, tally } = known
  const [of] = world.callers
  return untilKilled(known, async () => {
    const made = await world.at('/agents/bob/invitations', { method: 'POST', body: {} })
    // The agent has as many open invitations as it may.
    if (made.status !== 201) return pause(50)
    const { code } = JSON.parse(made.text).invitation.invite
    const { status, text } = await requested(known, '/agent/invite', { code }, of!)
    if (status !== 200) return void tally.flaws.push(`an invitation: ${status} ${text}`)
    known.codes.add(code)
    tally.redeemed++
  })
}

async function inspect(known: Known): Promise<void> {
  const { world, tally, acked: expected } = known
  await replay(known)
  const found = new Map<string, number>()
  for (let after = 0; ; ) {
    const { messages } = await world.json(`/v1/agents/bob/messages?after=${after}`)
    for (const { text } of messages) {
      const { id } = JSON.parse(text)
      found.set(id, (found.get(id) ?? 0) + 1)
    }
    after = messages.at(-1)?.seq ?? after
    if (messages.length < PAGE) {
      await world.at(`/v1/agents/bob/messages?through=${after}`, { method: 'DELETE' })
      break
    }
  }
  for (const id of expected.keys()) if (!found.has(id)) tally.flaws.push(`message ${id} was acknowledged and is gone`)
  for (const [id, times] of found) {
    if (times > 1) tally.flaws.push(`message ${id} is there ${times} times`)
    if (known.taken.has(id)) tally.flaws.push(`message ${id} was taken, and came again`)
    known.taken.add(id)
  }
  expected.clear()
  for (const id of known.tasks) {
    const { status, text } = await world.at(`/v1/agents/bob/tasks/${id}`)
    const isEnded = known.ended.has(id)
    if (status !== 200 || (isEnded && JSON.parse(text).state !== 'completed'))
      tally.flaws.push(`task ${id}: ${status} ${text}`)
    if (!isEnded) known.tasks.delete(id)
  }
  for (const code of known.codes) {
    const { status } = await requested(known, '/agent/invite', { code }, world.callers[0]!)
    if (status !== 404) tally.flaws.push(`an invitation was redeemed twice: ${status}`)
  }
  known.codes.clear()
}

/** Repeats some acknowledged messages byte for byte: they must be acknowledged again, but not stored again. */
async function replay(known: Known): Promise<void> {
  for (const of of known.world.callers) {
    const own = [...known.acked.values()].filter((one) => one.of === of).slice(-AT_ONCE)
    const socket = await greet(known.world, of)
    for (const { message } of own) {
      socket.send(message)
      const answer = await inTime('a replay', socket.next())
      if (answer.body.content !== jcs({ ack: message.id })) known.tally.flaws.push(`a replay: ${answer.body.content}`)
      known.tally.replays++
    }
    socket.close()
    const request = known.requests.get(of)
    if (request === undefined) continue
    // Its nonce was used before, even if another process saw it.
    const { status } = await known.world.at('/agent/tasks', { method: 'POST', host: BOB, ...request })
    if (status !== 401) known.tally.flaws.push(`a request was taken again: ${status}`)
    known.tally.replays++
  }
}

/** Waits for each result. It must arrive at least once: a killed sender sends it again. */
async function allResults({ world, ended, tally }: Known): Promise<void> {
  const late = Date.now() + ENOUGH_MS
  const missing = () => {
    const came = new Set(world.sent.map(({ body }) => (body === '' ? undefined : JSON.parse(body).of)))
    return [...ended].filter((id) => !came.has(id))
  }
  while (missing().length > 0 && Date.now() < late) await pause(50)
  for (const id of missing()) tally.flaws.push(`the result of task ${id} never came`)
  tally.results = ended.size
}

/** Every caller gets an answer in time; a cut connection counts as one. */
async function inTime<Value>(what: string, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no end of ${what}`)), ENOUGH_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
