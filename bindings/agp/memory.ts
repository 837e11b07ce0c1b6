// What is kept of each agent from one conversation to the next: the ids of its messages, for a second one of the same id is a
// replay, or sent again because its ack was lost; the number of its next strict message; and what it may still say.
import { MOST_AGE_MS, MOST_AHEAD_MS, MOST_SKEW_MS } from './judge.ts'
import { type Bucket, fullBucket, type MessageRate, takeOne } from './rate.ts'

export interface AgentRecord {
  /** The number of its next strict message; absent of an agent that never was strict. */
  readonly next?: number
  readonly bucket?: Bucket
}

export interface LinkMemory {
  has(agent: string, id: string): boolean
  /** The digest that an id was added with; undefined of an id that is unknown, or was added without one. */
  digestOf(agent: string, id: string): string | undefined
  /**
   * False when there is no room: what cannot be remembered must not be taken.
   *
   * @param digest of what the id stands for: `messageDigest` makes it.
   */
  add(agent: string, id: string, now: Date, digest?: string): boolean
  record(agent: string): AgentRecord
  keep(agent: string, record: AgentRecord): void
}

/** Beyond the whole window, whatever the tolerance and the clocks: a message whose id is forgotten is too old. */
export const REMEMBERED_MS = MOST_AGE_MS + MOST_AHEAD_MS + 2 * MOST_SKEW_MS

interface Remembered {
  readonly until: number
  readonly digest: string | undefined
}

/** Of one agent, and of all. */
const MOST_IDS = 10_000
const MOST_AGENTS = 10_000

/** Keeps all of it in memory, for 10,000 agents and 10,000 ids of each. */
export function linkMemory(): LinkMemory {
  const ids = new Map<string, Map<string, Remembered>>()
  const records = new Map<string, AgentRecord>()
  return {
    has: (agent, id) => ids.get(agent)?.has(id.toLowerCase()) === true,
    digestOf: (agent, id) => ids.get(agent)?.get(id.toLowerCase())?.digest,
    add(agent, id, now, digest) {
      const time = now.getTime()
      if (!ids.has(agent) && ids.size >= MOST_AGENTS) dropEmpty(ids, time)
      const own = ids.get(agent) ?? new Map<string, Remembered>()
      forget(own, time)
      if (own.size >= MOST_IDS || (!ids.has(agent) && ids.size >= MOST_AGENTS)) return false
      ids.set(agent, own.set(id.toLowerCase(), { until: time + REMEMBERED_MS, digest }))
      return true
    },
    record: (agent) => records.get(agent) ?? {},
    keep(agent, record) {
      if (!records.has(agent) && records.size >= MOST_AGENTS) records.delete(records.keys().next().value!)
      records.set(agent, record)
    },
  }
}

/**
 * Counts what an agent says against the limit of who hears it; false when that was too much. What never was limited is not counted.
 *
 * @example
 * countOne(memory, 'agent:alice.example.com', { rate: { requestsPerMinute: 60, burstSize: 10 }, now: new Date() }) // true
 */
export function countOne(
  memory: LinkMemory,
  agent: string,
  { rate, now }: { readonly rate: MessageRate | undefined; readonly now: Date },
): boolean {
  if (rate === undefined) return true
  const record = memory.record(agent)
  const bucket = takeOne(rate, record.bucket ?? fullBucket(rate, now.getTime()), now.getTime())
  if (bucket !== null) memory.keep(agent, { ...record, bucket })
  return bucket !== null
}

/** The oldest are first. */
function forget(ids: Map<string, Remembered>, now: number): void {
  for (const [id, { until }] of ids) {
    if (until >= now) return
    ids.delete(id)
  }
}

function dropEmpty(agents: Map<string, Map<string, Remembered>>, now: number): void {
  for (const [agent, ids] of agents) {
    forget(ids, now)
    if (ids.size === 0) agents.delete(agent)
  }
}
