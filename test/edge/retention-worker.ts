// The Worker, with an object that stores tasks and moves time forward: `GET /retention`.
import { documents, type Env } from '../../edge/env.ts'
import { GatewayStore } from '../../edge/gateway/store.ts'
import { DelegatedTasks } from '../../edge/gateway/tasks/delegated-tasks.ts'
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

  /** Messages of an earlier deployment, which had no column for sizes, and as many new ones as a peer can send. */
  sizes() {
    const { sql } = this.ctx.storage
    sql.exec(`
      CREATE TABLE messages (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL
      );
      CREATE TABLE ids (agent TEXT, id TEXT, until INTEGER NOT NULL, PRIMARY KEY (agent, id)) WITHOUT ROWID;
    `)
    sql.exec("INSERT INTO messages (agent, at, text) VALUES ('agent:a.example', 1, '雪雪')")
    sql.exec("INSERT INTO ids VALUES ('agent:a.example', 'old', ?)", Date.now() + DAY)
    const store = new GatewayStore(sql)
    const old = {
      ...store.size,
      isKnown: store.has('agent:a.example', 'old'),
      digest: store.digestOf('a', 'old') ?? null,
    }
    const text = `${'x'.repeat(262_000)}雪`
    for (let i = 0; i < 100; i++)
      if (!store.put('agent:a.example', { id: String(i), text, digest: 'd', now: new Date() })) throw new Error('full')
    const full = store.size.bytes
    const pages: number[] = []
    for (let after = 0; ; ) {
      const page = store.messages(after, 100)
      if (page.length === 0) break
      pages.push(page.length)
      after = page.at(-1)!.seq
    }
    const again = new GatewayStore(sql).size.bytes
    store.removeThrough(1000)
    const tasks = new TaskStore(sql)
    const own = { caller: ALICE.name, task: 'x', input: '"雪雪雪"', message: null, key: null, digest: '', place: '' }
    tasks.move(tasks.add({ ...own, callback: null }, 1)!, 'completed', 1, { result: '雪' })
    const sums = sql.exec<{ bytes: number }>('SELECT bytes FROM tasks WHERE created = 1').one().bytes
    return { old, full, again, left: store.size.bytes, pages, sums }
  }

  #given(now: number): number[] {
    const { sql } = this.ctx.storage
    const outbox = new Outbox(sql, { deliver: async () => ({}), plan: async () => undefined })
    const given = new DelegatedTasks(sql, { outbox, findPeer: () => Promise.reject(), taker: () => null })
    const add =
      "INSERT INTO given (id, agent, task, input, state, created, changed) VALUES (?, 'agent:b.example', 'x', '1', 'given', ?, ?)"
    for (const age of [31, 29]) sql.exec(add, String(age), now - age * DAY, now - age * DAY)
    given.sweep(now)
    return given.list(0, 10).map(({ id }) => Number(id))
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url)
    const stub = documents(env) as unknown as { retention(): Promise<object>; sizes(): Promise<object> }
    if (pathname === '/retention') return Response.json(await stub.retention())
    return pathname === '/sizes' ? Response.json(await stub.sizes()) : worker.fetch(request, env)
  },
}
