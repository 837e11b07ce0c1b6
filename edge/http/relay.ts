// Requests that the Worker passes to an object, and the object's answers. Answers carry problems as data, because a call
// doesn't pass on thrown errors unchanged.
import { addressOf } from '../platform/runtime.ts'
import { Problem } from './problem.ts'

/** A request in the form in which the Worker passes it to an object. */
export interface SentRequest {
  readonly method: string
  /** The public address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The network address of the client. */
  readonly sender: string
  /** The holder of the token that opened the route, if there was one. */
  readonly holder: string | undefined
}

/** Headers that agents don't sign: they are not passed to the object. */
const KEPT = ['authorization', 'cookie']

interface RequestParts {
  readonly request: Request
  readonly url: URL
  readonly body: Uint8Array
  readonly bearer: { readonly holder: string } | undefined
}

export function sentIn({ request, url, body, bearer }: RequestParts): SentRequest {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !KEPT.includes(name)))
  return { method: request.method, url: url.href, headers, body, sender: senderOf(request), holder: bearer?.holder }
}

type ProblemData = Pick<Problem, 'name' | 'message' | 'extras'>

export type ObjectAnswer<Value> = { readonly value: Value } | ProblemData

/** In the object: the result of the work, or the problem that it threw. */
export async function catchProblem<Value>(work: () => Value | Promise<Value>): Promise<ObjectAnswer<Value>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { name, message, extras } = error
    return { name, message, extras }
  }
}

/** In the Worker: returns the result, or throws the problem again. */
export function unwrapAnswer<Value>(answer: ObjectAnswer<Value>): Value {
  if ('value' in answer) return answer.value
  throw new Problem(answer.name, answer.message, answer.extras)
}

/** The period of the rate limits, in seconds. */
export const MINUTE = 60

/** Senders that a platform cannot distinguish are counted together. */
export const UNKNOWN = 'unknown'

/** The sender for rate limits. An IPv6 sender counts as its /64. */
export function senderOf(request: Pick<Request, 'headers'>): string {
  const address = addressOf(request)
  if (address === null) return UNKNOWN
  return address.includes(':') ? networkOf(address, 64) : address
}

/** The part of a sender that one owner may control: for IPv6 its /56, which providers give to a household. */
export const ownerOf = (sender: string): string =>
  sender.endsWith('/64') ? networkOf(sender.slice(0, -'/64'.length), 56) : sender

/** The network of an IPv6 address, written as its first four groups. */
function networkOf(address: string, bits: 56 | 64): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const [a = 0, b = 0, c = 0, d = 0] = [...groups, ...zeros, ...rest].map((group) => Number.parseInt(group, 16))
  return `${[a, b, c, bits === 56 ? d & 0xff00 : d].map((group) => group.toString(16)).join(':')}::/${bits}`
}
