import { DurableObject } from 'cloudflare:workers'
import type { Quota, SenderObject } from '../contracts/directory.ts'
import type { Env, Serves } from '../env.ts'

const DAY_MS = 86_400_000

const NOTHING: Quota = { cards: 0, bytes: 0 }

/** The new cards from one address within a day: one object per address, deleted when the day is over. */
export class Sender extends DurableObject<Env> implements Serves<SenderObject> {
  async take(bytes: number, most: Quota): Promise<{ readonly retryAfter: number } | undefined> {
    const { kv } = this.ctx.storage
    const taken = kv.get<Quota>('taken') ?? NOTHING
    const next = { cards: taken.cards + 1, bytes: taken.bytes + bytes }
    const over = await this.ctx.storage.getAlarm()
    if (next.cards > most.cards || next.bytes > most.bytes) {
      return { retryAfter: Math.ceil(((over ?? Date.now()) - Date.now()) / 1000) }
    }
    kv.put('taken', next)
    if (over === null) await this.ctx.storage.setAlarm(Date.now() + DAY_MS)
    return undefined
  }

  async giveBack(bytes: number): Promise<void> {
    const taken = this.ctx.storage.kv.get<Quota>('taken')
    if (taken === undefined) return
    this.ctx.storage.kv.put('taken', { cards: Math.max(0, taken.cards - 1), bytes: Math.max(0, taken.bytes - bytes) })
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
