// The parts of a link: the local agent, the state and the acts.
import type { ReachedLevel } from '../discover/trust/levels.ts'
import type { Diagnostic } from '../document/types.ts'
import type { LinkMemory } from './memory.ts'
import type { Draft, Message, MessageDraft } from './message.ts'
import type { AgentError } from './outbox.ts'
import type { MessageFault } from './parse.ts'
import type { Peer } from './peer.ts'
import type { FindPeer } from './peers.ts'
import type { MessageRate } from './rate.ts'

/** The local agent. */
export interface Speaker {
  readonly uri: string
  readonly fingerprint: string
  /** Offers strict conversations, and accepts them. */
  readonly strict: boolean
  /** Peers that speak a lower version get an error and are disconnected. */
  readonly minProtocolVersion: string | undefined
  /** How many messages it accepts from each agent, as in its metadata. */
  readonly rate: MessageRate | undefined
  /** Signs messages in order, with numbers in a strict conversation, and returns their texts. */
  sign(drafts: readonly NumberedDraft[]): Promise<readonly string[]>
}

export interface NumberedDraft {
  readonly draft: Draft
  readonly n: number | undefined
}

export interface LinkOptions {
  readonly memory: LinkMemory
  readonly findPeer: FindPeer
  /** The network address of a calling peer. Empty when unknown. */
  readonly sender?: string
  /** Decides whether a proved peer may speak. Undefined admits it. */
  readonly admit?: ((peer: Peer) => MessageFault | undefined | Promise<MessageFault | undefined>) | undefined
  readonly clock: () => Date
  readonly skewMs: number
}

/** The whole state of a conversation, as data. */
export interface LinkState {
  readonly role: 'caller' | 'receiver'
  /** `waiting` for a hello; `greeted`: waiting for the answer to its own hello; `open`; `over`. */
  phase: 'waiting' | 'greeted' | 'open' | 'over'
  /** The other agent, once it is known, with its key as base64url. */
  peer?: { readonly uri: string; readonly key: string; readonly rate: MessageRate | undefined }
  /** The id of the hello that this side sent. */
  hello?: string
  /** The numbers of the next strict messages of the other side and of this side. */
  strict?: { in: number; out: number }
  /**
   * How many messages the other side still has to acknowledge. Its acks for these do not count against its rate limit.
   */
  owed: number
}

export type LinkAct =
  | {
      readonly act: 'open'
      readonly peer: string
      readonly rate: MessageRate | undefined
      /** The levels of the discovery, and `peer-verified`, because signed messages went both ways. */
      readonly levels: readonly ReachedLevel[]
    }
  | { readonly act: 'deliver'; readonly message: Message; readonly text: string }
  | { readonly act: 'acked'; readonly id: string }
  | ({ readonly act: 'told' } & AgentError)
  | { readonly act: 'close'; readonly code: number; readonly diagnostic: Diagnostic | undefined }

/** A message of this side. One that is sent again keeps its id and time. */
export interface OutgoingMessage {
  readonly id: string
  readonly content: MessageDraft
  /** When it was first sent: milliseconds since 1970. */
  readonly sent: number
}
