// The WebSockets of one agent's object. The state of each survives hibernation.
import { CLOSE_CODES, type LinkState } from 'blazon/agp'
import { ownerOf } from '../http/sender.ts'

/** WebSockets of an agent, those whose peers are not verified yet, and the unverified ones from one address. */
const MOST_SOCKETS = 2500
const MOST_UNPROVED = 100
const MOST_UNPROVED_OF_SENDER = 10

/** The state of a socket that survives hibernation. */
export interface SocketState {
  readonly link: LinkState
  readonly sender: string
  /** The client came with a token for this agent. */
  readonly isInvited: boolean
  readonly since: number
}

/**
 * True when no further socket may open, or none from this address. Closes sockets whose peers did not identify
 * themselves within `patience`. When too many are unverified, closes the oldest of them. When there are too many in all,
 * closes the oldest of the owner who has the most. So nobody can lock everyone else out.
 */
export function isFull(ctx: DurableObjectState, sender: string, patience: number): boolean {
  // Makes up for a timer that was lost.
  closeUnproved(ctx, Date.now() - patience)
  const sockets = ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN)
  const unproved = sockets.filter((socket) => attachedTo(socket).link.phase !== 'open')
  const own = unproved.filter((socket) => attachedTo(socket).sender === sender)
  if (own.length >= MOST_UNPROVED_OF_SENDER) return true
  const isCrowded = sockets.length >= MOST_SOCKETS
  const candidates = isCrowded ? mostOfOneOwner(sockets, sender) : unproved.length >= MOST_UNPROVED ? unproved : []
  if (candidates.length > 0) oldest(candidates).close(CLOSE_CODES.later, 'AGP-135')
  return isCrowded && candidates.length === 0
}

/** The sockets of the owner who has the most; none if the sender's owner would then have as many. */
function mostOfOneOwner(sockets: readonly WebSocket[], sender: string): readonly WebSocket[] {
  const byOwner = new Map<string, WebSocket[]>()
  for (const socket of sockets) {
    const owner = ownerOf(attachedTo(socket).sender)
    const own = byOwner.get(owner)
    if (own === undefined) byOwner.set(owner, [socket])
    else own.push(socket)
  }
  const most = [...byOwner.values()].reduce((a, b) => (b.length > a.length ? b : a))
  const own = byOwner.get(ownerOf(sender)) ?? []
  return most.length > own.length + 1 ? most : []
}

const oldest = (sockets: readonly WebSocket[]) =>
  sockets.reduce((a, b) => (attachedTo(b).since < attachedTo(a).since ? b : a))

/** Closes the sockets opened before this moment whose peers have not identified themselves. */
export function closeUnproved(ctx: DurableObjectState, before: number): void {
  for (const socket of ctx.getWebSockets()) {
    const { link, since } = attachedTo(socket)
    if (link.phase !== 'open' && since <= before) socket.close(CLOSE_CODES.policy, 'AGP-137')
  }
}

export const attachedTo = (socket: WebSocket): SocketState => socket.deserializeAttachment() as SocketState

export function isOpen(socket: WebSocket, agent: string): boolean {
  const { peer, phase } = attachedTo(socket).link
  return socket.readyState === WebSocket.OPEN && phase === 'open' && peer?.uri === agent
}
