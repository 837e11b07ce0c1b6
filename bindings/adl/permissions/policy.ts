import { nameOf } from '../../core/pattern-arguments.ts'
import type { Diagnostic } from '../../document/types.ts'
import type { FileOptions, Source } from '../../frame/source.ts'
import { checkedNow } from '../../text/moment.ts'
import type { Agent } from '../agent.ts'
import { readAgent, whyUnreadable } from '../read-agent.ts'
import { judgeEnvironment } from './environment.ts'
import { judgeExecution } from './execution.ts'
import { judgeFilesystem } from './filesystem.ts'
import { judgeNetwork } from './network.ts'
import { Unusable } from './part.ts'
import { Permissions } from './permissions.ts'
import { isPast, type KnownProof, type Refusal, refusalOf, sunsetOf } from './refusal.ts'
import { checkRequest, type PermissionRequest } from './request.ts'
import { judgeResource } from './resource.ts'
import type { System } from './system.ts'
import { judgeTool } from './tool.ts'
import { type DecisionStep, type Obligation, Trace } from './trace.ts'

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

/**
 * Makes a policy from an agent definition. The grants are read once and used for every decision.
 *
 * @example
 * const policy = compile('{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}')
 * policy.allows({ domain: 'environment', variable: 'APP_PORT' }) // true
 * policy.allows({ domain: 'environment', variable: 'PATH' }) // false
 *
 * @throws {TypeError} for invalid arguments. An unreadable document does not throw: it permits nothing, and
 * `diagnostics` has the reason.
 */
export function compile(source: Source, options: PolicyOptions = {}): Policy {
  const { now, proof, windows = false, caseInsensitive = false, file } = checkOptions(options)
  const { subject: agent, diagnostics } = readAgent(source, file)
  if (agent === undefined) {
    return policyOf(denials({ section: 'ADL 4.1', detail: whyUnreadable(diagnostics), pointer: '' }), diagnostics)
  }
  const refusal = refusalOf(agent, proof)
  if (refusal !== undefined) return policyOf(denials(refusal), diagnostics)
  const policy = policyOf(judgesOf(agent, { windows, ignoreCase: windows || caseInsensitive }), diagnostics)
  const sunset = sunsetOf(agent)
  if (sunset === undefined) return policy
  const after = policyOf(denials(sunset.refusal), diagnostics)
  const current = () => (isPast(sunset, now) ? after : policy)
  return { diagnostics, allows: (request) => current().allows(request), decide: (request) => current().decide(request) }
}

/**
 * Decides whether an agent may do something, with the reasons. A request that the definition does not grant is denied.
 * A request that it denies stays denied, no matter what else grants it. For many requests to one document, use
 * `compile`.
 *
 * @example
 * const document = '{"permissions": {"network": {"allowed_hosts": ["*.example.com"], "allowed_ports": [443]}}}'
 * decide(document, { domain: 'network', host: 'api.example.com', port: 80 })
 * // { allowed: false, reason: 'port 80 is not in allowed_ports', decidedBy: '/permissions/network/allowed_ports', ... }
 *
 * @throws {TypeError} or {RangeError} for invalid arguments; never for the content of a document.
 */
export function decide(source: Source, request: PermissionRequest, options: PolicyOptions = {}): Decision {
  return compile(source, options).decide(request)
}

function policyOf(judges: Judges, diagnostics: readonly Diagnostic[]): Policy {
  const judge = (request: PermissionRequest, trace: Trace | undefined): boolean => {
    checkRequest(request)
    try {
      return (judges[request.domain] as Judge<PermissionRequest>)(request, trace)
    } catch (error) {
      // Matching stops after a fixed number of steps, so that malicious patterns cannot make it slow. Nothing is
      // granted then.
      if (!(error instanceof RangeError)) throw error
      trace?.denied('ADL 18.6', error.message)
      return false
    }
  }
  return {
    diagnostics,
    allows: (request) => judge(request, undefined),
    decide(request) {
      const trace = new Trace()
      const allowed = judge(request, trace)
      const { reason, decidedBy, steps } = trace
      const obligations = allowed ? trace.obligations : []
      return { allowed, reason, decidedBy, obligations, trace: steps, diagnostics }
    },
  }
}

function denials({ section, detail, pointer }: Refusal): Judges {
  const deny: Judge<PermissionRequest> = (_, trace) => {
    trace?.denied(section, detail, pointer)
    return false
  }
  return { network: deny, filesystem: deny, environment: deny, execution: deny, resource: deny, tool: deny }
}

/** A judge for each domain, made on first use: `decide` needs only one of them. */
function judgesOf(agent: Agent, system: System): Judges {
  const permissions = new Permissions(agent, system)
  return {
    network: lazily(() => judgeUsable(permissions.network, judgeNetwork)),
    filesystem: lazily(() => judgeUsable(permissions.filesystem, (domain) => judgeFilesystem(domain, system))),
    environment: lazily(() => judgeUsable(permissions.environment, (domain) => judgeEnvironment(domain, system))),
    execution: lazily(() => judgeUsable(permissions.execution, (domain) => judgeExecution(domain, system))),
    resource: lazily(() => judgeUsable(permissions.resourceLimits, judgeResource)),
    tool: lazily(() => judgeTool(agent)),
  }
}

function judgeUsable<Domain, Request>(
  domain: Domain | Unusable,
  judge: (domain: Domain) => Judge<Request>,
): Judge<Request> {
  if (!(domain instanceof Unusable)) return judge(domain)
  return (_, trace) => {
    trace?.denied('ADL 9.1', domain.detail, domain.pointer)
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
