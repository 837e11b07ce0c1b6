// A conversation while its object is in memory.
import type { Link, Message } from 'blazon/agp'
import type { Attached } from './sockets.ts'

export interface Live {
  readonly link: Link
  readonly attached: Attached
  waiting: number
  characters: number
  /** What came is judged and carried out. */
  judged: Promise<unknown>
  out: Promise<unknown>
  /** The error that the other agent signed in place of a conversation. */
  told?: string
}

/** A message that is proved, and is to be stored. */
export interface Arrived {
  readonly socket: WebSocket
  readonly live: Live
  readonly message: Message
  readonly text: string
}
