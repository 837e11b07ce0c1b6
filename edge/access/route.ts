import type { Identity } from '../contracts/documents.ts'
import type { Env } from '../env.ts'
import type { BodyRule } from '../http/body.ts'
import type { Problem } from '../http/problem.ts'
import type { Parameters } from '../http/query.ts'
import type { Claims, Scope } from './token.ts'

/** A request as the handler of its route gets it. */
export interface Call<Part extends string = never> {
  readonly request: Request
  /** The public address. */
  readonly url: URL
  /** The agent of the requested host; undefined at a host of the deployment that has no agent. */
  readonly agent: string | undefined
  /** What that agent publishes, if it was read together with the host. */
  readonly identity: Identity | undefined
  readonly env: Env
  /** The variable parts of the path, decoded. */
  readonly parts: Readonly<Record<Part, string>>
  /** Empty when the route accepts no body. */
  readonly body: Uint8Array
  /** The claims of the request's token; undefined without a token, or if the request carried the secret itself. */
  readonly bearer: Claims | undefined
}

/** The bindings of wrangler.jsonc that limit the requests from one address. */
export type Limit = 'QUERIES' | 'CHECKS'

/** Only the secret itself has `grant`: no token can issue or withdraw others. */
export type RouteScope = Exclude<Scope, 'publish-one' | 'read-one'> | 'grant'

export interface Access {
  readonly scope: RouteScope
  /** Another scope that is enough: the handler may show less to its holder. */
  readonly or?: RouteScope
  /** A request without a token is admitted as well, but anonymously. */
  readonly optional?: true
  /** The token is also accepted as the password of Basic. */
  readonly basic?: true
  /** Names the one agent or developer that a call concerns: a token for that one alone is accepted as well. */
  of?(call: Call<string>): string
}

export interface Operation<Part extends string = string> {
  /** Absent when the route is open to everyone: then no token is checked. */
  readonly access?: Access
  /** Absent when requests are not counted. */
  readonly limit?: Limit
  /** Throws for a request that is refused whatever its body is: then nothing of the body is kept. */
  before?(call: Call<Part>): Promise<void>
  /** Absent when no body is read. */
  readonly body?: BodyRule
  /** The parameters of the query. Absent when they are not checked. */
  readonly query?: Parameters
  answer(call: Call<Part>): Response | Promise<Response>
}

/** `GET` also answers `HEAD`, and the Worker answers `OPTIONS`. */
export type Methods<Part extends string = string> = Readonly<
  Partial<Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Operation<Part>>>
>

/** Answers a request with a problem. */
export type Tell = (problem: Problem, call: Pick<Call, 'request' | 'url'>) => Response

export interface Route {
  /** In the form of openapi.json: `/agents/{name}/card.json`. */
  readonly path: string
  readonly methods: Methods
  /** Absent when problems have the form of RFC 9457. */
  readonly tell?: Tell | undefined
  /**
   * True for a route that also exists on hosts of agents, where it belongs to the agent. All others are the
   * deployment's alone.
   */
  readonly ofAgents?: true
}

type PartsOf<Path extends string> = Path extends `${string}{${infer Part}}${infer Rest}` ? Part | PartsOf<Rest> : never

/** A row of a folder's routes. A handler that reads a part missing from the path is a type error. */
export function route<Path extends string>(path: Path, methods: Methods<PartsOf<Path>>, tell?: Tell): Route {
  return { path, methods, tell }
}

/** A route that belongs to the agent on a host that has one. */
export function agentRoute<Path extends string>(path: Path, methods: Methods<PartsOf<Path>>): Route {
  return { path, methods, ofAgents: true }
}
