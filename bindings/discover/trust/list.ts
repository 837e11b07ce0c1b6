import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { Diagnostic } from '../../document/types.ts'
import { DnsError } from '../dns/error.ts'
import { type Listing, listedAgents } from '../dns/index-names.ts'
import { Lookup, type LookupOptions } from '../dns/lookup.ts'
import { readAgentDomain } from './domain.ts'

export type ListedAgents = ({ readonly ok: true } & Listing) | { readonly ok: false; readonly diagnostic: Diagnostic }

/**
 * Lists the agents that an organization publishes in the DNS (ADP/1.1 section 4.1.3). Pass each to `discover`.
 *
 * @example
 * const listed = await listAgents('example.com', { resolver: udpResolver() })
 * if (listed.ok) listed.agents // ['alice.example.com', 'bob.example.com']
 *
 * @throws {TypeError} for an invalid domain.
 */
export async function listAgents(domain: string, options: LookupOptions): Promise<ListedAgents> {
  const { ascii } = readAgentDomain(domain)
  try {
    return { ok: true, ...(await listedAgents(new Lookup(options), ascii)) }
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return { ok: false, diagnostic: diagnoseNowhere(error.kind, { detail: error.message }, ascii) }
  }
}
