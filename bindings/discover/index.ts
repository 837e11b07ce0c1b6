/**
 * Finding agents over the network: only when asked, only over HTTPS, and never an address that is not public.
 * @module
 */
export { type Discovered, type DiscoveredAgent, type DiscoverOptions, discoverAgents } from './agents.ts'
export { type Resolved, type ResolveOptions, resolveDidWeb } from './did.ts'
export {
  buildDiscovery,
  type CheckedDiscovery,
  checkDiscovery,
  type DiscoveryEntry,
  readDiscovery,
} from './discovery-document.ts'
export {
  type FetchCache,
  type Fetched,
  type FetchOptions,
  type FetchOutcome,
  fetchDocument,
  type GuardedFetch,
} from './fetch.ts'
export { refuseAddress } from './guard.ts'
export {
  type Probe,
  type ProbedEndpoint,
  type ProbeOptions,
  type ProbeTarget,
  probe,
  probeTargets,
} from './probe/probe.ts'
