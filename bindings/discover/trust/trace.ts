// The answers of a discovery, as data: anyone with a trace can judge them again, without a network.

import { isDateTime } from '../../schema/formats/time.ts'
import { isObject, member } from '../../text/members.ts'
import { readPrefixed } from '../../wellknown/identity.ts'
import { addressOf, domainOf } from '../../wellknown/invite/specification.ts'
import type { Level, Need } from './levels.ts'

export const TRACE_VERSION = 'blazon/discovery/1'

interface Exchange {
  /** Milliseconds since the beginning; and the duration. */
  readonly after: number
  readonly took: number
  /** The section that requires it. */
  readonly section: string
  /** What vouches for it: signatures inside, which anyone can check, or only the recorder. */
  readonly by: 'signatures' | 'recorder'
  /** The reason for a missing answer. */
  readonly refused?: RecordedRefusal
}

export interface RecordedRefusal {
  readonly code: string
  readonly detail: string
}

export interface DnsExchange extends Exchange {
  readonly kind: 'dns'
  readonly name: string
  /** The number of the type of records. */
  readonly type: number
  /** The received message, in base64. */
  readonly answer?: string
}

export interface HttpExchange extends Exchange {
  readonly kind: 'http'
  readonly url: string
  readonly fromCache?: boolean
  readonly contentType?: string
  /** In base64. */
  readonly body?: string
  /** Present if the host shows it. */
  readonly connection?: RecordedConnection
}

export interface RecordedConnection {
  readonly address: string
  readonly tls: string
  readonly trusted: boolean
  /** DER in base64, beginning with the server's own. */
  readonly certificates: readonly string[]
}

export type TraceStep = DnsExchange | HttpExchange

export interface Trace {
  readonly trace: typeof TRACE_VERSION
  /** The moment that it was judged by, from the recorder's clock. */
  readonly at: string
  readonly domain: string
  readonly need: Need
  readonly require?: Level
  /** The required level must rest on checked DNS answers. */
  readonly requireDns?: 'checked'
  readonly leastTls: 'TLSv1.2' | 'TLSv1.3'
  readonly loopback?: true
  readonly descriptor?: true
  /** The invitation that replaced the DNS, without its code, which is a secret. */
  readonly invitation?: InvitationClaims | InvalidInvitation
  /** True if nobody could change an answer between the resolver and the recorder. */
  readonly private: boolean
  /** The number from 0 to below 1 that chose among equal records. */
  readonly lot: number
  readonly steps: readonly TraceStep[]
  /** `ed25519:` and a signature by the recorder. */
  readonly signature?: string
}

// The claims of an invitation.

/** The claims of an invitation, without its code, which is a secret. */
export interface InvitationClaims {
  readonly agent: string
  readonly wellKnown: string
  /** `ed25519:` and the fingerprint of the agent's key. */
  readonly pubkey: string
  readonly expires: string
}

/** The fault of a document that is not a valid invitation. */
export interface InvalidInvitation {
  readonly refused: { readonly code: string; readonly detail: string }
}

/** Reads the claims of an invitation, or says what is missing. */
export function invitedBy(invite: unknown): InvitationClaims | string {
  if (!isObject(invite)) return 'it has no object invite'
  const [agent, wellKnown, pubkey, expires, code] = ['agent', 'wellKnown', 'pubkey', 'expires', 'code'].map((name) => {
    const value = member(invite, name)
    return typeof value === 'string' ? value : ''
  }) as [string, string, string, string, string]
  if (domainOf(agent) === undefined) return 'it names no agent'
  if (addressOf(wellKnown, code) === undefined)
    return 'it has no https URL of metadata at a domain, or the URL contains the code'
  if (readPrefixed(pubkey)?.length !== 32) return 'it has no fingerprint of a key'
  if (!isDateTime(expires)) return 'it does not say when it expires'
  return { agent, wellKnown, pubkey, expires }
}
