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
  /** A socket that was just opened. Nothing of it is delivered before both hellos are exchanged and proved. */
  accept(socket: SocketLike): void
  /** Open conversations, one of each agent. */
  readonly conversations: ReadonlyMap<string, Conversation>
}

const MOST_CONVERSATIONS = 1000
const MOST_UNPROVED = 100

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
  const unproved = { count: 0 }
  return {
    conversations: open,
    accept(socket) {
      const isFull = unproved.count >= MOST_UNPROVED || open.size >= MOST_CONVERSATIONS
      if (isFull) socket.close(CLOSE_CODES.later, REFUSED.code)
      else take(socket, { side, options, open, unproved })
    },
  }
}

interface Here {
  readonly side: Side
  readonly options: ReceiverOptions
  readonly open: Map<string, Conversation & { replace(): void }>
  readonly unproved: { count: number }
}

function take(socket: SocketLike, { side, options, open, unproved }: Here): void {
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
  unproved.count++
  const carrier = new Carrier(socket, {
    link(out) {
      const state: LinkState = { role: 'receiver', phase: 'waiting', owed: 0 }
      link = new Link(self, { memory, findPeer, clock, skewMs, admit, out }, state)
      return link
    },
    memory,
    clock,
    handshakeMs,
    hooks: {
      onOpen({ peer, rate, levels }) {
        unproved.count--
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
        if (conversation === undefined) unproved.count--
        else if (open.get(conversation.peer) === conversation) open.delete(conversation.peer)
        outbox.end(diagnostic === undefined ? ENDED : LATE, 'the conversation is over')
        ended(diagnostic)
      },
    },
  })
}
