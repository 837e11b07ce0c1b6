/**
 * Finding agents over the network: only when asked, only over HTTPS, and never at an address that is not public.
 * @module
 */

export {
  buildDiscovery,
  type CheckedDiscovery,
  type DiscoveryEntry,
  readDiscovery,
} from '../adl/discovery/document.ts'
export type { Card } from '../card/card.ts'
export type { Document } from '../document/document.ts'
export type { FindingKind } from '../document/finding.ts'
export type { Diagnostic } from '../document/types.ts'
export type { Expectation } from '../frame/expected.ts'
export type { Proof, Step, StepOutcome, Verdict } from '../frame/proof.ts'
export type { Source } from '../frame/source.ts'
export type { DidKey } from '../keys/did.ts'
export type { PlatformOptions, Subtle } from '../keys/platform.ts'
export type { KeySource } from '../keys/read.ts'
export type { Connection, TlsVersion } from '../net/connection.ts'
export { type DidResolution, type ResolveOptions, resolveDidWeb } from '../net/did.ts'
export {
  type ConnectionRefusal,
  type FetchCache,
  type FetchOptions,
  type FetchOutcome,
  type FetchResult,
  fetchDocument,
  type GuardedFetch,
  type GuardedInit,
  type Hop,
} from '../net/fetch.ts'
export { refuseAddress } from '../net/guard.ts'
export type { JsonObject } from '../text/members.ts'
export { type DiscoverAgentsOptions, type DiscoveredAgent, type DiscoveredAgents, discoverAgents } from './agents.ts'
export { type CheckedDomain, checkDns } from './check/check.ts'
export type { CheckOptions } from './check/survey.ts'
export type { CheckedThing, ThingName, ThingState } from './check/things.ts'
export { ROOT_ANCHORS, type TrustAnchors } from './dns/dnssec/anchors.ts'
export type { Ds } from './dns/dnssec/rdata.ts'
export { type DohOptions, dohResolver } from './dns/doh.ts'
export type { Listing } from './dns/index-names.ts'
export type { LookupOptions, Quality, Resolver } from './dns/lookup.ts'
export type { Question } from './dns/message.ts'
export type { Name } from './dns/name.ts'
export type { Srv, Tlsa } from './dns/rdata.ts'
export { type DnsAnswer, type DnsOutcome, type RecordData, resolveDns } from './dns/resolve.ts'
export { SVC_KEYS, type Svcb } from './dns/svcb.ts'
export { svcbFromText, svcbToText } from './dns/zone-text.ts'
export {
  type Probe,
  type ProbedEndpoint,
  type ProbeOptions,
  type ProbeTarget,
  probe,
  probeTargets,
} from './probe/probe.ts'
export { DNS_FORMATS, type DnsFormat, type WrittenRecords, writeDnsRecords } from './publish/formats.ts'
export { type DnsRecord, type DnsRecords, type DnsRecordsOptions, dnsRecords } from './publish/records.ts'
export { type ReplayOptions, replay } from './trace/replay.ts'
export { TRACE_SCHEMA } from './trace/shape.ts'
export { type VerifyOptions, verify } from './trace/verify.ts'
export {
  type Discovery,
  type DiscoveryOptions,
  discover,
} from './trust/discover.ts'
export { type AgentDomain, readAgentDomain } from './trust/domain.ts'
export type { InvalidInvitation, InvitationClaims } from './trust/invitation.ts'
export { LEVELS, type Level, type Need, type ReachedLevel, type Requirement } from './trust/levels.ts'
export { type ListedAgents, listAgents } from './trust/list.ts'
export type { DiscoveryProof, FoundAgent } from './trust/run.ts'
export type { ConnectionHeard, DnsHeard, HttpHeard, Trace, TraceStep } from './trust/trace.ts'
