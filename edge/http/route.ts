import type { Access } from '../access/admit.ts'
import type { Claims } from '../access/token.ts'
import type { Env } from '../env.ts'
import type { Identity } from '../identity/agents.ts'
import type { BodyRule } from './body.ts'
import type { Problem } from './problem.ts'

/** A request on its way to the handler of its route. */
export interface Call<Part extends string = never> {
  readonly request: Request
  /** The public address. */
  readonly url: URL
  /** The agent whose host was asked; undefined where a host is the deployment's own and has none. */
  readonly agent: string | undefined
  /** What that agent publishes, where it was read with the host. */
  readonly identity: Identity | undefined
  readonly env: Env
  /** The open parts of the path, decoded. */
  readonly parts: Readonly<Record<Part, string>>
  /** Empty when the route accepts none. */
  readonly body: Uint8Array
  /** The claims of the request's token; undefined without one, or when the secret itself came. */
  readonly bearer: Claims | undefined
}

/** The bindings of wrangler.jsonc that limit what an address may ask. */
export type Limit = 'QUERIES' | 'CHECKS'

export interface Operation<Part extends string = string> {
  /** Absent when the route is open to everybody: then no token is checked. */
  readonly access?: Access<Part>
  /** Absent when requests are not counted. */
  readonly limit?: Limit
  /** Absent when no body is read. */
  readonly body?: BodyRule
  answer(call: Call<Part>): Response | Promise<Response>
}

/** `HEAD` is answered by `GET`, and `OPTIONS` by the Worker. */
export type Methods<Part extends string = string> = Readonly<
  Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Operation<Part>>>
>

/** Answers a request with a problem. */
export type Tell = (problem: Problem, call: Pick<Call, 'request' | 'url'>) => Response

export interface Route {
  /** In the form of openapi.json: `/agents/{name}/card.json`. */
  readonly path: string
  readonly methods: Methods
  /** Absent where problems are told as RFC 9457 has it. */
  readonly tell?: Tell | undefined
  /** True of what stands on hosts of agents, too, and there is the agent's. All else is the deployment's alone. */
  readonly ofAgents?: true
}

type PartsOf<Path extends string> = Path extends `${string}{${infer Part}}${infer Rest}` ? Part | PartsOf<Rest> : never

/** A row of a folder's routes; a handler that reads a part missing from the path is a type error. */
export function route<Path extends string>(path: Path, methods: Methods<PartsOf<Path>>, tell?: Tell): Route {
  return { path, methods, tell }
}

/** A row of what is an agent's on a host that has one. */
export function agentRoute<Path extends string>(path: Path, methods: Methods<PartsOf<Path>>): Route {
  return { path, methods, ofAgents: true }
}
