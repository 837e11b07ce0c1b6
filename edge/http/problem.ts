import { apiHeaders } from './headers.ts'

/** The problems of answers (RFC 9457). `/#name` on the site's first page describes each one: public/index.html. */
const PROBLEMS = {
  'bad-request': [400, 'The request is wrong'],
  unauthorized: [401, 'This takes a token'],
  forbidden: [403, 'This is switched off here'],
  'insufficient-scope': [403, 'This token is for something else'],
  'not-found': [404, 'There is nothing here'],
  'method-not-allowed': [405, 'This method does not apply here'],
  conflict: [409, 'It is in another state'],
  gone: [410, 'It is gone, or kept out'],
  'condition-failed': [412, 'It has changed in the meantime'],
  'body-too-large': [413, 'The body is too large'],
  'unsupported-media-type': [415, 'The body is of a kind that is not read here'],
  misdirected: [421, 'This host is not served here'],
  'unreadable-document': [422, 'The document cannot be read'],
  'invalid-document': [422, 'The document is not valid'],
  'review-needed': [422, 'Somebody must confirm this first'],
  'key-used': [422, 'This key was used for something else'],
  'too-many-requests': [429, 'That is too many requests'],
  'internal-error': [500, 'Something went wrong here'],
  unavailable: [503, 'It does not answer right now'],
  full: [507, 'There is no room for more'],
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
