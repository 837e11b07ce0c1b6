// A conversation while its object is in memory.
import type { Link, Message } from 'blazon/agp'
import type { SocketState } from './sockets.ts'

export interface Live {
  readonly link: Link
  readonly attached: SocketState
  waiting: number
  characters: number
  /** Settles when all received messages are processed. */
  judged: Promise<unknown>
  out: Promise<unknown>
  /** The code of the error that the other agent signed instead of opening a conversation. */
  told?: string
}

/** A verified message that is about to be stored. */
export interface IncomingMessage {
  readonly socket: WebSocket
  readonly live: Live
  readonly message: Message
  readonly text: string
}
