// The other side of a conversation, read from its metadata.
import type { Discovery } from '../discover/trust/discover.ts'
import type { ReachedLevel } from '../discover/trust/levels.ts'
import { importKey } from '../keys/platform.ts'
import { openVerifier, type Verifier } from '../keys/verify.ts'
import { isObject, member, objectMember, textMember } from '../text/members.ts'
import { fingerprintOf, readFull } from '../wellknown/identity.ts'
import { Metadata } from '../wellknown/specification.ts'
import type { MessageRate } from './rate.ts'

/** Everything that a conversation needs to know about an agent. */
export interface Peer {
  /** In lower case. */
  readonly uri: string
  readonly fingerprint: string
  readonly verifier: Verifier
  /** The address of its chat endpoint. */
  readonly chat: string | undefined
  /** All endpoint addresses in its metadata, by name. */
  readonly endpoints: Readonly<Record<string, string>>
  readonly minProtocolVersion: string | undefined
  /** Its metadata announces strict conversations. Others are then refused. */
  readonly strict: boolean
  readonly rate: MessageRate | undefined
  /** The levels that its discovery reached. */
  readonly levels: readonly ReachedLevel[]
}

/** The part of a discovery that is used. Without `freshMs` it is valid for five minutes. */
export type FoundPeer = Pick<Discovery, 'agent' | 'uri'> &
  Partial<Pick<Discovery, 'freshMs'>> & { readonly proof?: Pick<Discovery['proof'], 'levels'> }

/** Finds an agent by its domain, like `discover` of `blazon/discover` with `require: 'key-verified'`. */
export type FindAgent = (domain: string, asked: AskedAgent) => Promise<FoundPeer>

export interface AskedAgent {
  /** Aborts the lookup when it has to make room for another. */
  readonly signal: AbortSignal
  /** The network address of the caller that named the agent. Undefined when this side named it. */
  readonly sender: string | undefined
}

/** Returns the peer of a discovered agent. Undefined unless its metadata has the full key. */
export async function peerOf({ agent, uri, proof }: FoundPeer): Promise<Peer | undefined> {
  if (agent?.metadata === undefined || !isObject(agent.metadata.value)) return undefined
  const metadata = new Metadata(agent.metadata)
  const { full, fingerprint, security, endpoints } = metadata
  if (full === undefined || fingerprint === undefined) return undefined
  const raw = readFull(full.value)
  if (fingerprintOf(raw) !== fingerprint.value) return undefined
  return {
    uri: uri.toLowerCase(),
    fingerprint: fingerprint.value,
    verifier: await openVerifier(await importKey(raw, { format: 'raw' })),
    chat: endpoints.find(({ name }) => name === 'chat')?.value,
    endpoints: Object.fromEntries(endpoints.map(({ name, value }) => [name, value])),
    minProtocolVersion: textMember(security, 'minProtocolVersion')?.value || undefined,
    strict: member(security?.value, 'strictMessages') === true,
    rate: rateIn(metadata),
    levels: proof?.levels ?? [],
  }
}

/** Without `burstSize`, a whole minute's messages may arrive at once. */
function rateIn({ security }: Metadata): MessageRate | undefined {
  const limit = objectMember(security, 'rateLimit')?.value
  const [perMinute, burst] = [member(limit, 'requestsPerMinute'), member(limit, 'burstSize')].map((value) =>
    typeof value === 'number' && value >= 1 ? value : undefined,
  )
  if (perMinute === undefined) return undefined
  return { requestsPerMinute: perMinute, burstSize: burst ?? perMinute }
}
