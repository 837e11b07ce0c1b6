import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../env.ts'

const DAY_MS = 86_400_000

interface Taken {
  readonly cards: number
  readonly bytes: number
}

const NOTHING: Taken = { cards: 0, bytes: 0 }

/** The new cards from one address within a day: one object per address, deleted when the day is over. */
export class Sender extends DurableObject<Env> {
  /** Takes room for a new card; if none is left, returns the seconds until there is. */
  async take(bytes: number, most: Taken): Promise<{ readonly retryAfter: number } | undefined> {
    const { kv } = this.ctx.storage
    const taken = kv.get<Taken>('taken') ?? NOTHING
    const next = { cards: taken.cards + 1, bytes: taken.bytes + bytes }
    const over = await this.ctx.storage.getAlarm()
    if (next.cards > most.cards || next.bytes > most.bytes) {
      return { retryAfter: Math.ceil(((over ?? Date.now()) - Date.now()) / 1000) }
    }
    kv.put('taken', next)
    if (over === null) await this.ctx.storage.setAlarm(Date.now() + DAY_MS)
    return undefined
  }

  /** Gives back the room of a card that turned out not to be new. */
  async giveBack(bytes: number): Promise<void> {
    const taken = this.ctx.storage.kv.get<Taken>('taken')
    if (taken === undefined) return
    this.ctx.storage.kv.put('taken', { cards: Math.max(0, taken.cards - 1), bytes: Math.max(0, taken.bytes - bytes) })
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll()
  }
}
