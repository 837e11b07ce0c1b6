// The Worker, with shards that fail on request: `POST /faults?shard=N&fault=KIND`.
import { type Env, shardStub } from '../../../edge/env.ts'
import { DirectoryShard as Shard } from '../../../edge/objects/directory-shard.ts'
import { Moderation as Rules } from '../../../edge/objects/moderation.ts'
import worker from '../../../edge/worker.ts'

export * from '../../../edge/worker.ts'

/**
 * `evict`: the object ends at once; the next request restarts it. `deaf`: it is not informed that cards have moved, and
 * must find out. `unruly`: it gets no changes of rules. `unread`: its cards cannot be exported.
 */
type Fault = 'none' | 'throw' | 'hang' | 'evict' | 'save' | 'deaf' | 'unruly' | 'unread'

export class DirectoryShard extends Shard {
  #fault: Fault = 'none'

  async fail(fault: Fault): Promise<void> {
    this.#fault = fault
    if (fault === 'save') await this.alarm()
    if (fault === 'evict') this.ctx.abort('evicted by a test')
  }

  override async statistics(...question: Parameters<Shard['statistics']>) {
    await this.#suffer()
    return super.statistics(...question)
  }

  override async rank(...question: Parameters<Shard['rank']>) {
    await this.#suffer()
    return super.rank(...question)
  }

  override async applyLayout(...layout: Parameters<Shard['applyLayout']>) {
    if (this.#fault === 'deaf') throw new Error('a fault of the tests')
    return super.applyLayout(...layout)
  }

  override async applyRules(...rules: Parameters<Shard['applyRules']>) {
    if (this.#fault === 'unruly') throw new Error('a fault of the tests')
    return super.applyRules(...rules)
  }

  override async read(...question: Parameters<Shard['read']>) {
    if (this.#fault === 'unread') throw new Error('a fault of the tests')
    return super.read(...question)
  }

  async #suffer(): Promise<void> {
    if (this.#fault === 'throw') throw new Error('a fault of the tests')
    if (this.#fault === 'hang') await new Promise((resolve) => setTimeout(resolve, 300_000))
  }
}

/** Allows a card named Raced just before it is added to the queue. */
export class Moderation extends Rules {
  override async wait(...[card, most]: Parameters<Rules['wait']>) {
    const { id, bytes } = card
    if (new TextDecoder().decode(bytes).includes('"Raced"')) {
      await this.change([{ of: 'id', value: id, verdict: 'allow', reason: '', at: Date.now() }])
    }
    return super.wait(card, most)
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url)
    if (url.pathname !== '/faults') return worker.fetch(request, env)
    const { shard, fault } = Object.fromEntries(url.searchParams)
    const stub = shardStub(env, Number(shard)) as unknown as DirectoryShard
    try {
      await stub.fail(fault as Fault)
    } catch (error) {
      if (fault !== 'evict') throw error
    }
    return new Response('ok')
  },
}
