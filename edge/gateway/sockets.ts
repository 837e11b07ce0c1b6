// The WebSockets of one agent's object: what is known of each survives the object.
import { CLOSE_CODES, type LinkState } from 'blazon/agp'

/** WebSockets of an agent, of those who have not proved yet who they are, and of these from one address. */
const MOST_SOCKETS = 2500
const MOST_UNPROVED = 100
const MOST_UNPROVED_OF_SENDER = 10

/** Survives the object: what hibernates is not lost. */
export interface Attached {
  readonly link: LinkState
  readonly sender: string
  /** It came with a token for this agent. */
  readonly isInvited: boolean
  readonly since: number
}

/** True when no more may come, or no more from this address. Who has not said in `patience` who it is goes. */
export function isFull(ctx: DurableObjectState, sender: string, patience: number): boolean {
  // What a timer that was lost would have done.
  closeUnproved(ctx, Date.now() - patience)
  const sockets = ctx.getWebSockets()
  const unproved = sockets.map(attachedTo).filter(({ link }) => link.phase !== 'open')
  const own = unproved.filter((attached) => attached.sender === sender)
  return sockets.length >= MOST_SOCKETS || unproved.length >= MOST_UNPROVED || own.length >= MOST_UNPROVED_OF_SENDER
}

/** Closes those who came before this moment and have not said who they are. */
export function closeUnproved(ctx: DurableObjectState, before: number): void {
  for (const socket of ctx.getWebSockets()) {
    const { link, since } = attachedTo(socket)
    if (link.phase !== 'open' && since <= before) socket.close(CLOSE_CODES.policy, 'AGP-137')
  }
}

export const attachedTo = (socket: WebSocket): Attached => socket.deserializeAttachment() as Attached

export function isOpen(socket: WebSocket, agent: string): boolean {
  const { peer, phase } = attachedTo(socket).link
  return socket.readyState === WebSocket.OPEN && phase === 'open' && peer?.uri === agent
}
