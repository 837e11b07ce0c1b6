// What a discovery heard, as data: whoever has it can judge all again, without a network.
import type { InvalidInvitation, InvitationClaims } from './invitation.ts'
import type { Level, Need } from './levels.ts'

export const TRACE_VERSION = 'blazon/discovery/1'

interface Heard {
  /** Milliseconds since the beginning, and how long it took. */
  readonly after: number
  readonly took: number
  /** The section that asks for it. */
  readonly section: string
  /** Who vouches for it: signatures in it, which anybody can check, or nobody but the recorder. */
  readonly by: 'signatures' | 'recorder'
  /** Why there is no answer. */
  readonly refused?: RecordedRefusal
}

export interface RecordedRefusal {
  readonly code: string
  readonly detail: string
}

export interface DnsHeard extends Heard {
  readonly kind: 'dns'
  readonly name: string
  /** The number of the type of records. */
  readonly type: number
  /** The message as it came, in base64. */
  readonly answer?: string
}

export interface HttpHeard extends Heard {
  readonly kind: 'http'
  readonly url: string
  readonly fromCache?: boolean
  readonly contentType?: string
  /** In base64. */
  readonly body?: string
  /** Where the host shows it. */
  readonly connection?: ConnectionHeard
}

export interface ConnectionHeard {
  readonly address: string
  readonly tls: string
  readonly trusted: boolean
  /** DER in base64, from the server's own up. */
  readonly certificates: readonly string[]
}

export type TraceStep = DnsHeard | HttpHeard

export interface Trace {
  readonly trace: typeof TRACE_VERSION
  /** The moment that it was judged by, as the recorder's clock had it. */
  readonly at: string
  readonly domain: string
  readonly need: Need
  readonly require?: Level
  /** The required level had to stand on a DNS that was checked. */
  readonly requireDns?: 'checked'
  readonly leastTls: 'TLSv1.2' | 'TLSv1.3'
  readonly loopback?: true
  readonly descriptor?: true
  /** What stood in for the DNS: without its code, which is a secret. */
  readonly invitation?: InvitationClaims | InvalidInvitation
  /** Nobody on the way to the resolver could change an answer. */
  readonly private: boolean
  /** What equal records were chosen by: from 0 on, below 1. */
  readonly lot: number
  readonly steps: readonly TraceStep[]
  /** `ed25519:` and a signature by whoever recorded it. */
  readonly signature?: string
}
