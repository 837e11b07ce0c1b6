// The parts of a link: who is on this side, what it knows, what it asks for.
import type { Reached } from '../discover/trust/levels.ts'
import type { Diagnostic } from '../document/types.ts'
import type { MessageFault } from './faults.ts'
import type { LinkMemory } from './memory.ts'
import type { Draft, Message, MessageParts } from './message.ts'
import type { Peer } from './peer.ts'
import type { FindPeer } from './peers.ts'
import type { MessageRate } from './rate.ts'

/** The agent on this side. */
export interface Speaker {
  readonly uri: string
  readonly fingerprint: string
  /** Offers strict conversations, and takes them. */
  readonly strict: boolean
  /** Who speaks a lower version is told so, and left. */
  readonly minProtocolVersion: string | undefined
  /** How much it lets each agent say, as its metadata has it. */
  readonly rate: MessageRate | undefined
  /** Signs messages in their order, each with its number in a strict conversation, and gives their texts. */
  sign(drafts: readonly NumberedDraft[]): Promise<readonly string[]>
}

export interface NumberedDraft {
  readonly draft: Draft
  readonly n: number | undefined
}

export interface LinkOptions {
  readonly memory: LinkMemory
  readonly findPeer: FindPeer
  /** The network address of the other side, where that has called: empty when nobody knows it. */
  readonly sender?: string
  /** Judges who is proved and wants to speak: undefined lets it in. */
  readonly admit?: ((peer: Peer) => MessageFault | undefined | Promise<MessageFault | undefined>) | undefined
  readonly clock: () => Date
  readonly skewMs: number
  /** Takes what is to be sent, in the order in which it has to arrive; signing may take a while. */
  readonly out: (texts: Promise<readonly string[]>) => void
}

/** Everything that a conversation knows, as data. */
export interface LinkState {
  readonly role: 'caller' | 'receiver'
  /** `waiting` for a hello, `greeted` with one of its own that has to be answered, `open`, `over`. */
  phase: 'waiting' | 'greeted' | 'open' | 'over'
  /** The other agent, once it is known who that is to be; its key as base64url. */
  peer?: { readonly uri: string; readonly key: string; readonly rate: MessageRate | undefined }
  /** The id of the hello of this side. */
  hello?: string
  /** The numbers of the next strict messages, of the other side and of this one. */
  strict?: { in: number; out: number }
  /** Messages that the other side has yet to acknowledge: its acks for these count for no limit. */
  owed: number
}

export type LinkAct =
  | {
      readonly act: 'open'
      readonly peer: string
      readonly rate: MessageRate | undefined
      /** Those of the way by which the agent was found, and that signed messages went both ways. */
      readonly levels: readonly Reached[]
    }
  | { readonly act: 'deliver'; readonly message: Message; readonly text: string }
  | { readonly act: 'acked'; readonly id: string }
  | { readonly act: 'told'; readonly error: string; readonly detail: string; readonly of: string | undefined }
  | { readonly act: 'close'; readonly code: number; readonly diagnostic: Diagnostic | undefined }

/** The parts of a message of this side; one that is sent again keeps its id and time. */
export type Sending = Omit<MessageParts, 'from' | 'to'> & { readonly id?: string; readonly timestamp?: string }
