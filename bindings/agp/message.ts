// Messages of the Agent Gateway Protocol (ADP/1.1 section 7.2.3).
import { isDomain } from '../text/host-name.ts'
import { checkedNow } from '../text/moment.ts'

export const MESSAGE_TYPES = ['chat', 'task', 'system', 'ack'] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]

export const CONTENT_TYPES = ['text/plain', 'text/html', 'application/json'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

/** The maximum size and nesting of a message. They are Blazon's own: the draft sets no limits. */
export const MESSAGE_BYTES = 262_144
export const MESSAGE_DEPTH = 32

/**
 * The second signature of a strict message, which covers everything that the first leaves out, and the number of the
 * message.
 */
export interface StrictMark {
  readonly n: number
  readonly signature: string
}

export interface MessageBody {
  readonly content: string
  /** Default: text/plain. Only a strict signature covers it. */
  readonly contentType?: ContentType
  /** The id of another message. Only a strict signature covers it. */
  readonly replyTo?: string
  readonly strict?: StrictMark
}

/** A message before it is signed. */
export interface Draft {
  /** A UUID. */
  readonly id: string
  /** `agent:alice.example.com`. */
  readonly from: string
  readonly to: string
  readonly type: MessageType
  /** RFC 3339. */
  readonly timestamp: string
  readonly body: MessageBody
}

export interface Message extends Draft {
  /** `ed25519:` and base64url without padding. */
  readonly signature: string
}

/** The parts of a message that the sender chooses. */
export interface MessageParts {
  readonly from: string
  readonly to: string
  /** Default `chat`. */
  readonly type?: MessageType
  readonly content: string
  readonly contentType?: ContentType
  readonly replyTo?: string
}

/** The parts of a message within a conversation, where both sides are known. */
export type MessageDraft = Omit<MessageParts, 'from' | 'to'>

/** Default: the current time and a random UUID. */
export interface BuildMessageOptions {
  readonly now?: Date
  readonly id?: string
}

/**
 * Builds a message from its parts, ready for `sign`.
 *
 * @example
 * const draft = buildMessage({ from: 'agent:alice.example.com', to: 'agent:bob.example.com', content: 'Good morning' })
 */
export function buildMessage(parts: MessageParts, options: BuildMessageOptions = {}): Draft {
  const { from, to, type = 'chat', content, contentType = 'text/plain', replyTo } = parts
  const { now, id = crypto.randomUUID() } = options
  const body = { content, contentType, ...(replyTo !== undefined && { replyTo }) }
  return { id, from, to, type, timestamp: checkedNow(now).toISOString(), body }
}

/** Returns the domain of an agent URI, in lower case. Undefined for any other text. */
export function domainOfUri(uri: string): string | undefined {
  const domain = /^agent:([^/]+)$/.exec(uri)?.[1]
  return domain !== undefined && isDomain(domain) ? domain.toLowerCase() : undefined
}

/** Domain names ignore case. */
export const isSameAgent = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
