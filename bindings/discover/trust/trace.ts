// The answers of a discovery, as data: anyone with a trace can judge them again, without a network.

import { encodeBase64url, readBase64 } from '../../keys/base64.ts'
import { fromHex } from '../../text/bytes.ts'
import type { InvalidInvitation, InvitationClaims } from './invitation.ts'
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

// The digest of a descriptor, in the forms that records use.

const SHA256_BYTES = 32

/** 32 bytes in base64, with padding. */
const BASE64_CHARACTERS = 44

/** DNS-AID writes base64url; some publishers write hex, or base64 with padding. */
export function readDigest(text: string): Uint8Array | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return fromHex(text.toLowerCase())
  const bytes = readBase64(text.replaceAll('-', '+').replaceAll('_', '/').padEnd(BASE64_CHARACTERS, '='))
  return bytes?.length === SHA256_BYTES ? bytes : undefined
}

/** In the normal form; undefined for an invalid digest. */
export function digestText(text: string): string | undefined {
  const bytes = readDigest(text)
  return bytes && encodeBase64url(bytes)
}
