import { nameOf } from '../core/patterns.ts'
import { isObject } from '../text/members.ts'
import { oneOf, quoted, suggest } from '../text/words.ts'

export interface NetworkRequest {
  readonly domain: 'network'
  /** A name or an address, without scheme and port. */
  readonly host: string
  readonly port?: number | undefined
  /** `https`, or `https:` as in `URL.protocol`. */
  readonly protocol?: string | undefined
  /** The address that the name resolved to, and that the connection will go to. */
  readonly address?: string | undefined
}

export interface FilesystemRequest {
  readonly domain: 'filesystem'
  /** An absolute path. The caller has resolved symbolic links. */
  readonly path: string
  readonly access: 'read' | 'write' | 'read_write'
}

export interface EnvironmentRequest {
  readonly domain: 'environment'
  readonly variable: string
}

export interface ExecutionRequest {
  readonly domain: 'execution'
  /** The program, by name or path, without arguments; with `shell`, the whole command line. */
  readonly command: string
  /** The arguments with spaces between them, when no shell reads them. */
  readonly args?: string | undefined
  /** The command runs in a shell. */
  readonly shell?: boolean | undefined
}

export interface ResourceRequest {
  readonly domain: 'resource'
  readonly memoryMb?: number | undefined
  readonly cpuPercent?: number | undefined
  readonly durationSec?: number | undefined
  readonly concurrent?: number | undefined
}

export interface ToolRequest {
  readonly domain: 'tool'
  readonly name: string
  /** A person has confirmed this call of the tool. */
  readonly confirmed?: boolean | undefined
}

/** An action that an agent asks permission for. */
export type PermissionRequest =
  | NetworkRequest
  | FilesystemRequest
  | EnvironmentRequest
  | ExecutionRequest
  | ResourceRequest
  | ToolRequest

/** The valid values of a member of a request. */
export interface RequestMember {
  /** A list means that one of its texts is expected. */
  readonly type: 'text' | 'port' | 'amount' | 'flag' | readonly string[]
  readonly needed?: true
}

type MembersOf<Request> = Request extends unknown
  ? Readonly<Record<Exclude<keyof Request & string, 'domain'>, RequestMember>>
  : never

const TEXT = { type: 'text', needed: true } as const
const AMOUNT = { type: 'amount' } as const
const FLAG = { type: 'flag' } as const

/**
 * The members of a request in addition to its domain. Unknown members are refused: a misspelt `adress` would change the
 * question.
 */
export const REQUESTS: {
  readonly [Domain in PermissionRequest['domain']]: MembersOf<Extract<PermissionRequest, { domain: Domain }>>
} = {
  network: { host: TEXT, port: { type: 'port' }, protocol: { type: 'text' }, address: { type: 'text' } },
  filesystem: { path: TEXT, access: { type: ['read', 'write', 'read_write'], needed: true } },
  environment: { variable: TEXT },
  execution: { command: TEXT, args: { type: 'text' }, shell: FLAG },
  // At least one of them is required.
  resource: { memoryMb: AMOUNT, cpuPercent: AMOUNT, durationSec: AMOUNT, concurrent: AMOUNT },
  tool: { name: TEXT, confirmed: FLAG },
}

export const REQUEST_DOMAINS = Object.keys(REQUESTS) as readonly PermissionRequest['domain'][]
export const AMOUNTS = Object.keys(REQUESTS.resource) as readonly (keyof typeof REQUESTS.resource)[]

/**
 * Refuses an invalid request.
 *
 * @throws {TypeError} for a missing or unknown member, or one of the wrong type; {RangeError} for an impossible value.
 */
export function checkRequest(request: PermissionRequest): void {
  if (!isObject(request)) throw new TypeError(`request: expected an object, got ${nameOf(request)}`)
  checkMembers(request)
  const values: Readonly<Record<string, unknown>> = request
  for (const [name, { type, needed }] of Object.entries<RequestMember>(REQUESTS[request.domain])) {
    if (values[name] !== undefined || needed) checkMember(name, type, values[name])
  }
  if (request.domain !== 'resource' || AMOUNTS.some((name) => request[name] !== undefined)) return
  throw new TypeError(`request: expected one of ${AMOUNTS.join(', ')}, got none`)
}

function checkMembers(request: PermissionRequest): void {
  if (!REQUEST_DOMAINS.includes(request.domain)) throw choice('domain', REQUEST_DOMAINS, request.domain)
  const known = Object.keys(REQUESTS[request.domain])
  // `in`, because inherited members are read as well.
  for (const name in request) {
    if (name === 'domain' || known.includes(name)) continue
    const nearest = suggest(name, known)
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
    throw new TypeError(`request: expected ${oneOf(['domain', ...known])}, got ${quoted(name)}${hint}`)
  }
}

function checkMember(name: string, type: RequestMember['type'], value: unknown): void {
  if (Array.isArray(type)) {
    if (!type.includes(value)) throw choice(name, type, value)
    return
  }
  const wanted = type === 'text' ? 'string' : type === 'flag' ? 'boolean' : 'number'
  if (typeof value !== wanted) throw new TypeError(`request.${name}: expected a ${wanted}, got ${nameOf(value)}`)
  if (typeof value !== 'number') return
  const [fits, words] =
    type === 'port'
      ? [Number.isInteger(value) && value >= 1 && value <= 65_535, 'an integer from 1 to 65535']
      : [Number.isFinite(value) && value >= 0, 'a number from 0 on']
  if (!fits) throw new RangeError(`request.${name}: expected ${words}, got ${value}`)
}

function choice(name: string, choices: readonly string[], value: unknown): Error {
  const wanted = `request.${name}: expected ${oneOf(choices)}`
  return typeof value === 'string'
    ? new RangeError(`${wanted}, got ${JSON.stringify(value)}`)
    : new TypeError(`${wanted}, got ${nameOf(value)}`)
}

/** How the system that runs the agent compares names. */
export interface System {
  /** Paths and programs have the Windows form. */
  readonly windows: boolean
  /** Paths, variables and commands that differ only in case are equal. */
  readonly ignoreCase: boolean
}
