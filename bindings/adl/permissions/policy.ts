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
  /** The proof that `verify` gave for the document; one that carries a signature permits nothing without it. */
  readonly proof?: KnownProof | undefined
  /** The time that sunset dates are judged by; the platform's, at each decision, when absent. */
  readonly now?: Date | undefined
  /** Paths, variables and commands that differ only in the case of letters are the same; hosts always are. */
  readonly caseInsensitive?: boolean | undefined
  /** Paths and programs are those of Windows, which implies `caseInsensitive`. */
  readonly windows?: boolean | undefined
}

export interface Decision {
  readonly allowed: boolean
  /** The deciding reason, in one sentence. */
  readonly reason: string
  /** The value in the document that decided; undefined where the absence of one did. */
  readonly decidedBy: string | undefined
  /** The duties that the caller still has for an `allowed` to hold. */
  readonly obligations: readonly Obligation[]
  /** Everything that was checked, in order. */
  readonly trace: readonly DecisionStep[]
  /** The findings of reading the definition; with an error among them, nothing is allowed. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The permissions of a document, made ready for many questions. */
export interface Policy {
  /** The findings of reading the definition; with an error among them, nothing is allowed. */
  readonly diagnostics: readonly Diagnostic[]
  /** True when a request is allowed, under the obligations that `decide` names. Throws for a value that is not a request. */
  allows(request: PermissionRequest): boolean
  /** The same with its reasons. */
  decide(request: PermissionRequest): Decision
}

type Judge<Request> = (request: Request, trace: Trace | undefined) => boolean
type Judges = { [Name in PermissionRequest['domain']]: Judge<Extract<PermissionRequest, { domain: Name }>> }

/**
 * Makes a policy of an agent definition: what it grants is read once, and then answered from.
 *
 * @example
 * const policy = compile('{"permissions": {"environment": {"allowed_variables": ["APP_*"]}}}')
 * policy.allows({ domain: 'environment', variable: 'APP_PORT' }) // true
 * policy.allows({ domain: 'environment', variable: 'PATH' }) // false
 *
 * @throws {TypeError} for wrong arguments; a document that cannot be read permits nothing, and `diagnostics` say why.
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
 * Decides whether an agent may do something, and gives the reasons: a request that its definition does not grant is denied,
 * and one that it denies stays denied whatever else grants it. `compile` is for many questions to one document.
 *
 * @example
 * const document = '{"permissions": {"network": {"allowed_hosts": ["*.example.com"], "allowed_ports": [443]}}}'
 * decide(document, { domain: 'network', host: 'api.example.com', port: 80 })
 * // { allowed: false, reason: 'port 80 is not in allowed_ports', decidedBy: '/permissions/network/allowed_ports', ... }
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for what a document holds.
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
      // Patterns made to be slow are given up after so many steps: nothing may be granted then.
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

/** A judge for each domain, made when first asked: `decide` needs one of them. */
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

/** @throws {TypeError} for options of other types. */
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
