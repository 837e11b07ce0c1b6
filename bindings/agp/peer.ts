// The other side of a conversation, as its metadata has it.
import type { Discovery } from '../discover/trust/discover.ts'
import type { Reached } from '../discover/trust/levels.ts'
import { importKey } from '../keys/import.ts'
import { openVerifier, type Verifier } from '../keys/verifier.ts'
import { isObject, member, objectMember, textMember } from '../text/members.ts'
import { Metadata } from '../wellknown/metadata.ts'
import { fingerprintOf, readFull } from '../wellknown/public-key.ts'
import type { MessageRate } from './rate.ts'

/** Everything that a conversation needs of an agent. */
export interface Peer {
  /** In lower case. */
  readonly uri: string
  readonly fingerprint: string
  readonly verifier: Verifier
  /** Where it is spoken to. */
  readonly chat: string | undefined
  /** All addresses in its metadata, by their names. */
  readonly endpoints: Readonly<Record<string, string>>
  readonly minProtocolVersion: string | undefined
  /** It says of itself that it speaks strict: it is not taken without. */
  readonly strict: boolean
  readonly rate: MessageRate | undefined
  /** How far it can be trusted, by the way that it was found. */
  readonly levels: readonly Reached[]
}

/** The part of a discovery that counts; without `freshMs` it counts for five minutes. */
export type FoundPeer = Pick<Discovery, 'agent' | 'uri'> &
  Partial<Pick<Discovery, 'freshMs'>> & { readonly proof?: Pick<Discovery['proof'], 'levels'> }

/** Finds an agent by its domain. `discover` of `blazon/discover` with `require: 'key-verified'` does. */
export type FindAgent = (domain: string, asked: AskedAgent) => Promise<FoundPeer>

export interface AskedAgent {
  /** Ends the lookup when its place is given to another. */
  readonly signal: AbortSignal
  /** The network address of the caller that named the agent; undefined when this side named it. */
  readonly sender: string | undefined
}

/** An agent that was found: its key has to be there in full. */
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

/** A limit without a burst lets a whole minute's messages come at once. */
function rateIn({ security }: Metadata): MessageRate | undefined {
  const limit = objectMember(security, 'rateLimit')?.value
  const [perMinute, burst] = [member(limit, 'requestsPerMinute'), member(limit, 'burstSize')].map((value) =>
    typeof value === 'number' && value >= 1 ? value : undefined,
  )
  if (perMinute === undefined) return undefined
  return { requestsPerMinute: perMinute, burstSize: burst ?? perMinute }
}
