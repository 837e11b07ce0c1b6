// The Worker, with an object that keeps tasks and lets time pass: `GET /retention`.
import { documents, type Env } from '../../edge/env.ts'
import { Given } from '../../edge/gateway/tasks/given.ts'
import { Outbox } from '../../edge/gateway/tasks/outbox.ts'
import { DEFAULTS } from '../../edge/gateway/tasks/settings.ts'
import { TaskStore } from '../../edge/gateway/tasks/store.ts'
import { Swarms } from '../../edge/gateway/tasks/swarm.ts'
import { Tasks } from '../../edge/gateway/tasks/tasks.ts'
import { Documents as Kept } from '../../edge/objects/documents.ts'
import worker from '../../edge/worker.ts'

export { Agent } from '../../edge/objects/agent.ts'
export { DirectoryMap } from '../../edge/objects/directory-map.ts'
export { DirectoryShard } from '../../edge/objects/directory-shard.ts'
export { Gateway } from '../../edge/objects/gateway.ts'
export { Moderation } from '../../edge/objects/moderation.ts'
export { Sender } from '../../edge/objects/sender.ts'

const DAY = 86_400_000
const ALICE = { name: 'agent:alice.example.net', peer: undefined }
const bytesOf = (value: object) => new TextEncoder().encode(JSON.stringify(value))

export class Documents extends Kept {
  retention() {
    const { sql } = this.ctx.storage
    const store = new TaskStore(sql)
    const outbox = new Outbox(sql, { deliver: async () => ({}), plan: async () => undefined })
    const tasks = new Tasks({ store, outbox, settings: () => DEFAULTS })
    const swarms = new Swarms(sql)
    const now = Date.now()
    const add = (task: string, age: number) => {
      const own = { caller: ALICE.name, task, input: '1', message: null, key: null, digest: '', place: '' }
      return store.add({ ...own, callback: 'https://alice.example.net/x' }, now - age * DAY)!
    }
    const over = (task: string, age: number) => store.move(add(task, age), 'completed', now - age * DAY, { result: 1 })
    for (const [task, age] of [
      ['open for 31', 31],
      ['open for 29', 29],
    ] as const)
      add(task, age)
    for (const [task, age] of [
      ['over for 8', 8],
      ['over for 6', 6],
    ] as const)
      over(task, age)
    const body = bytesOf({ agent: ALICE.name, task: 'swarm' })
    swarms.join(body, ALICE)
    tasks.sweep(now)
    const kept = tasks.list(0, 20, undefined).map(({ task, state, outcome }) => [task, state, outcome])
    const members = (age: number) => {
      swarms.sweep(now + age * DAY)
      return swarms.of('swarm', null).length
    }
    return {
      kept,
      tasks: store.size,
      told: outbox.state.waiting,
      members: [members(6), members(8)],
      given: this.#given(now),
    }
  }

  #given(now: number): number[] {
    const { sql } = this.ctx.storage
    const outbox = new Outbox(sql, { deliver: async () => ({}), plan: async () => undefined })
    const given = new Given(sql, { outbox, findPeer: () => Promise.reject(), taker: () => null })
    const add =
      "INSERT INTO given (id, agent, task, input, state, created, changed) VALUES (?, 'agent:b.example', 'x', '1', 'given', ?, ?)"
    for (const age of [31, 29]) sql.exec(add, String(age), now - age * DAY, now - age * DAY)
    given.sweep(now)
    return given.list(0, 10).map(({ id }) => Number(id))
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    if (new URL(request.url).pathname !== '/retention') return worker.fetch(request, env)
    const stub: unknown = documents(env)
    return Response.json(await (stub as { retention(): Promise<object> }).retention())
  },
}
