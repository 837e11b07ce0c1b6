// The local agent: its key, opened once, and its requirements for others.

import type { KeySource } from '../keys/read.ts'
import { openSigner } from '../keys/sign.ts'
import { PROTOCOL, publicKeyBlock } from '../wellknown/identity.ts'
import type { Speaker } from './link-parts.ts'
import { type LinkMemory, linkMemory } from './memory.ts'
import { domainOfUri, type Message } from './message.ts'
import type { FindAgent } from './peer.ts'
import { type FindPeer, rememberPeers } from './peers.ts'
import type { MessageRate } from './rate.ts'
import { sign } from './sign.ts'
import { skewOf } from './verify.ts'

/** Options of both sides of a conversation. */
export interface SpeakerOptions {
  /** The Ed25519 key in the agent's metadata. */
  readonly key: KeySource
  /** The local agent: `agent:alice.example.com`. */
  readonly as: string
  /**
   * Finds agents by their domain, like `discover` with `require: 'key-verified'`. Results are cached for at most five
   * minutes.
   */
  readonly discover: FindAgent
  /** The message is acknowledged once this completes. If it fails, the other agent gets an error. */
  readonly onMessage: (message: Message) => void | Promise<void>
  /** Makes conversations strict if both sides support it. Default true. */
  readonly strict?: boolean
  /** Default `ADP/1.1`. */
  readonly minProtocolVersion?: string
  /** The rate limit in the agent's own metadata. It is enforced. */
  readonly rateLimit?: MessageRate
  readonly skewSeconds?: number
  /** Keeps its state between conversations. Default: in memory. */
  readonly memory?: LinkMemory
  /** Seconds for the handshake. Default 10. */
  readonly handshakeSeconds?: number
  /** Seconds to wait for the ack of a message. Default 60, at most 240. */
  readonly ackSeconds?: number
  readonly clock?: () => Date
}

/** The validated options, with defaults. */
export interface Side {
  readonly self: Speaker
  readonly findPeer: FindPeer
  readonly memory: LinkMemory
  readonly clock: () => Date
  readonly skewMs: number
  readonly handshakeMs: number
  readonly patienceMs: number
}

/** A message that is sent again keeps its first time. It must still be recent enough to be accepted. */
const MOST_ACK_SECONDS = 240

export async function openSide(options: SpeakerOptions): Promise<Side> {
  const { as, key, strict = true, minProtocolVersion = PROTOCOL, rateLimit, discover, skewSeconds = 0 } = options
  const { clock = () => new Date(), memory = linkMemory(), handshakeSeconds = 10, ackSeconds = 60 } = options
  if (domainOfUri(as) === undefined) throw new RangeError(`as: expected agent: and a domain, got ${String(as)}`)
  const signer = await openSigner(key, { algorithm: 'Ed25519' })
  return {
    self: {
      uri: as.toLowerCase(),
      fingerprint: publicKeyBlock(signer.publicKey).fingerprint,
      strict,
      minProtocolVersion,
      rate: rateLimit,
      sign: (drafts) =>
        Promise.all(drafts.map(async ({ draft, n }) => (await sign(draft, signer, n === undefined ? {} : { n })).text)),
    },
    findPeer: rememberPeers(discover, { clock }),
    memory,
    clock,
    skewMs: skewOf(skewSeconds),
    handshakeMs: seconds('handshakeSeconds', handshakeSeconds, 60),
    patienceMs: seconds('ackSeconds', ackSeconds, MOST_ACK_SECONDS),
  }
}

function seconds(name: string, value: number, most: number): number {
  if (value > 0 && value <= most) return value * 1000
  throw new RangeError(`${name}: expected a number above 0, at most ${most}, got ${value}`)
}
