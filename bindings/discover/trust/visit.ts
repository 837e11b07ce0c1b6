// One host that the DNS names: its addresses, and its metadata where that is needed.

import { type AtHost, lookAtHost } from './host.ts'
import type { Located } from './locate.ts'
import { type Read, readMetadata } from './metadata.ts'
import type { DiscoveryContext } from './trust-report.ts'

export interface Visited {
  readonly located: Located
  readonly atHost: AtHost
  /** Undefined where no more than the address was needed. */
  readonly read: Read | undefined
}

/** @throws {Ended} where nobody answers, or something speaks against who does. */
export async function visit(task: DiscoveryContext, located: Located): Promise<Visited> {
  const { asked, account } = task
  const atHost = await lookAtHost(task, located)
  const { texts, quality } = located.txt
  if (texts.records.length > 0 && !account.has('dns-verified')) account.reach('dns-verified', located.quality, quality)
  const read = asked.need === 'address' ? undefined : await readMetadata(task, located, atHost)
  return { located, atHost, read }
}
