import type { KeySource } from '../keys/read.ts'
import { domainIn } from './agent-uri.ts'

/** The agent that metadata or an invitation belongs to. */
export interface AgentIdentity {
  /** The domain that names it: `alice.example.com`, or its URI, in any letters. */
  readonly domain: string
  /** Its Ed25519 key; of a private one the public half is taken. */
  readonly key: KeySource
}

/** Throws for what is no domain. */
export function domainOf({ domain }: AgentIdentity): string {
  const ascii = typeof domain === 'string' ? domainIn(domain) : undefined
  if (ascii !== undefined) return ascii
  throw new TypeError(`domain: expected one such as alice.example.com, got ${String(domain).slice(0, 100)}`)
}
