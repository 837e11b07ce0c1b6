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

/**
 * True when no more may come, or no more from this address. Sockets close that have not proved in `patience` who they are. When too many
 * are unproved, the oldest gives its place away, so that nobody keeps all others out.
 */
export function isFull(ctx: DurableObjectState, sender: string, patience: number): boolean {
  // What a timer that was lost would have done.
  closeUnproved(ctx, Date.now() - patience)
  const sockets = ctx.getWebSockets()
  const unproved = sockets.filter((socket) => attachedTo(socket).link.phase !== 'open')
  const own = unproved.filter((socket) => attachedTo(socket).sender === sender)
  if (sockets.length >= MOST_SOCKETS || own.length >= MOST_UNPROVED_OF_SENDER) return true
  if (unproved.length >= MOST_UNPROVED) oldest(unproved).close(CLOSE_CODES.later, 'AGP-135')
  return false
}

const oldest = (sockets: readonly WebSocket[]) =>
  sockets.reduce((a, b) => (attachedTo(b).since < attachedTo(a).since ? b : a))

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
