import { nameOf } from '../../core/pattern-arguments.ts'
import { isObject } from '../../document/members.ts'
import { suggest } from '../../document/suggest.ts'
import { oneOf, quoted } from '../../document/words.ts'

export interface NetworkRequest {
  readonly domain: 'network'
  /** A name or an address, without scheme and port. */
  readonly host: string
  readonly port?: number | undefined
  /** `https`; the `https:` of `URL.protocol` is the same. */
  readonly protocol?: string | undefined
  /** What the name was resolved to: what the connection will go to. */
  readonly address?: string | undefined
}

export interface FilesystemRequest {
  readonly domain: 'filesystem'
  /** An absolute path; the caller has resolved symbolic links. */
  readonly path: string
  readonly access: 'read' | 'write' | 'read_write'
}

export interface EnvironmentRequest {
  readonly domain: 'environment'
  readonly variable: string
}

export interface ExecutionRequest {
  readonly domain: 'execution'
  /** The program, by its name or path, without arguments; with `shell` the whole line. */
  readonly command: string
  /** The command is given to a shell. */
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
  /** Somebody has said yes to this call of the tool. */
  readonly confirmed?: boolean | undefined
}

/** What an agent wants to do. */
export type PermissionRequest =
  | NetworkRequest
  | FilesystemRequest
  | EnvironmentRequest
  | ExecutionRequest
  | ResourceRequest
  | ToolRequest

export const AMOUNTS = ['memoryMb', 'cpuPercent', 'durationSec', 'concurrent'] as const
export const REQUEST_DOMAINS = ['network', 'filesystem', 'environment', 'execution', 'resource', 'tool'] as const

type MembersOf<Request> = Request extends unknown ? readonly Exclude<keyof Request & string, 'domain'>[] : never

/** What a request of a domain may hold beside its domain: a misspelt `adress` would ask another question, and be answered. */
export const REQUEST_MEMBERS: {
  readonly [Domain in PermissionRequest['domain']]: MembersOf<Extract<PermissionRequest, { domain: Domain }>>
} = {
  network: ['host', 'port', 'protocol', 'address'],
  filesystem: ['path', 'access'],
  environment: ['variable'],
  execution: ['command', 'shell'],
  resource: AMOUNTS,
  tool: ['name', 'confirmed'],
}

const ACCESS = ['read', 'write', 'read_write']

/**
 * Refuses what is no request.
 *
 * @throws {TypeError} for a member that is missing, unknown or of another type, {RangeError} for a value that cannot be.
 */
export function checkRequest(request: PermissionRequest): void {
  if (!isObject(request)) throw new TypeError(`request: expected an object, got ${nameOf(request)}`)
  checkMembers(request)
  switch (request.domain) {
    case 'network':
      text('host', request.host)
      if (request.port !== undefined) port(request.port)
      if (request.protocol !== undefined) text('protocol', request.protocol)
      if (request.address !== undefined) text('address', request.address)
      return
    case 'filesystem':
      text('path', request.path)
      if (!ACCESS.includes(request.access)) throw choice('access', ACCESS, request.access)
      return
    case 'environment':
      text('variable', request.variable)
      return
    case 'execution':
      text('command', request.command)
      flag('shell', request.shell)
      return
    case 'resource':
      amounts(request)
      return
    case 'tool':
      text('name', request.name)
      flag('confirmed', request.confirmed)
  }
}

function checkMembers(request: PermissionRequest): void {
  if (!REQUEST_DOMAINS.includes(request.domain)) throw choice('domain', REQUEST_DOMAINS, request.domain)
  const known: readonly string[] = REQUEST_MEMBERS[request.domain]
  // `in`, for what is inherited is read too.
  for (const name in request) {
    if (name === 'domain' || known.includes(name)) continue
    const nearest = suggest(name, known)
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
    throw new TypeError(`request: expected ${oneOf(['domain', ...known])}, got ${quoted(name)}${hint}`)
  }
}

function text(name: string, value: unknown): void {
  if (typeof value !== 'string') throw new TypeError(`request.${name}: expected a string, got ${nameOf(value)}`)
}

function flag(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return
  throw new TypeError(`request.${name}: expected a boolean, got ${nameOf(value)}`)
}

function port(value: unknown): void {
  if (typeof value !== 'number') throw new TypeError(`request.port: expected a number, got ${nameOf(value)}`)
  if (Number.isInteger(value) && value >= 1 && value <= 65_535) return
  throw new RangeError(`request.port: expected an integer from 1 to 65535, got ${value}`)
}

function amounts(request: ResourceRequest): void {
  let asked = 0
  for (const name of AMOUNTS) {
    const value: unknown = request[name]
    if (value === undefined) continue
    asked++
    if (typeof value !== 'number') throw new TypeError(`request.${name}: expected a number, got ${nameOf(value)}`)
    if (!(Number.isFinite(value) && value >= 0)) {
      throw new RangeError(`request.${name}: expected a number from 0 on, got ${value}`)
    }
  }
  if (asked === 0) throw new TypeError(`request: expected one of ${AMOUNTS.join(', ')}, got none`)
}

function choice(name: string, choices: readonly string[], value: unknown): Error {
  const wanted = `request.${name}: expected ${oneOf(choices)}`
  return typeof value === 'string'
    ? new RangeError(`${wanted}, got ${JSON.stringify(value)}`)
    : new TypeError(`${wanted}, got ${nameOf(value)}`)
}
