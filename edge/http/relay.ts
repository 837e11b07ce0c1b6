// Requests that the Worker passes to an object, and the object's answers. Answers carry problems as data, because a call
// doesn't pass on thrown errors unchanged.
import { Problem } from './problem.ts'
import { senderOf } from './sender.ts'

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
export async function answered<Value>(work: () => Value | Promise<Value>): Promise<ObjectAnswer<Value>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { name, message, extras } = error
    return { name, message, extras }
  }
}

/** In the Worker: returns the result, or throws the problem again. */
export function opened<Value>(answer: ObjectAnswer<Value>): Value {
  if ('value' in answer) return answer.value
  throw new Problem(answer.name, answer.message, answer.extras)
}
