import type { Diagnostic } from 'blazon'
import { apiHeaders } from './answer.ts'

/** The problems of answers (RFC 9457). `/#name` on the site's first page describes each one: public/index.html. */
const PROBLEMS = {
  'bad-request': [400, 'The request is invalid'],
  unauthorized: [401, 'A token is required'],
  forbidden: [403, 'This is not allowed'],
  'insufficient-scope': [403, 'The scope of the token is insufficient'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'This method is not allowed'],
  conflict: [409, 'This conflicts with the current state'],
  gone: [410, 'It was removed or blocked'],
  'condition-failed': [412, 'The condition of the request is not met'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The media type is not supported'],
  'range-not-satisfiable': [416, 'The range does not fit'],
  misdirected: [421, 'This host is not served here'],
  'unreadable-document': [422, 'The document cannot be read'],
  'invalid-document': [422, 'The document is invalid'],
  'review-needed': [422, 'A person must confirm this first'],
  'key-used': [422, 'The key was used for another request'],
  'too-many-requests': [429, 'Too many requests'],
  'internal-error': [500, 'Internal error'],
  unavailable: [503, 'Temporarily unavailable'],
  full: [507, 'A limit of storage is reached'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemName = keyof typeof PROBLEMS

export function statusOf(name: ProblemName): number {
  return PROBLEMS[name][0]
}

interface Extras {
  /** Members in addition to those of RFC 9457 section 3.1. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown by a handler to answer with a problem document. */
export class Problem extends Error {
  override readonly name: ProblemName
  readonly extras: Extras

  constructor(name: ProblemName, detail: string, extras: Extras = {}) {
    super(detail)
    this.name = name
    this.extras = extras
  }
}

/** A document that is refused because of its first error. The answer has all diagnostics. */
export function diagnosed(name: ProblemName, diagnostics: readonly Diagnostic[]): Problem {
  const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0]!
  return new Problem(name, first.detail, { members: { diagnostics } })
}

type ErrorClass = typeof TypeError | typeof RangeError

/** The result of `work`. Its errors of these classes are the client's fault. */
export async function refusing<T>(faults: readonly ErrorClass[], work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!faults.some((fault) => error instanceof fault)) throw error
    throw new Problem('bad-request', (error as Error).message)
  }
}

/**
 * The answer for a problem. With `origin`, its type is an address that people can open; without, it is a relative
 * reference.
 */
export function problemResponse(problem: Problem, origin = ''): Response {
  const [status, title] = PROBLEMS[problem.name]
  const type = `${origin}/#${problem.name}`
  const body = JSON.stringify({ type, title, status, detail: problem.message, ...problem.extras.members })
  return new Response(body, {
    status,
    headers: apiHeaders({ 'content-type': 'application/problem+json', ...problem.extras.headers }),
  })
}
