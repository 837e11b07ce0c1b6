// Message contents that the draft leaves open: hellos, acks and the other messages that keep a conversation going. Each
// is JSON in canonical form in `content`, so that the signature of section 7.2.5 covers all of it.
import { canonicalizeValue } from '../core/value.ts'
import { parse } from '../document/parse.ts'
import { encodeBase64url, readBase64url } from '../keys/base64.ts'
import { isObject, type JsonObject, member } from '../text/members.ts'
import { cut, oneOf, shown } from '../text/words.ts'
import { AGP_CONTENT, AGP_HELLO } from './findings.ts'
import { domainOfUri, isSameAgent, type Message } from './message.ts'
import type { AgentError } from './outbox.ts'
import { isNumber, isUuid, type MessageFault } from './parse.ts'

/** The content of a hello: the identity of the sender, and the hello that it answers. */
export interface Hello {
  readonly agent: string
  /** The fingerprint of its key, as in its metadata. */
  readonly fingerprint: string
  /** `ADP/1.1`. */
  readonly protocol: string
  /** The id of the hello that this one answers. */
  readonly answers?: string
  /** Sixteen random bytes in base64url. */
  readonly nonce: string
  /** For a strict conversation: the expected number of the other side's next message. */
  readonly strict?: number
}

/** The content of a message of type system or ack. */
export type Control =
  | { readonly hello: Hello }
  | { readonly ack: string }
  | { readonly heartbeat: true }
  | { readonly error: AgentError }
  | { readonly disconnect: true }

const CONTENT_DEPTH = 4
const NONCE_BYTES = 16
const FINGERPRINT_BYTES = 32
const LONGEST_DETAIL = 200
const SYSTEM = ['hello', 'heartbeat', 'error', 'disconnect'] as const

const decoder = new TextDecoder()

/** Returns JSON in canonical form. */
export const contentOf = (value: JsonObject): string => decoder.decode(canonicalizeValue(value))

export const newNonce = (): string => encodeBase64url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))

/** Unknown members are ignored, as everywhere in the draft. */
export function readControl(message: Message): Control | MessageFault {
  const value = parse(message.body.content, { maxDepth: CONTENT_DEPTH }).document?.value
  if (!isObject(value)) return wrong('expected a JSON object as the content')
  if (message.type === 'ack') {
    const ack = member(value, 'ack')
    return isUuid(ack) ? { ack: ack.toLowerCase() } : wrong('expected { "ack": the id of a message }')
  }
  const names = SYSTEM.filter((name) => member(value, name) !== undefined)
  if (names.length !== 1) return wrong(`expected one of ${oneOf(SYSTEM)}`)
  return READERS[names[0]!](value, message)
}

const READERS: Readonly<
  Record<(typeof SYSTEM)[number], (content: JsonObject, message: Message) => Control | MessageFault>
> = {
  hello: readHello,
  heartbeat: () => ({ heartbeat: true }),
  disconnect: () => ({ disconnect: true }),
  error(content) {
    const [error, detail, of] = ['error', 'detail', 'of'].map((name) => member(content, name))
    if (typeof error !== 'string' || !/^[A-Z]{2,8}-\d{1,5}$/.test(error)) return wrong('expected the code of an error')
    const words = typeof detail === 'string' ? cut(detail, LONGEST_DETAIL) : ''
    return { error: { code: error, detail: words, of: isUuid(of) ? of.toLowerCase() : undefined } }
  },
}

function readHello(content: JsonObject, { from }: Message): Control | MessageFault {
  const [agent, fingerprint, protocol, answers, nonce, strict] = (
    ['agent', 'fingerprint', 'protocol', 'answers', 'nonce', 'strict'] as const
  ).map((name) => member(content, name))
  const lacks = (what: string, found: unknown): MessageFault => ({
    ...wrong(`expected ${what}, found ${shown(found)}`),
    kind: AGP_HELLO,
  })
  if (content['hello'] !== 1) return lacks('hello 1', content['hello'])
  if (typeof agent !== 'string' || domainOfUri(agent) === undefined || !isSameAgent(agent, from))
    return lacks('the sender as agent', agent)
  if (!isBytes(fingerprint, FINGERPRINT_BYTES, 'ed25519:')) return lacks('a fingerprint', fingerprint)
  if (typeof protocol !== 'string' || versionOf(protocol) === undefined)
    return lacks('a protocol such as ADP/1.1', protocol)
  if (answers !== undefined && !isUuid(answers)) return lacks('the id of a hello in answers', answers)
  if (!isBytes(nonce, NONCE_BYTES)) return lacks('a nonce of 16 bytes', nonce)
  if (strict !== undefined && !isNumber(strict)) return lacks('a number in strict', strict)
  const hello = { agent, fingerprint, protocol, nonce }
  return {
    hello: {
      ...hello,
      ...(answers !== undefined && { answers: answers.toLowerCase() }),
      ...(strict !== undefined && { strict }),
    },
  }
}

const isBytes = (text: unknown, length: number, prefix = ''): text is string =>
  typeof text === 'string' && text.startsWith(prefix) && readBase64url(text.slice(prefix.length))?.length === length

const wrong = (detail: string): MessageFault => ({ kind: AGP_CONTENT, pointer: '/body/content', detail })

/** Converts a version to a comparable number: 1001 for `ADP/1.1`. */
export function versionOf(protocol: string): number | undefined {
  const [, major, minor] = /^ADP\/(\d{1,3})\.(\d{1,3})$/.exec(protocol) ?? []
  return major === undefined ? undefined : Number(major) * 1000 + Number(minor)
}

export const isFault = (value: object): value is MessageFault => 'kind' in value && 'pointer' in value
