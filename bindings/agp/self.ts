// The agent on this side: its key, opened once, and what it demands of others.

import type { KeySource } from '../keys/read.ts'
import { openSigner } from '../keys/signer.ts'
import { publicKeyBlock } from '../wellknown/public-key.ts'
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
  /** The agent itself: `agent:alice.example.com`. */
  readonly as: string
  /** Finds agents by their domain, as `discover` does with `require: 'key-verified'`. Its results are kept for five minutes at most. */
  readonly discover: FindAgent
  /** A message is acknowledged when this is done; if it fails, the other agent is told. */
  readonly onMessage: (message: Message) => void | Promise<void>
  /** Conversations are strict where both sides can: true when absent. */
  readonly strict?: boolean
  /** `ADP/1.1` when absent. */
  readonly minProtocolVersion?: string
  /** As in the agent's own metadata: enforced. */
  readonly rateLimit?: MessageRate
  readonly skewSeconds?: number
  /** Kept from one conversation to the next: in memory when absent. */
  readonly memory?: LinkMemory
  /** Seconds for hello and answer: 10 when absent. */
  readonly handshakeSeconds?: number
  /** Seconds that a message may be without its ack: 60 when absent, 240 at the most. */
  readonly ackSeconds?: number
  readonly clock?: () => Date
}

/** The options, checked and complete. */
export interface Side {
  readonly self: Speaker
  readonly findPeer: FindPeer
  readonly memory: LinkMemory
  readonly clock: () => Date
  readonly skewMs: number
  readonly handshakeMs: number
  readonly patienceMs: number
}

/** Sent again with its first time, a message has to be young enough to be taken. */
const MOST_ACK_SECONDS = 240

export async function openSide(options: SpeakerOptions): Promise<Side> {
  const { as, key, strict = true, minProtocolVersion = 'ADP/1.1', rateLimit, discover, skewSeconds = 0 } = options
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
