// An agent at the Worker under load, killed again and again: messages, tasks, callbacks, invitations. What was acknowledged is there
// once; what was given to somebody is given to nobody else; nothing that was taken is taken again.
import { connect, type WebSocketClass } from '../../bindings/agp/index.ts'
import type { OraclePair } from '../agp/oracle.ts'
import { signedHeaders } from '../agp/signing.ts'
import { finder, socketsWith } from '../agp/sockets.ts'
import { type Asked, ask } from '../support/ask.ts'
import { operator } from './tokens.ts'
import { HERE, OWN, startWorld, type World } from './world.ts'

export interface Plan {
  readonly kills: number
  /** Milliseconds, from and to, that the Worker lives under load. */
  readonly life: readonly [number, number]
  readonly random: () => number
}

export interface Outcome {
  readonly messages: number
  readonly tasks: number
  readonly callbacks: number
  readonly invitations: number
  readonly replays: number
  readonly flaws: readonly string[]
}

const BOB = 'bob.example.net'
const CALLERS = ['alice', 'carol', 'dora', 'erin']
const AT_ONCE = 8
const PATIENCE_MS = 60_000
const PLENTY = { requestsPerMinute: 1_000_000, burstSize: 1_000_000 }

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

interface SignedRequest {
  readonly headers: Record<string, string>
  readonly body: string
}

interface Task {
  readonly id: string
  readonly callback: string
}

class Ordeal {
  readonly #world: World
  readonly #bob: OraclePair
  readonly #callers: readonly OraclePair[]
  readonly acked = new Set<string>()
  readonly tasks = new Map<string, Task>()
  readonly completed = new Set<string>()
  readonly flaws: string[] = []
  /** Requests that were taken, as they were sent. */
  readonly taken: SignedRequest[] = []
  invitations = 0
  isOver = false

  constructor(world: World) {
    this.#world = world
    this.#bob = world.callers.at(-1)!
    this.#callers = world.callers.slice(0, -1)
  }

  async load(): Promise<void> {
    const [alice, carol, dora, erin] = this.#callers as [OraclePair, OraclePair, OraclePair, OraclePair]
    await Promise.all([
      ...[alice, carol, dora].map((caller) => this.#speak(caller)),
      ...[alice, carol, dora, erin].map((caller) => this.#giveTasks(caller)),
      this.#complete(),
      this.#invite(carol, dora),
    ])
  }

  /** To the Worker, whichever process that is just now; undefined when nothing came of it. */
  async #ask(path: string, given: Asked): Promise<{ readonly status: number; readonly text: string } | undefined> {
    const answer = await ask(this.#world.origin() + path, given).catch(() => undefined)
    if (answer === undefined) await pause(20)
    return answer
  }

  readonly #operate = (path: string, method = 'GET', body?: object) =>
    this.#ask(path, { host: OWN, headers: operator(HERE), method, ...(body !== undefined && { body }) })

  #signed(by: OraclePair, path: string, value: object, more: Record<string, string> = {}): SignedRequest {
    const body = JSON.stringify(value)
    const signature = signedHeaders({ method: 'POST', url: `https://${BOB}${path}`, body }, by)
    return { body, headers: { 'content-type': 'application/json', ...more, ...signature } }
  }

  /** A conversation that goes on with the next process. */
  async #speak(caller: OraclePair): Promise<void> {
    const world = this.#world
    const Socket = socketsWith({ host: BOB })
    const WebSocket: WebSocketClass = class extends Socket {
      constructor() {
        super(`${world.origin().replace('http', 'ws')}/agent/chat`)
      }
    }
    while (!this.isOver) {
      const connected = await connect(this.#bob.uri, {
        key: caller.pem,
        as: caller.uri,
        discover: finder([{ pair: this.#bob, chat: `wss://${BOB}/agent/chat` }]),
        onMessage: () => {},
        WebSocket,
        ackSeconds: 120,
      })
      if (!connected.ok) await pause(50)
      else {
        const { conversation } = connected
        const say = async () => {
          while (!this.isOver) {
            const sent = await conversation.send({ content: 'x'.repeat(200) })
            if (sent.ok) this.acked.add(sent.id)
            else return
          }
        }
        await Promise.all(Array.from({ length: AT_ONCE }, say))
        await conversation.close()
      }
    }
  }

  /** Each until it is taken, under one key: it is one task, however often it was sent. */
  async #giveTasks(caller: OraclePair): Promise<void> {
    const host = caller.uri.slice('agent:'.length)
    for (let n = 0; !this.isOver; n++) {
      const key = `${host}-${n}`
      const callback = `https://${host}/done/${n}`
      const give = () =>
        this.#signed(caller, '/agent/tasks', { task: 'count', input: { n }, callback }, { 'idempotency-key': key })
      for (;;) {
        const sent = give()
        const answer = await this.#ask('/agent/tasks', { host: BOB, method: 'POST', ...sent })
        if (answer?.status === 202) {
          const { id } = JSON.parse(answer.text)
          this.tasks.set(key, { id, callback })
          this.taken.push(sent)
          break
        }
        if (answer !== undefined && answer.status < 500 && answer.status !== 401 && answer.status !== 429) {
          this.flaws.push(`task ${key}: ${answer.status} ${answer.text}`)
          return
        }
        if (this.isOver) return
        await pause(20)
      }
      if (n % 10 === 9) await this.#giveAgain(key, give())
    }
  }

  async #giveAgain(key: string, sent: SignedRequest): Promise<void> {
    const answer = await this.#ask('/agent/tasks', { host: BOB, method: 'POST', ...sent })
    if (answer?.status !== 202) return
    const { id } = JSON.parse(answer.text)
    if (id !== this.tasks.get(key)!.id) this.flaws.push(`task ${key} was taken twice`)
  }

  async #complete(): Promise<void> {
    while (!this.isOver) {
      for (const [key, { id }] of this.tasks) {
        if (this.isOver) return
        if (!this.completed.has(key)) await this.#completeOne(key, id)
      }
      await pause(20)
    }
  }

  async #completeOne(key: string, id: string): Promise<void> {
    const answer = await this.#operate(`/v1/agents/bob/tasks/${id}`, 'POST', { state: 'completed', result: key })
    // 409: it was completed by a request whose answer was lost.
    if (answer?.status === 200 || answer?.status === 409) this.completed.add(key)
    else if (answer?.status === 404) this.flaws.push(`task ${key} is lost`)
  }

  /** Two want the one use at the same time. */
  async #invite(first: OraclePair, second: OraclePair): Promise<void> {
    while (!this.isOver) {
      const made = await this.#operate('/agents/bob/invitations', 'POST', {})
      if (made?.status !== 201) continue
      const { code } = JSON.parse(made.text).invitation.invite
      const redeem = async (by: OraclePair) =>
        (
          await this.#ask('/agent/invite', {
            host: BOB,
            method: 'POST',
            ...this.#signed(by, '/agent/invite', { code }),
          })
        )?.status
      const both = await Promise.all([redeem(first), redeem(second)])
      const given = both.filter((status) => status === 200).length
      const again = await redeem(first)
      if (given > 1 || (given === 1 && again === 200))
        this.flaws.push(`an invitation was redeemed twice: ${both} ${again}`)
      if (given === 1) this.invitations++
      await pause(30)
    }
  }

  /** After a kill: what was taken by the process before is taken by none after it. */
  async replay(random: () => number): Promise<number> {
    const all = Array.from({ length: 5 }, () => this.taken[Math.floor(random() * this.taken.length)]).filter(
      (one) => one !== undefined,
    )
    for (const sent of all) {
      const answer = await this.#ask('/agent/tasks', { host: BOB, method: 'POST', ...sent })
      if (answer?.status === 202) this.flaws.push('a request was taken twice')
    }
    return all.length
  }

  async judge(): Promise<void> {
    const until = Date.now() + PATIENCE_MS
    for (const [key, { id }] of this.tasks)
      while (!this.completed.has(key) && Date.now() < until && this.flaws.length === 0) await this.#completeOne(key, id)
    await this.#judgeMessages()
    await this.#judgeTasks()
    await this.#judgeCallbacks(until)
  }

  async #judgeMessages(): Promise<void> {
    const kept = new Map<string, number>()
    for (let after = 0; ; ) {
      const { messages } = await this.#world.json(`/v1/agents/bob/messages?after=${after}&limit=100`)
      for (const { seq, text } of messages as { seq: number; text: string }[]) {
        const { id } = JSON.parse(text)
        kept.set(id, (kept.get(id) ?? 0) + 1)
        after = seq
      }
      if (messages.length === 0) break
    }
    for (const id of this.acked) if (!kept.has(id)) this.flaws.push(`message ${id} was acknowledged and is lost`)
    for (const [id, times] of kept) if (times > 1) this.flaws.push(`message ${id} is there ${times} times`)
  }

  async #judgeTasks(): Promise<void> {
    const ids = new Set([...this.tasks.values()].map(({ id }) => id))
    if (ids.size !== this.tasks.size) this.flaws.push('two tasks have one id')
    for (const [key, { id }] of this.tasks) {
      const { state, result } = await this.#world.json(`/v1/agents/bob/tasks/${id}`)
      if (state !== 'completed' || result !== key) this.flaws.push(`task ${key} is ${state}`)
    }
  }

  async #judgeCallbacks(until: number): Promise<void> {
    const missing = () => {
      const arrived = new Set(this.#world.sent.map(({ url, body }) => `${url} ${JSON.parse(body).of}`))
      return [...this.tasks.values()].filter(({ id, callback }) => !arrived.has(`${callback} ${id}`))
    }
    while (missing().length > 0 && Date.now() < until) await pause(200)
    for (const { id } of missing()) this.flaws.push(`the callback of task ${id} was forgotten`)
  }
}

export async function ordealOfAgents({ kills, life, random }: Plan, tell: (line: string) => void): Promise<Outcome> {
  const inhabitants = [...CALLERS.map((label) => ({ label })), { label: 'bob', here: 'bob' }]
  const world = await startWorld(inhabitants)
  try {
    world.answer((_, response) => response.writeHead(204).end())
    await world.at('/v1/agents/bob', { method: 'PUT', body: { host: BOB } })
    const endpoints = { chat: `wss://${BOB}/agent/chat`, tasks: `https://${BOB}/agent/tasks` }
    const body = { name: 'Bob', endpoints, rateLimit: PLENTY }
    const { status, text } = await world.at('/agents/bob/agent.json', { method: 'POST', body })
    if (status !== 201) throw new Error(text)
    const ordeal = new Ordeal(world)
    const load = ordeal.load()
    let replays = 0
    for (let kill = 1; kill <= kills; kill++) {
      const [least, most] = life
      await pause(least + random() * (most - least))
      await world.restart()
      replays += await ordeal.replay(random)
      tell(`kill ${kill}: ${ordeal.acked.size} messages, ${ordeal.tasks.size} tasks, ${ordeal.flaws.length} flaws`)
    }
    await pause(life[1])
    ordeal.isOver = true
    await load
    await ordeal.judge()
    const { acked, tasks, completed, invitations, flaws } = ordeal
    return { messages: acked.size, tasks: tasks.size, callbacks: completed.size, invitations, replays, flaws }
  } finally {
    await world.end()
  }
}
