/**
 * Finds agents over the network: only on request, only over HTTPS, and only at public addresses.
 * @module
 */

export { buildDiscovery, readDiscovery } from '../adl/discovery/specification.ts'
export { resolveDidWeb } from '../net/did.ts'
export { fetchDocument, type GuardedFetch } from '../net/fetch.ts'
export { refuseAddress } from '../net/guard.ts'
export { discoverAgents } from './agents.ts'
export { checkDns } from './check/check.ts'
export { dohResolver, type LookupOptions, type Resolver, resolveDns } from './dns/lookup.ts'
export { SVC_KEYS, type Svcb } from './dns/svcb.ts'
export { svcbFromText, svcbToText } from './dns/zone-text.ts'
export { probe, probeTargets } from './probe/probe.ts'
export { type DnsRecord, dnsRecords, writeDnsRecords } from './publish/records.ts'
export { verify } from './trace/verbs.ts'
export { replay } from './trace/verify.ts'
export { type Discovery, discover } from './trust/discover.ts'
export { listAgents, readAgentDomain } from './trust/domain.ts'
export { LEVELS } from './trust/levels.ts'
export type { Trace } from './trust/trace.ts'
