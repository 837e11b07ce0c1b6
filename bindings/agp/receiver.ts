import { diagnoseNowhere } from '../document/diagnose.ts'
import type { Diagnostic } from '../document/types.ts'
import { CLOSE_CODES } from '../net/close-codes.ts'
import { Carrier, type SocketLike } from './carrier.ts'
import type { AgentError, Conversation } from './connect.ts'
import { ENDED, LATE, RATE, REFUSED } from './findings.ts'
import { Link } from './link.ts'
import type { LinkState } from './link-parts.ts'
import type { Message } from './message.ts'
import { Outbox } from './outbox.ts'
import { openSide, type Side, type SpeakerOptions } from './self.ts'

export interface ReceiverOptions extends Omit<SpeakerOptions, 'onMessage'> {
  /** A message is acknowledged when this is done; if it fails, the other agent is told. */
  readonly onMessage: (message: Message, conversation: Conversation) => void | Promise<void>
  /** Decides who may speak, once it is proved who that is: everybody when absent. */
  readonly admit?: (agent: string) => boolean | Promise<boolean>
  readonly onConversation?: (conversation: Conversation) => void
  readonly onError?: (error: AgentError, conversation: Conversation) => void
}

/** Takes the WebSockets that others open to an agent. */
export interface Receiver {
  /**
   * Takes a socket that was just opened. Nothing of it is delivered before both hellos are exchanged and proved.
   *
   * @param sender the network address of the caller. It keeps one address from using up what all callers have for their discovery.
   */
  accept(socket: SocketLike, sender?: string): void
  /** Open conversations, one of each agent. */
  readonly conversations: ReadonlyMap<string, Conversation>
}

const MOST_CONVERSATIONS = 1000
const MOST_UNPROVED = 100
const TOO_MANY_UNPROVED = diagnoseNowhere(REFUSED, { detail: 'too many callers have not proved who they are' })

/**
 * Prepares an agent for those who speak to it.
 *
 * @example
 * const receiver = await openReceiver({ key, as: 'agent:bob.example.com', discover: find, onMessage })
 * server.on('connection', (socket) => receiver.accept(socket))
 *
 * @throws {KeyError} for a key that cannot sign, {RangeError} for a wrong option.
 */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const side = await openSide(options as unknown as SpeakerOptions)
  const open = new Map<string, Conversation & { replace(): void }>()
  const unproved = new Set<Carrier>()
  return {
    conversations: open,
    accept(socket, sender = '') {
      if (open.size >= MOST_CONVERSATIONS) return socket.close(CLOSE_CODES.later, REFUSED.code)
      // Nobody who proves nothing keeps others out.
      if (unproved.size >= MOST_UNPROVED) unproved.values().next().value!.end(CLOSE_CODES.later, TOO_MANY_UNPROVED)
      take(socket, { side, options, open, unproved, sender })
    },
  }
}

interface Here {
  readonly side: Side
  readonly options: ReceiverOptions
  readonly open: Map<string, Conversation & { replace(): void }>
  /** The oldest are first. */
  readonly unproved: Set<Carrier>
  readonly sender: string
}

function take(socket: SocketLike, { side, options, open, unproved, sender }: Here): void {
  const { self, memory, clock, skewMs, findPeer, handshakeMs, patienceMs } = side
  const admit = async ({ uri }: { readonly uri: string }) =>
    options.admit === undefined || (await options.admit(uri))
      ? undefined
      : { kind: REFUSED, pointer: '/from', detail: `${uri} may not speak here` }
  let link!: Link
  const outbox = new Outbox({ clock, patienceMs, carry: (messages) => link.compose(messages) })
  let ended!: (diagnostic: Diagnostic | undefined) => void
  let conversation: (Conversation & { replace(): void }) | undefined
  const end = new Promise<Diagnostic | undefined>((done) => {
    ended = done
  })
  const carrier = new Carrier(socket, {
    link(out) {
      const state: LinkState = { role: 'receiver', phase: 'waiting', owed: 0 }
      link = new Link(self, { memory, findPeer, sender, clock, skewMs, admit, out }, state)
      return link
    },
    memory,
    clock,
    handshakeMs,
    hooks: {
      onOpen({ peer, rate, levels }) {
        unproved.delete(carrier)
        open.get(peer)?.replace()
        conversation = {
          peer,
          levels,
          isStrict: link.state.strict !== undefined,
          send: (utterance) => outbox.send(utterance),
          close: () => carrier.leave(),
          replace: () =>
            carrier.end(
              CLOSE_CODES.replaced,
              diagnoseNowhere(ENDED, { detail: 'the agent has begun another conversation' }),
            ),
          ended: end,
        }
        open.set(peer, conversation)
        outbox.open(rate)
        options.onConversation?.(conversation)
      },
      onMessage: (message) => options.onMessage(message, conversation!),
      onAcked: (id) => outbox.acked(id),
      onTold(code, detail, of) {
        if (code === RATE.code) outbox.slowDown(of)
        else if (of !== undefined) outbox.refused(of, code, detail)
        if (conversation !== undefined) options.onError?.({ code, detail, of }, conversation)
      },
      onEnd(diagnostic) {
        unproved.delete(carrier)
        if (conversation !== undefined && open.get(conversation.peer) === conversation) open.delete(conversation.peer)
        outbox.end(diagnostic === undefined ? ENDED : LATE, 'the conversation is over')
        ended(diagnostic)
      },
    },
  })
  unproved.add(carrier)
}
