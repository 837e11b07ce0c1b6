import { nameOf } from '../core/patterns.ts'
import type { Diagnostic } from '../document/types.ts'
import type { FileOptions, Proof } from '../frame/source.ts'
import type { PlacedValue } from '../text/members.ts'
import { checkedNow } from '../text/moment.ts'
import { type Environment, judgeEnvironment, readEnvironment } from './environment.ts'
import { type Execution, judgeExecution, readExecution } from './execution.ts'
import { type Filesystem, judgeFilesystem, readFilesystem } from './filesystem.ts'
import { judgeNetwork, type Network, readNetwork } from './network.ts'
import { readPart, Unusable } from './part.ts'
import { checkRequest, type PermissionRequest, type System } from './request.ts'
import { judgeResource, type ResourceLimits, readResourceLimits } from './resource.ts'
import { judgeTool, type Tools } from './tool.ts'
import { type DecisionStep, type Obligation, type Refusal, type Sections, Trace } from './trace.ts'

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
