// Visits one host that the DNS names: its addresses, and its metadata if needed.

import { type AtHost, lookAtHost } from './host.ts'
import type { DiscoveryContext } from './levels.ts'
import type { AgentLocation } from './locate.ts'
import type { FetchedMetadata } from './metadata.ts'

export interface Visit {
  readonly located: AgentLocation
  readonly atHost: AtHost
  /** Undefined if only the address was needed. */
  readonly read: FetchedMetadata | undefined
}

/** @throws {DiscoveryStopped} if the host is silent or fails a check. */
export async function visit(task: DiscoveryContext, located: AgentLocation): Promise<Visit> {
  const { asked, account } = task
  const atHost = await lookAtHost(task, located)
  const { texts, quality } = located.txt
  if (texts.records.length > 0 && !account.has('dns-verified')) account.reach('dns-verified', located.quality, quality)
  if (asked.need === 'address') return { located, atHost, read: undefined }
  // Loaded on demand, so that applications start without the rules of metadata.
  const { readMetadata } = await import('./metadata.ts')
  const read = await readMetadata(task, located, atHost)
  return { located, atHost, read }
}
