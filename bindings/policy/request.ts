import { nameOf } from '../core/pattern-findings.ts'
import { isObject, type PlacedValue } from '../text/members.ts'
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

interface ToolRequest {
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

interface Answered {
  readonly outcome: 'allow' | 'ask' | 'deny'
}

/** From the narrowest to the widest. */
const OUTCOMES: readonly Answered['outcome'][] = ['deny', 'ask', 'allow']

/** Above 0 when the second answer permits more. */
export const widening = (a: Answered, b: Answered): number => OUTCOMES.indexOf(b.outcome) - OUTCOMES.indexOf(a.outcome)
export const narrower = <Answer extends Answered>(a: Answer, b: Answer): Answer => (widening(a, b) < 0 ? b : a)
export const wider = <Answer extends Answered>(a: Answer, b: Answer): Answer => (widening(a, b) > 0 ? b : a)

/** How the system that runs the agent compares names. */
export interface System {
  /** Paths and programs have the Windows form. */
  readonly windows: boolean
  /** Paths, variables and commands that differ only in case are equal. */
  readonly ignoreCase: boolean
}

/** One check that was made for a decision. */
export interface DecisionStep {
  readonly outcome: 'passed' | 'failed'
  /** The section that requires the check: `ADL 9.2`. */
  readonly section: string
  /** The result of this step, in one sentence. */
  readonly detail: string
  /** The value in the document that was compared; absent if the document has none. */
  readonly pointer?: string
}

/**
 * A duty of the caller, without which a decision does not hold:
 * - `check-address`: ask again with the address that the name resolved to, before connecting.
 * - `resolve-command`: the program was granted by its name; run it only if that name resolves to the requested path.
 *   For a shell line that can hide a denied program (`$(...)`, `eval`): run it only if a person read it.
 * - `resolve-short-names`: ask with the long form of a path that may contain 8.3 names.
 */
export type Obligation = 'check-address' | 'resolve-command' | 'resolve-short-names'

/** What a step is about: a domain of permissions, or a question that several of them have. */
type Topic = PermissionRequest['domain'] | 'permissions' | 'cost' | 'classification' | 'confirmation'

/** The sections of a specification that require the steps. */
export type Sections = Readonly<Record<Topic, string>>

/** The reason that a document permits nothing, regardless of its permissions. */
export interface Refusal {
  readonly section: string
  readonly detail: string
  readonly pointer: string
}

/** Records the steps of a decision. `allows` passes no trace, so every call uses `?.`. */
export class Trace {
  readonly #sections: Sections
  readonly steps: DecisionStep[] = []
  readonly obligations: Obligation[] = []
  reason = ''
  decidedBy: string | undefined

  constructor(sections: Sections) {
    this.#sections = sections
  }

  /** Records a check that denies nothing. */
  passed(topic: Topic, detail: string, pointer?: string): void {
    this.#add('passed', this.#sections[topic], detail, pointer)
  }

  /** Records a grant, which decides unless something else denies the request. */
  granted(topic: Topic, detail: string, pointer: string): void {
    this.passed(topic, detail, pointer)
    this.reason = detail
    this.decidedBy = pointer
  }

  /** Records the final denial. */
  denied(topic: Topic, detail: string, pointer?: string): void {
    this.refused({ section: this.#sections[topic], detail, pointer })
  }

  /** Records a denial that does not depend on the permissions. */
  refused({ section, detail, pointer }: Omit<Refusal, 'pointer'> & { readonly pointer: string | undefined }): void {
    this.#add('failed', section, detail, pointer)
    this.reason = detail
    this.decidedBy = pointer
  }

  oblige(obligation: Obligation): void {
    this.obligations.push(obligation)
  }

  #add(outcome: DecisionStep['outcome'], section: string, detail: string, pointer: string | undefined): void {
    this.steps.push({ outcome, section, detail, ...(pointer !== undefined && { pointer }) })
  }
}

export interface Tool {
  readonly pointer: string
  /** The place that requires a confirmation; undefined when none is required. */
  readonly confirmation: string | undefined
  /** The reason that it must not be called at all. */
  readonly fault: string | undefined
  readonly sensitivity: PlacedValue<string> | undefined
}

/** The tools by name. Tools without a name cannot be called. */
export type Tools = ReadonlyMap<string, Tool>

export function judgeTool(tools: Tools) {
  return ({ name, confirmed }: ToolRequest, trace: Trace | undefined): boolean => {
    const tool = tools.get(name)
    if (tool === undefined) {
      trace?.denied('tool', `the agent has no tool ${quoted(name)}`)
      return false
    }
    const { pointer, confirmation, fault, sensitivity } = tool
    if (fault !== undefined) {
      trace?.denied('tool', `${quoted(name)}: ${fault}`, pointer)
      return false
    }
    trace?.granted('tool', `the agent has the tool ${quoted(name)}`, pointer)
    if (sensitivity !== undefined) {
      const { value, pointer: where } = sensitivity
      trace?.passed('classification', `what the tool handles is classified as ${quoted(value)}`, where)
    }
    if (confirmation === undefined) return true
    if (confirmed !== true) {
      trace?.denied('confirmation', `${quoted(name)} requires confirmation, and nobody has confirmed it`, confirmation)
      return false
    }
    trace?.passed('confirmation', `${quoted(name)} requires confirmation, and has it`, confirmation)
    return true
  }
}
