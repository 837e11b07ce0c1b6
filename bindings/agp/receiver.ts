import { diagnoseNowhere } from '../document/diagnose.ts'
import type { Diagnostic } from '../document/types.ts'
import { CLOSE_CODES } from '../net/frames.ts'
import type { Conversation } from './connect.ts'
import * as FINDINGS from './findings.ts'
import type { Message } from './message.ts'
import type { AgentError } from './outbox.ts'
import { Sending } from './sending.ts'
import { openSide, Session, type Side, type SocketLike, type SpeakerOptions } from './session.ts'

export declare namespace openReceiver {
  interface Options extends Omit<SpeakerOptions, 'onMessage'> {
    /** The message is acknowledged once this completes. If it fails, the other agent gets an error. */
    readonly onMessage: (message: Message, conversation: Conversation) => void | Promise<void>
    /** Decides which verified agents may speak. Default: all. */
    readonly admit?: (agent: string) => boolean | Promise<boolean>
    /** When a further agent comes, the conversation that was silent longest is closed. Default: 1,000. */
    readonly mostConversations?: number
    readonly onConversation?: (conversation: Conversation) => void
    readonly onError?: (error: AgentError, conversation: Conversation) => void
  }

  /** Accepts the WebSockets that other agents open. */
  interface Result {
    /**
     * Accepts a socket that was just opened. Nothing is delivered before both hellos are exchanged and verified.
     *
     * @param sender the network address of the caller. It limits how much of the shared capacity for lookups one address
     * can use.
     */
    accept(socket: SocketLike, sender?: string): void
    /** Open conversations, one per agent. */
    readonly conversations: ReadonlyMap<string, Conversation>
  }
}

const MOST_CONVERSATIONS = 1_000
const MOST_UNPROVED = 100
const TOO_MANY_OPEN = diagnoseNowhere(FINDINGS.AGP_REFUSED, {
  detail: 'too many conversations are open, and this one was silent longest',
})
const REPLACED = diagnoseNowhere(FINDINGS.AGP_ENDED, { detail: 'the agent has begun another conversation' })
const TOO_MANY_UNPROVED = diagnoseNowhere(FINDINGS.AGP_REFUSED, {
  detail: 'too many callers have not proved who they are',
})

/**
 * Prepares an agent to receive conversations.
 *
 * @example
 * const receiver = await openReceiver({ key, as: 'agent:bob.example.com', discover: find, onMessage })
 * server.on('connection', (socket) => receiver.accept(socket))
 *
 * @throws {KeyError} for a key that cannot sign, {RangeError} for an invalid option.
 */
export async function openReceiver(options: openReceiver.Options): Promise<openReceiver.Result> {
  const side = await openSide(options as unknown as SpeakerOptions)
  const most = options.mostConversations ?? MOST_CONVERSATIONS
  if (!(Number.isSafeInteger(most) && most > 0)) throw new RangeError('mostConversations is a positive whole number')
  const open = new Map<string, OpenConversation>()
  const unproved = new Set<Session>()
  return {
    conversations: open,
    accept(socket, sender = '') {
      // Unproved callers must not keep others out: the oldest one is disconnected.
      if (unproved.size >= MOST_UNPROVED) unproved.values().next().value!.end(CLOSE_CODES.later, TOO_MANY_UNPROVED)
      take(socket, { side, options, most, open, unproved, sender })
    },
  }
}

interface OpenConversation extends Conversation {
  end(code: number, diagnostic: Diagnostic): void
}

interface Here {
  readonly side: Side
  readonly options: openReceiver.Options
  readonly most: number
  /** By agent; the one that was silent longest is first. */
  readonly open: Map<string, OpenConversation>
  /** Callers that are not proved yet, oldest first. */
  readonly unproved: Set<Session>
  readonly sender: string
}

function take(socket: SocketLike, { side, options, most, open, unproved, sender }: Here): void {
  const admit = async ({ uri }: { readonly uri: string }) =>
    options.admit === undefined || (await options.admit(uri))
      ? undefined
      : { kind: FINDINGS.AGP_REFUSED, pointer: '/from', detail: `${uri} may not speak here` }
  const sending = new Sending(side)
  let ended!: (diagnostic: Diagnostic | undefined) => void
  let conversation: OpenConversation | undefined
  const putLast = (spoken: OpenConversation) => {
    open.delete(spoken.peer)
    open.set(spoken.peer, spoken)
  }
  const end = new Promise<Diagnostic | undefined>((done) => {
    ended = done
  })
  const session: Session = new Session(socket, side, {
    role: 'receiver',
    sender,
    admit,
    sending,
    hooks: {
      onOpen({ peer, levels }) {
        unproved.delete(session)
        open.get(peer)?.end(CLOSE_CODES.replaced, REPLACED)
        if (open.size >= most && !open.has(peer)) open.values().next().value!.end(CLOSE_CODES.later, TOO_MANY_OPEN)
        conversation = {
          peer,
          levels,
          isStrict: session.isStrict,
          send: (utterance) => sending.send(utterance),
          close: () => session.leave(),
          end: (code, diagnostic) => session.end(code, diagnostic),
          ended: end,
        }
        putLast(conversation)
        options.onConversation?.(conversation)
      },
      onMessage(message) {
        if (open.get(conversation!.peer) === conversation) putLast(conversation!)
        return options.onMessage(message, conversation!)
      },
      onError(error) {
        if (conversation !== undefined) options.onError?.(error, conversation)
      },
      onEnd(diagnostic) {
        unproved.delete(session)
        if (conversation !== undefined && open.get(conversation.peer) === conversation) open.delete(conversation.peer)
        sending.end(diagnostic === undefined ? FINDINGS.AGP_ENDED : FINDINGS.AGP_LATE, 'the conversation is over')
        ended(diagnostic)
      },
    },
  })
  unproved.add(session)
}
