import { nameOf } from '../core/pattern-findings.ts'
import { checkPattern, type PatternKind } from '../core/patterns.ts'
import type { Diagnostic } from '../document/types.ts'
import type { FileOptions, Proof } from '../frame/source.ts'
import type { PlacedValue } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { quoted } from '../text/words.ts'
import {
  type Environment,
  type Execution,
  judgeEnvironment,
  judgeExecution,
  judgeResource,
  LIMITS,
  type ResourceLimits,
  readEnvironment,
  readExecution,
  readResourceLimits,
} from './execution.ts'
import { insideName, normalizeHost } from './host.ts'
import { Inclusion } from './inclusion.ts'
import {
  type Filesystem,
  judgeFilesystem,
  judgeNetwork,
  type Network,
  type PatternList,
  readFilesystem,
  readNetwork,
  readPart,
  Unusable,
} from './part.ts'
import { needsShell, unmatchable } from './path.ts'
import {
  AMOUNTS,
  checkRequest,
  type DecisionStep,
  judgeTool,
  type Obligation,
  type PermissionRequest,
  type Refusal,
  type Sections,
  type System,
  type Tools,
  Trace,
} from './request.ts'

/** The domains of a document's permissions, each read on first use, or the reason that it grants nothing. */
export class Permissions {
  readonly system: System
  readonly #value: PlacedValue<unknown> | undefined

  constructor(value: PlacedValue<unknown> | undefined, system: System = { windows: false, ignoreCase: false }) {
    this.#value = value
    this.system = system
  }

  get network(): Network | Unusable {
    return readPart(this.#value, 'network', readNetwork)
  }

  get filesystem(): Filesystem | Unusable {
    return readPart(this.#value, 'filesystem', (part) => readFilesystem(part, this.system))
  }

  get environment(): Environment | Unusable {
    return readPart(this.#value, 'environment', (part) => readEnvironment(part, this.system))
  }

  get execution(): Execution | Unusable {
    return readPart(this.#value, 'execution', (part) => readExecution(part, this.system))
  }

  get resourceLimits(): ResourceLimits | Unusable {
    return readPart(this.#value, 'resource_limits', readResourceLimits)
  }
}

/** The proof that `verify` gave for a document, or only its verdict if the caller vouches for the rest. */
export type KnownProof = Pick<Proof, 'verdict'> & Partial<Pick<Proof, 'steps'>>

export interface PolicyOptions extends FileOptions {
  /** The proof that `verify` gave for the document. A signed document permits nothing without it. */
  readonly proof?: KnownProof | undefined
  /** The time for sunset dates; defaults to the current time at each decision. */
  readonly now?: Date | undefined
  /** Treat paths, variables and commands that differ only in case as equal. Hosts are always case-insensitive. */
  readonly caseInsensitive?: boolean | undefined
  /** Read paths and programs in the Windows form. Implies `caseInsensitive`. */
  readonly windows?: boolean | undefined
}

export interface Decision {
  readonly allowed: boolean
  /** The deciding reason, in one sentence. */
  readonly reason: string
  /** The value in the document that decided; undefined if the absence of a value did. */
  readonly decidedBy: string | undefined
  /** What the caller must still do for `allowed` to hold. */
  readonly obligations: readonly Obligation[]
  /** Everything that was checked, in order. */
  readonly trace: readonly DecisionStep[]
  /** The findings of reading the definition. With an error among them, nothing is allowed. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The permissions of a document, prepared for many requests. */
export interface Policy {
  /** The findings of reading the definition. With an error among them, nothing is allowed. */
  readonly diagnostics: readonly Diagnostic[]
  /** True when a request is allowed, under the obligations that `decide` names. Throws for an invalid request. */
  allows(request: PermissionRequest): boolean
  /** The same, with reasons. */
  decide(request: PermissionRequest): Decision
}

type Judge<Request> = (request: Request, trace: Trace | undefined) => boolean
type Judges = { [Name in PermissionRequest['domain']]: Judge<Extract<PermissionRequest, { domain: Name }>> }

/** The policy of a document that permits nothing. */
export function denyAll(refusal: Refusal, sections: Sections, diagnostics: readonly Diagnostic[]): Policy {
  const deny: Judge<PermissionRequest> = (_, trace) => {
    trace?.refused(refusal)
    return false
  }
  const judges = { network: deny, filesystem: deny, environment: deny, execution: deny, resource: deny, tool: deny }
  return judging(judges, sections, diagnostics)
}

/** The policy of what a document grants. Each domain is read on first use: `decide` needs only one of them. */
export function policyOf(
  permissions: Permissions,
  tools: () => Tools,
  sections: Sections,
  diagnostics: readonly Diagnostic[],
): Policy {
  const { system } = permissions
  const judges: Judges = {
    network: lazily(() => judgeUsable(permissions.network, judgeNetwork)),
    filesystem: lazily(() => judgeUsable(permissions.filesystem, (domain) => judgeFilesystem(domain, system))),
    environment: lazily(() => judgeUsable(permissions.environment, (domain) => judgeEnvironment(domain, system))),
    execution: lazily(() => judgeUsable(permissions.execution, (domain) => judgeExecution(domain, system))),
    resource: lazily(() => judgeUsable(permissions.resourceLimits, judgeResource)),
    tool: lazily(() => judgeTool(tools())),
  }
  return judging(judges, sections, diagnostics)
}

function judging(judges: Judges, sections: Sections, diagnostics: readonly Diagnostic[]): Policy {
  const judge = (request: PermissionRequest, trace: Trace | undefined): boolean => {
    checkRequest(request)
    try {
      return (judges[request.domain] as Judge<PermissionRequest>)(request, trace)
    } catch (error) {
      // Matching stops after a fixed number of steps, so that malicious patterns cannot make it slow. Nothing is
      // granted then.
      if (!(error instanceof RangeError)) throw error
      trace?.denied('cost', error.message)
      return false
    }
  }
  return {
    diagnostics,
    allows: (request) => judge(request, undefined),
    decide(request) {
      const trace = new Trace(sections)
      const allowed = judge(request, trace)
      const { reason, decidedBy, steps } = trace
      const obligations = allowed ? trace.obligations : []
      return { allowed, reason, decidedBy, obligations, trace: steps, diagnostics }
    },
  }
}

function judgeUsable<Domain, Request>(
  domain: Domain | Unusable,
  judge: (domain: Domain) => Judge<Request>,
): Judge<Request> {
  if (!(domain instanceof Unusable)) return judge(domain)
  return (_, trace) => {
    trace?.denied('permissions', domain.detail, domain.pointer)
    return false
  }
}

function lazily<Request>(make: () => Judge<Request>): Judge<Request> {
  let made: Judge<Request> | undefined
  return (request, trace) => {
    made ??= make()
    return made(request, trace)
  }
}

/** @throws {TypeError} for options of the wrong type. */
export function checkOptions(options: PolicyOptions): PolicyOptions {
  for (const name of ['caseInsensitive', 'windows'] as const) {
    const value: unknown = options[name]
    if (value !== undefined && typeof value !== 'boolean') {
      throw new TypeError(`${name}: expected a boolean, got ${nameOf(value)}`)
    }
  }
  const { now, proof } = options
  checkedNow(now)
  if (proof !== undefined && !['verified', 'failed', 'unverifiable'].includes(proof?.verdict)) {
    throw new TypeError(`proof: expected what verify gives, got ${nameOf(proof)}`)
  }
  return options
}

// The permissions of a document as a table.

/** One row of an agent's permissions. */
export interface Grant {
  /** `document` if everything is refused. */
  readonly domain: 'document' | 'network' | 'filesystem' | 'environment' | 'execution' | 'resource_limits' | 'tool'
  readonly effect: 'allow' | 'deny' | 'limit'
  /** What is granted or denied: a pattern, a tool, a limit, or `everything`. */
  readonly subject: string
  readonly detail: string
  /** The value in the document that decides; undefined if the absence of a value does. */
  readonly pointer: string | undefined
  /** Remarks about effects that a reader may not expect. */
  readonly notes: readonly string[]
}

export function row(
  domain: Grant['domain'],
  effect: Grant['effect'],
  subject: string,
  detail: string,
  pointer: string | undefined,
  notes: readonly string[] = [],
): Grant {
  return { domain, effect, subject, detail, pointer, notes }
}

/** The row for a list that is absent or empty, and so grants nothing. */
function nothing(
  domain: Grant['domain'],
  member: string,
  { entries, pointer }: Pick<PatternList, 'entries' | 'pointer'>,
) {
  if (entries.length > 0) return []
  const detail = pointer === undefined ? `there is no ${member}` : `${member} is empty`
  return [row(domain, 'deny', 'everything', detail, pointer)]
}

const unreachable = (path: string) => {
  const reason = unmatchable(path)
  return reason === undefined ? [] : [`matches nothing: ${reason}`]
}

/** Remarks about the pattern itself, for example that it matches everything. */
function remarks(kind: Exclude<PatternKind, 'tag'>, pattern: string): string[] {
  return checkPattern(kind, pattern).map(({ message }) => message)
}

/** A remark if a grant is useless because everything it matches is denied. */
function denialNotes(inclusion: Inclusion, pattern: string, denied: PatternList): string[] {
  const by = inclusion.find(pattern, denied.entries)
  return by === undefined ? [] : [`denied all the same: ${quoted(by.value)} includes it`]
}

function networkRows({ hosts, ports, protocols, denyPrivate }: Network): Grant[] {
  const list = (name: string, values: readonly PlacedValue<unknown>[] | undefined) =>
    values === undefined
      ? `any ${name}`
      : values.length === 0
        ? `no ${name}`
        : `${name} ${values.map(({ value }) => value).join(', ')}`
  const detail = `${list('port', ports?.value)}, ${list('protocol', protocols?.value)}`
  const unreachable = [ports, protocols].some((member) => member?.value.length === 0)
    ? ['denied all the same: an empty list allows none']
    : []
  const inside = (pattern: string) => {
    const reason = denyPrivate?.value === true ? insideName(normalizeHost(pattern) ?? '') : undefined
    return reason === undefined ? [] : [`denied all the same: ${reason}`]
  }
  if (hosts.entries.length === 0) return nothing('network', 'allowed_hosts', hosts)
  return [
    ...hosts.entries.map(({ value, pointer }) =>
      row('network', 'allow', value, detail, pointer, [...remarks('host', value), ...inside(value), ...unreachable]),
    ),
    denyPrivate?.value === true
      ? row('network', 'deny', 'private hosts', 'addresses and names that are not public', denyPrivate.pointer)
      : row('network', 'allow', 'private hosts', 'as far as allowed_hosts matches them', denyPrivate?.pointer),
  ]
}

function filesystemRows({ allowed, denied, readable }: Filesystem): Grant[] {
  const inclusion = new Inclusion('path')
  return [
    ...nothing('filesystem', 'allowed_paths', { entries: allowed.map(({ path }) => path), pointer: readable.pointer }),
    ...allowed.map(({ path: { value, pointer }, access }) => {
      const notes = [...remarks('path', value), ...unreachable(value), ...denialNotes(inclusion, value, denied)]
      return row('filesystem', 'allow', value, access.replace('_', ' and '), pointer, notes)
    }),
    ...denied.entries.map(({ value, pointer }) => {
      const below = inclusion.find(`${value}/**`, denied.entries) === undefined
      const notes = below ? ['what is below it is not denied by it'] : []
      return row('filesystem', 'deny', value, 'read and write', pointer, notes)
    }),
  ]
}

function environmentRows({ allowed, denied }: Environment): Grant[] {
  const inclusion = new Inclusion('env')
  return [
    ...nothing('environment', 'allowed_variables', allowed),
    ...allowed.entries.map(({ value, pointer }) => {
      const notes = [...remarks('env', value), ...denialNotes(inclusion, value, denied)]
      return row('environment', 'allow', value, 'read', pointer, notes)
    }),
    ...denied.entries.map(({ value, pointer }) => row('environment', 'deny', value, 'read', pointer)),
  ]
}

function executionRows({ allowed, denied, allowShell }: Execution): Grant[] {
  const inclusion = new Inclusion('command')
  const shells = allowShell?.value === true
  return [
    ...nothing('execution', 'allowed_commands', allowed),
    ...allowed.entries.map(({ value, pointer }) => {
      const shell =
        !shells && needsShell(value, false)
          ? ['denied all the same: it takes a shell, and allow_shell is not true']
          : []
      const notes = [...remarks('command', value), ...denialNotes(inclusion, value, denied), ...shell]
      return row('execution', 'allow', value, 'run', pointer, notes)
    }),
    ...denied.entries.map(({ value, pointer }) => row('execution', 'deny', value, 'run', pointer)),
    row(
      'execution',
      shells ? 'allow' : 'deny',
      'shells',
      shells ? 'as far as allowed_commands matches them' : 'allow_shell is not true',
      allowShell?.pointer,
    ),
  ]
}

function resourceRows(limits: ResourceLimits): Grant[] {
  return AMOUNTS.map((name) => {
    const limit = limits[name]
    const [member] = LIMITS[name]
    if (limit === undefined) return row('resource_limits', 'allow', member, 'no limit', undefined)
    return row('resource_limits', 'limit', member, `at most ${limit.value}`, limit.pointer)
  })
}

function toolRows(tools: Tools): Grant[] {
  if (tools.size === 0) return [row('tool', 'deny', 'everything', 'the agent has no tools', undefined)]
  return Array.from(tools, ([name, { pointer, confirmation, fault, sensitivity }]) => {
    if (fault !== undefined) return row('tool', 'deny', name, fault, pointer)
    const detail = confirmation === undefined ? 'call' : 'call, when somebody has confirmed it'
    return row('tool', 'allow', name, detail, pointer, sensitivity ? [`handles ${quoted(sensitivity.value)} data`] : [])
  })
}

/** Every grant, denial and limit, and the domains that are denied because nothing grants them. */
export function grantRows(permissions: Permissions, tools: Tools): Grant[] {
  return [
    ...rowsOf('network', permissions.network, networkRows),
    ...rowsOf('filesystem', permissions.filesystem, filesystemRows),
    ...rowsOf('environment', permissions.environment, environmentRows),
    ...rowsOf('execution', permissions.execution, executionRows),
    ...rowsOf('resource_limits', permissions.resourceLimits, resourceRows),
    ...toolRows(tools),
  ]
}

function rowsOf<Part>(domain: Grant['domain'], part: Part | Unusable, rows: (part: Part) => Grant[]): Grant[] {
  if (part instanceof Unusable) return [row(domain, 'deny', 'everything', part.detail, part.pointer)]
  return rows(part)
}
