// The Worker, with an object that stores tasks and moves time forward: `GET /retention`. `GET /stores` runs the cases of
// stores.ts.
import { SqlCardStore } from '../../edge/directory/card-store.ts'
import { documents, type Env } from '../../edge/env.ts'
import { AgentMemory } from '../../edge/gateway/callers.ts'
import { Messages } from '../../edge/gateway/outbox.ts'
import { TaskStore } from '../../edge/gateway/tasks/store.ts'
import { Swarms } from '../../edge/gateway/tasks/swarm.ts'
import { DelegatedTasks, Notifications, Tasks } from '../../edge/gateway/tasks/tasks.ts'
import { Documents as Kept } from '../../edge/objects/documents.ts'
import { Registry as RegistryStore } from '../../edge/objects/registry.ts'
import { Run as RunStore } from '../../edge/objects/runs.ts'
import type { Sql } from '../../edge/platform/types.ts'
import { Log } from '../../edge/storage/log.ts'
import worker from '../../edge/worker.ts'
import { CASES, type Stores } from './stores.ts'

export * from '../../edge/worker.ts'

const DAY = 86_400_000
const ALICE = { name: 'agent:alice.example.net', peer: undefined }
const bytesOf = (value: object) => new TextEncoder().encode(JSON.stringify(value))

export class Run extends RunStore {
  /** Runs the alarm as it will run after this many days. */
  async pass(days: number) {
    const state = this.kv.get<{ changed: number }>('run')!
    this.kv.put('run', { ...state, changed: state.changed - days * DAY })
    await this.alarm()
    return this.store.getAlarm()
  }

  /** What each case of the stores sees here. */
  async stores(): Promise<object> {
    const { sql, kv } = this.store
    let table = 0
    const stores: Stores = {
      cards: () => new SqlCardStore(sql, `cards${table++}`),
      outbox: () => new Messages(sql, `outbox${table++}`) as unknown as ReturnType<Stores['outbox']>,
      memory: () => new AgentMemory(sql),
      values: () => kv,
      blobs: () => this.env.BLOBS,
    }
    const seen: Record<string, unknown> = {}
    for (const [title, { run }] of Object.entries(CASES)) seen[title] = await run(stores)
    return seen
  }
}

export class Registry extends RegistryStore {
  /** Runs the alarm as it will run after this many minutes; returns the keys of what is in R2, and both alarms. */
  async pass(minutes: number) {
    const planned = await this.store.getAlarm()
    this.store.sql.exec('UPDATE blobs SET at = at - ?', minutes * 60_000)
    await this.store.deleteAlarm()
    await this.alarm()
    const { objects } = await this.env.BLOBS.list()
    return { keys: objects.map(({ key }) => key), planned, alarm: await this.store.getAlarm() }
  }
}

export class Documents extends Kept {
  retention() {
    const { sql, kv } = this.store
    const store = new TaskStore(sql)
    const notifications = new Notifications(sql, 'notifications')
    const tasks = new Tasks(kv, store, { messages: new Messages(sql, 'outbox'), notifications })
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
    const kept = store
      .list({ after: 0, limit: 20 }, undefined)
      .map(({ task, state, outcome }) => [task, state, outcome])
    const members = (age: number) => {
      swarms.sweep(now + age * DAY)
      return swarms.of('swarm', null).length
    }
    return {
      kept,
      tasks: store.size,
      told: notifications.size,
      members: [members(6), members(8)],
      given: this.#given(now),
    }
  }

  /** As many messages as a peer can send. */
  sizes() {
    const { sql } = this.store
    const inbox = new Log(sql, 'messages', { rows: 10_000, bytes: 64 << 20 })
    const text = `${'x'.repeat(262_000)}雪`
    const put = (text: string) => inbox.append({ at: 1, about: 'agent:a.example', text })
    for (let i = 0; i < 101; i++) if (!put(i === 0 ? '雪雪' : text)) throw new Error('full')
    const full = inbox.size.bytes
    const pages: number[] = []
    for (let after = 0; ; ) {
      const page = inbox.read({ after, limit: 100 })
      if (page.length === 0) break
      pages.push(page.length)
      after = page.at(-1)!.seq
    }
    const again = new Log(sql, 'messages', { rows: 101, bytes: 64 << 20 })
    const refused = again.append({ at: 1, about: '', text: '' })
    const removed = again.removeThrough(1000)
    const latest = new Log(sql, 'latest', { rows: 2, bytes: 5, drops: true })
    for (const text of ['aa', 'bb', 'cc', 'dddd', 'too large']) latest.append({ at: 1, about: 'x', text })
    const kept = latest.latest('x', 10).map(({ seq, text }) => [seq, text])
    const tasks = new TaskStore(sql)
    const own = { caller: ALICE.name, task: 'x', input: '"雪雪雪"', message: null, key: null, digest: '', place: '' }
    tasks.move(tasks.add({ ...own, callback: null }, 1)!, 'completed', 1, { result: '雪' })
    const sums = sql.exec<{ bytes: number }>('SELECT bytes FROM tasks WHERE created = 1').one().bytes
    return { full, pages, refused, removed, left: { ...again.size }, kept, sums }
  }

  /** The rows that are read to send and acknowledge 20 messages, while others wait for the same recipient and for more. */
  backlog(waiting: number): number {
    const { sql } = this.store
    const cursors: { readonly rowsRead: number }[] = []
    const exec: Sql['exec'] = (query, ...values) => {
      const cursor = sql.exec(query, ...values)
      cursors.push(cursor)
      return cursor as never
    }
    const name = `backlog${waiting}`
    const messages = new Messages({ exec } as Sql, name)
    const add = (id: string, to: string) => messages.add({ id, to, content: { content: '' }, until: 1e12 }, 1)
    for (let i = 0; i < waiting; i++) for (const to of [ALICE.name, `agent:a${i}.example`]) add(`${i} ${to}`, to)
    messages.outbox.batch(ALICE.name, undefined, 1)
    cursors.length = 0
    for (let i = 0; i < 20; i++) {
      const next = { id: `new ${i}`, to: ALICE.name, content: { content: '' }, until: 1e12 }
      if (messages.hasRoom(next)) messages.add(next, 2)
      messages.outbox.acknowledge(ALICE.name, `${i} ${ALICE.name}`)
      messages.outbox.batch(ALICE.name, undefined, 2)
      messages.outbox.expire(2)
      messages.due(0, 64)
      if (messages.nextDue === undefined) throw new Error('nothing is due')
    }
    return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0)
  }

  #given(now: number): number[] {
    const { sql, kv } = this.store
    const notifications = new Notifications(sql, 'notifications')
    const given = new DelegatedTasks(sql, kv, { notifications, findPeer: () => Promise.reject() })
    const add =
      "INSERT INTO given (id, agent, task, input, state, created, changed, bytes) VALUES (?, 'agent:b.example', 'x', '1', 'given', ?, ?, 1)"
    for (const age of [31, 29]) sql.exec(add, String(age), now - age * DAY, now - age * DAY)
    given.sweep(now)
    return given.list({ after: 0, limit: 10 }).map(({ id }) => Number(id))
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const run = searchParams.get('run')
    if (run !== null) {
      const stub = env.RUNS.getByName(run) as unknown as { pass(days: number): Promise<number | null> }
      return Response.json(await stub.pass(Number(searchParams.get('days'))))
    }
    const developer = searchParams.get('registry')
    if (developer !== null) {
      const registry = env.REGISTRIES.getByName(developer) as unknown as { pass(minutes: number): Promise<object> }
      return Response.json(await registry.pass(Number(searchParams.get('minutes'))))
    }
    if (pathname === '/stores') {
      const stub = env.RUNS.getByName('stores') as unknown as { stores(): Promise<object> }
      return Response.json(await stub.stores())
    }
    const stub = documents(env) as unknown as {
      [name in 'retention' | 'sizes' | 'backlog']: (n?: number) => Promise<object>
    }
    if (pathname === '/retention') return Response.json(await stub.retention())
    if (pathname === '/backlog') return Response.json([await stub.backlog(100), await stub.backlog(900)])
    return pathname === '/sizes' ? Response.json(await stub.sizes()) : worker.fetch(request, env)
  },
}
