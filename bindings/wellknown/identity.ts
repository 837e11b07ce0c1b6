import type { KeySource } from '../keys/read.ts'
import { isDomain } from '../text/host-name.ts'

/** The agent that metadata or an invitation belongs to. */
export interface AgentIdentity {
  /** The domain that names it: `alice.example.com`. */
  readonly domain: string
  /** Its Ed25519 key; of a private one the public half is taken. */
  readonly key: KeySource
}

/** Throws for what is no domain. */
export function domainOf({ domain }: AgentIdentity): string {
  if (typeof domain === 'string' && isDomain(domain)) return domain.toLowerCase()
  throw new TypeError(`domain: expected one such as alice.example.com, got ${String(domain).slice(0, 100)}`)
}
