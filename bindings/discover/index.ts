/**
 * Finds agents over the network: only on request, only over HTTPS, and only at public addresses.
 * @module
 */

export {
  buildDiscovery,
  type CheckedDiscovery,
  type DiscoveryEntry,
  readDiscovery,
} from '../adl/discovery/specification.ts'
export { type DidResolution, type ResolveOptions, resolveDidWeb } from '../net/did.ts'
export { type FetchOptions, type FetchOutcome, fetchDocument, type GuardedFetch } from '../net/fetch.ts'
export { refuseAddress } from '../net/guard.ts'
export { type DiscoverAgentsOptions, type DiscoveredAgents, discoverAgents } from './agents.ts'
export { type CheckedDomain, checkDns } from './check/check.ts'
export type { CheckOptions } from './check/survey.ts'
export type { Ds } from './dns/dnssec/rdata.ts'
export type { LookupOptions, Quality, Resolver } from './dns/lookup.ts'
export { type DnsOutcome, type DohOptions, dohResolver, type RecordData, resolveDns } from './dns/lookup.ts'
export { SVC_KEYS, type Svcb } from './dns/svcb.ts'
export { svcbFromText, svcbToText } from './dns/zone-text.ts'
export { type Probe, type ProbeOptions, type ProbeTarget, probe, probeTargets } from './probe/probe.ts'
export {
  type DnsFormat,
  type DnsRecord,
  type DnsRecords,
  type DnsRecordsOptions,
  dnsRecords,
  type WrittenRecords,
  writeDnsRecords,
} from './publish/records.ts'
export { type ReplayOptions, replay, type VerifyOptions, verify } from './trace/verify.ts'
export { type Discovery, type DiscoveryOptions, discover } from './trust/discover.ts'
export { type AgentDomain, type ListedAgents, listAgents, readAgentDomain } from './trust/domain.ts'
export { LEVELS } from './trust/levels.ts'
export type { Trace } from './trust/trace.ts'
