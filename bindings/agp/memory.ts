// What is remembered of each agent between conversations: the ids of its messages, the number of its next strict
// message, and its rate limit. A second message with the same id is a replay, or was sent again because its ack was
// lost.

import { type Bucket, fullBucket, type MessageRate, takeOne } from './outbox.ts'
import { MOST_AGE_MS, MOST_AHEAD_MS, MOST_SKEW_MS } from './verify.ts'

export interface AgentRecord {
  /** The number of its next strict message. Absent for an agent that never was strict. */
  readonly next?: number
  readonly bucket?: Bucket
}

export interface LinkMemory {
  has(agent: string, id: string): boolean
  /** The digest that was stored with an id. Undefined for an unknown id, and for one without a digest. */
  digestOf(agent: string, id: string): string | undefined
  /**
   * Returns false when there is no room. A message that cannot be remembered must be refused.
   *
   * @param digest the digest of the message: see `messageDigest`.
   */
  add(agent: string, id: string, now: Date, digest?: string): boolean
  record(agent: string): AgentRecord
  keep(agent: string, record: AgentRecord): void
}

/**
 * Longer than the whole time window with tolerance and clock differences: by then, a message with a forgotten id is too
 * old.
 */
export const REMEMBERED_MS = MOST_AGE_MS + MOST_AHEAD_MS + 2 * MOST_SKEW_MS

interface Remembered {
  readonly until: number
  readonly digest: string | undefined
}

/** The maximum number of ids per agent, and of agents. */
const MOST_IDS = 10_000
const MOST_AGENTS = 10_000

/** Creates a memory for 10,000 agents with 10,000 ids each. It is lost with the process. */
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
 * Takes one message from the sender's rate limit. Returns false when none is left. Without a limit, nothing is counted.
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

/** Deletes expired ids. The oldest come first. */
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
