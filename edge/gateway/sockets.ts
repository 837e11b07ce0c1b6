// The WebSockets of one agent's object, and what happens on them. The state of each survives hibernation.
import { CLOSE_CODES, type Link, type Message } from 'blazon/agp'
import type { Carrier } from '../../bindings/agp/carrier.ts'
import { ownerOf } from '../http/relay.ts'
import { acceptSocket } from '../platform/runtime.ts'
import type { ObjectState, Socket } from '../platform/types.ts'

/** WebSockets of an agent, those whose peers are not verified yet, and the unverified ones from one address. */
const MOST_SOCKETS = 2500
const MOST_UNPROVED = 100
const MOST_UNPROVED_OF_SENDER = 10
const MOST_LISTED = 100

/** The state of a socket that survives hibernation. */
export interface SocketState {
  readonly link: Link.State
  readonly sender: string
  /** The client came with a token for this agent. */
  readonly isInvited: boolean
  readonly since: number
}

/** A conversation while its object is in memory. */
export interface Live {
  readonly socket: Socket
  readonly carrier: Carrier<readonly ConversationAct[], Link>
  /** The code of the error that the other agent signed instead of opening a conversation. */
  told?: string
}

/** A conversation that was begun here has ended, or could not begin. */
export interface LeftAct {
  readonly act: 'left'
  readonly agent: string
  readonly reason: string
  /** The code of a final refusal: the agent is not called again. */
  readonly code?: string | undefined
}

/** What the object of an agent has to do. */
export type ConversationAct =
  | { readonly act: 'opened'; readonly agent: string; readonly isOurs: boolean }
  | { readonly act: 'acked'; readonly agent: string; readonly id: string }
  | ({ readonly agent: string } & Extract<Link.Act, { readonly act: 'told' }>)
  /** A verified message: store it, then answer it. */
  | { readonly act: 'arrived'; readonly live: Live; readonly message: Message; readonly text: string }
  | LeftAct

type Caller = Pick<SocketState, 'sender' | 'isInvited'>

/** Opens a WebSocket to the object. */
export function acceptCaller(ctx: ObjectState, caller: Caller): Response {
  const link = { role: 'receiver', phase: 'waiting', owed: 0 } as const
  return acceptSocket(ctx, { ...caller, link, since: Date.now() } satisfies SocketState)
}

/** The objects with a timer for the oldest socket whose peer is not verified. */
const timed = new WeakSet<ObjectState>()

/**
 * Closes each socket whose peer does not identify itself within `patience`. One timer serves all sockets, because it
 * reads the state of each: with a timer for each, 2,000 sockets would be read 2,000 times.
 */
export function watchUnproved(ctx: ObjectState, patience: number, pause = patience): void {
  if (timed.has(ctx)) return
  timed.add(ctx)
  setTimeout(() => {
    timed.delete(ctx)
    const now = Date.now()
    const next = closeUnproved(ctx, now - patience)
    if (next !== undefined) watchUnproved(ctx, patience, next + patience - now)
  }, pause)
}

/**
 * True when no further socket may open, or none from this address. Closes sockets whose peers did not identify
 * themselves within `patience`. When too many are unverified, closes the oldest of them. When there are too many in all,
 * closes the oldest of the owner who has the most. So nobody can lock everyone else out.
 */
export function isFull(ctx: ObjectState, sender: string, patience: number): boolean {
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
function mostOfOneOwner(sockets: readonly Socket[], sender: string): readonly Socket[] {
  const byOwner = new Map<string, Socket[]>()
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

const oldest = (sockets: readonly Socket[]) =>
  sockets.reduce((a, b) => (attachedTo(b).since < attachedTo(a).since ? b : a))

/**
 * Closes the sockets opened before this moment whose peers have not identified themselves. Returns when the first of the
 * others opened.
 */
function closeUnproved(ctx: ObjectState, before: number): number | undefined {
  let first: number | undefined
  for (const socket of ctx.getWebSockets()) {
    const { link, since } = attachedTo(socket)
    if (link.phase === 'open') continue
    if (since <= before) socket.close(CLOSE_CODES.policy, 'AGP-137')
    else first = Math.min(first ?? since, since)
  }
  return first
}

export const attachedTo = (socket: Socket): SocketState => socket.deserializeAttachment() as SocketState

export function isOpen(socket: Socket, agent: string): boolean {
  const { peer, phase } = attachedTo(socket).link
  return socket.readyState === WebSocket.OPEN && phase === 'open' && peer?.uri === agent
}

/** The number of sockets, and the first conversations, for the operator. */
export function socketsIn(ctx: ObjectState) {
  const sockets = ctx.getWebSockets().map(attachedTo)
  const open = sockets.filter(({ link }) => link.phase === 'open')
  const conversations = open.slice(0, MOST_LISTED).map(({ link, since }) => {
    return { agent: link.peer!.uri, since: new Date(since).toISOString(), strict: link.strict !== undefined }
  })
  return { sockets: sockets.length, unproved: sockets.length - open.length, conversations }
}
