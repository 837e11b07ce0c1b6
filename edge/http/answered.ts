// Answers of an object to a Worker. They carry problems as data, because a call doesn't pass on thrown errors
// unchanged.
import { Problem, type ProblemName } from './problem.ts'

interface ProblemData {
  readonly problem: ProblemName
  readonly detail: string
  readonly members: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
}

export type ObjectAnswer<Value> = { readonly value: Value } | ProblemData

/** In the object: the result of the work, or the problem that it threw. */
export async function answered<Value>(work: () => Value | Promise<Value>): Promise<ObjectAnswer<Value>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { name, message, extras } = error
    return { problem: name, detail: message, members: extras.members ?? {}, headers: extras.headers ?? {} }
  }
}

/** In the Worker: returns the result, or throws the problem again. */
export function opened<Value>(answer: ObjectAnswer<Value>): Value {
  if ('value' in answer) return answer.value
  const { problem, detail, members, headers } = answer
  throw new Problem(problem, detail, { members, headers })
}
