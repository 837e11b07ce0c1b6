// A2A over HTTP: the version of a client, and errors as google.rpc.Status in 1.0 (section 11.6), in 0.3 as the JSON-RPC
// error object that its SDKs read.
import type { Call, Tell } from '../access/route.ts'
import type { A2aVersion } from '../contracts/directory.ts'
import { apiHeaders } from '../http/answer.ts'
import { Problem, type ProblemName, statusOf } from '../http/problem.ts'

/** The version of a client that names none (A2A 1.0, section 3.6). */
const UNSAID = '0.3'

export const A2A_TYPES: Readonly<Record<A2aVersion, string>> = {
  '1.0': 'application/a2a+json',
  '0.3': 'application/json',
}

/**
 * The version that a client asks for in the header or the parameter, without its patch number, which never counts;
 * undefined if it is not supported.
 */
export function versionOf({ request, url }: Pick<Call, 'request' | 'url'>): A2aVersion | undefined {
  const said = request.headers.get('a2a-version') ?? url.searchParams.get('A2A-Version') ?? ''
  const version = said.trim().replace(/^(\d+\.\d+)\.\d+$/, '$1') || UNSAID
  return Object.hasOwn(A2A_TYPES, version) ? (version as A2aVersion) : undefined
}

const DOMAIN = 'a2a-protocol.org'

/** For each error: the problem, the name of its gRPC status, and its JSON-RPC number (section 5.4). */
const FAULTS = {
  TASK_NOT_FOUND: ['not-found', 'NOT_FOUND', -32001],
  PUSH_NOTIFICATION_NOT_SUPPORTED: ['bad-request', 'FAILED_PRECONDITION', -32003],
  UNSUPPORTED_OPERATION: ['bad-request', 'FAILED_PRECONDITION', -32004],
  CONTENT_TYPE_NOT_SUPPORTED: ['bad-request', 'INVALID_ARGUMENT', -32005],
  VERSION_NOT_SUPPORTED: ['bad-request', 'FAILED_PRECONDITION', -32009],
  INVALID_PARAMS: ['bad-request', 'INVALID_ARGUMENT', -32602],
} as const satisfies Record<string, readonly [problem: ProblemName, status: string, code: number]>

/** The same for problems without an A2A error, by HTTP status. */
const OTHERS: Readonly<Record<number, readonly [status: string, code: number]>> = {
  400: ['INVALID_ARGUMENT', -32602],
  405: ['UNIMPLEMENTED', -32601],
  413: ['INVALID_ARGUMENT', -32602],
  415: ['INVALID_ARGUMENT', -32005],
  429: ['RESOURCE_EXHAUSTED', -32603],
  503: ['UNAVAILABLE', -32603],
}
const INTERNAL = ['INTERNAL', -32603] as const

export class Fault extends Problem {
  readonly reason: keyof typeof FAULTS

  constructor(reason: keyof typeof FAULTS, detail: string) {
    super(FAULTS[reason][0], detail)
    this.reason = reason
  }
}

/** Answers with a problem in the form of the client's version; an unsupported version gets the form of 1.0. */
export const tellFault: Tell = (problem, { request, url }) => {
  const http = statusOf(problem.name)
  const known = problem instanceof Fault ? problem.reason : undefined
  const [status, code] = known === undefined ? (OTHERS[http] ?? INTERNAL) : [FAULTS[known][1], FAULTS[known][2]]
  const { message } = problem
  const legacy = versionOf({ request, url }) === '0.3'
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: known ?? problem.name.toUpperCase().replaceAll('-', '_'),
    domain: known === undefined ? url.hostname : DOMAIN,
  }
  const body = legacy ? { code, message } : { error: { code: http, status, message, details: [info] } }
  const type = A2A_TYPES[legacy ? '0.3' : '1.0']
  const headers = apiHeaders({ ...problem.extras.headers, 'content-type': type })
  return new Response(JSON.stringify(body), { status: http, headers })
}
