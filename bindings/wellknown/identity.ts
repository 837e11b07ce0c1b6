import type { KeySource } from '../keys/read.ts'
import { domainIn } from './agent-uri.ts'

/** The agent that metadata or an invitation belongs to. */
export interface AgentIdentity {
  /** The domain of the agent: `alice.example.com`, or its URI, in any script. */
  readonly domain: string
  /** Its Ed25519 key. Only the public half of a private key is used. */
  readonly key: KeySource
}

/** Returns the ASCII form of the domain. Throws for an invalid domain. */
export function domainOf({ domain }: AgentIdentity): string {
  const ascii = typeof domain === 'string' ? domainIn(domain) : undefined
  if (ascii !== undefined) return ascii
  throw new TypeError(`domain: expected one such as alice.example.com, got ${String(domain).slice(0, 100)}`)
}
