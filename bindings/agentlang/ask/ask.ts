// What an agent and its sub-agents ask a host for, declared or not.
import { elements, isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import { highest, parseRange } from '../lock/range.ts'
import { CATEGORIES, grantable, type Host, type Mode, modesOf, parseSchedule, wakeSchedules } from './host.ts'

interface AgentPart {
  readonly path: string
  readonly value: unknown
}

interface AskSource {
  readonly path: string
  readonly pointer: string
}

/** A capability in a mode. A capability that is needed on schedule and otherwise is asked for twice. */
export interface CapabilityAsk {
  readonly capability: string
  readonly mode: Mode
  readonly isRequired: boolean
  readonly reason?: string
  /** The lowest that any agent gives, in seconds. */
  readonly max_runtime?: number
  readonly channels?: readonly string[]
  /** When it is needed; for `background`, when the agent wakes. */
  readonly schedules: readonly string[]
  readonly sources: readonly AskSource[]
}

interface ProtocolAsk {
  readonly name: string
  readonly version: unknown
}

export interface Ask {
  readonly capabilities: readonly CapabilityAsk[]
  readonly protocols: readonly ProtocolAsk[]
}

/**
 * Adds up what the agent and its sub-agents ask for. Tools and servers ask for the capabilities that they need, which
 * are optional unless an agent requires them.
 *
 * @example
 * wholeAsk([{ path: 'agent.yaml', value: { bash_tools: { convert: { command: 'ffmpeg' } } } }])
 * // capabilities: [{ capability: 'shell', mode: 'on_demand', isRequired: false, ... }]
 */
export function wholeAsk(agents: readonly AgentPart[]): Ask {
  const groups = new Map<string, CapabilityAsk[]>()
  for (const ask of agents.flatMap(asksOf)) {
    const isExtra = ask.mode === 'scheduled' && ask.capability !== 'background'
    const key = `${isExtra} ${ask.capability}`
    groups.set(key, groups.get(key) ?? [])
    groups.get(key)!.push(ask)
  }
  return { capabilities: [...groups.values()].map(sumOf), protocols: agents.flatMap(protocolsOf) }
}

function sumOf(asks: readonly CapabilityAsk[]): CapabilityAsk {
  const { capability } = asks[0]!
  const reason = asks.find((ask) => ask.reason !== undefined)?.reason
  const runtimes = asks.flatMap((ask) => ask.max_runtime ?? [])
  const channels = new Set(asks.flatMap((ask) => ask.channels ?? []))
  return {
    capability,
    mode: asks.map(({ mode }) => mode).reduce((a, b) => (grantable(capability, a).includes(b) ? a : b)),
    isRequired: asks.some(({ isRequired }) => isRequired),
    ...(reason !== undefined && { reason }),
    ...(runtimes.length > 0 && { max_runtime: runtimes.reduce((a, b) => Math.min(a, b)) }),
    ...(channels.size > 0 && { channels: [...channels] }),
    schedules: [...new Set(asks.flatMap(({ schedules }) => schedules))],
    sources: asks.flatMap(({ sources }) => sources),
  }
}

function asksOf({ path, value }: AgentPart): CapabilityAsk[] {
  const agent = objectOf(value)
  const permissions = { pointer: '/permissions', value: objectOf(member(agent, 'permissions')) }
  const ask = (capability: string, pointer: string, isRequired: boolean) =>
    askOf(capability, objectOf(member(permissions.value, capability)), isRequired, { path, pointer })
  return [
    ...elements(permissions, 'required', isText).map((one) => ask(one.value, one.pointer, true)),
    ...elements(permissions, 'optional', isText).map((one) => ask(one.value, one.pointer, false)),
    ...impliedBy(agent).map(([capability, pointer]) => ask(capability, pointer, false)),
  ]
}

function askOf(capability: string, settings: JsonObject, isRequired: boolean, source: AskSource): CapabilityAsk {
  const { reason, schedule, wake_triggers, max_runtime, channels } = settings
  const schedules = capability === 'background' ? wakeSchedules(wake_triggers) : [schedule]
  const names = Array.isArray(channels) ? channels.filter(isText) : []
  return {
    capability,
    mode: modeOf(capability, settings),
    isRequired,
    ...(isText(reason) && { reason }),
    // 0 means unlimited, as other limits have it.
    ...(typeof max_runtime === 'number' && max_runtime > 0 && { max_runtime }),
    ...(names.length > 0 && { channels: names }),
    schedules: schedules.filter(isText),
    sources: [source],
  }
}

/** The lowest mode for an unknown one. */
function modeOf(capability: string, { mode, wake_triggers }: JsonObject): Mode {
  const modes = modesOf(capability)
  if (mode !== undefined) return modes.find((one) => one === mode) ?? modes[0]!
  return capability !== 'background' ? 'on_demand' : wake_triggers === undefined ? 'continuous' : 'scheduled'
}

/** The capabilities that the parts of an agent need, with the parts. */
function impliedBy(agent: JsonObject): readonly (readonly [capability: string, pointer: string])[] {
  const objects = (name: string) => Object.values(objectOf(member(agent, name))).map(objectOf)
  const requests = objects('http_tools')
  const servers = objects('mcp_servers')
  const web = elements({ pointer: '', value: agent }, 'tools', isObject).find(
    ({ value: { name } }) => isText(name) && name.startsWith('web_'),
  )
  const needsToken = (tool: JsonObject) =>
    Object.keys(tool).some((name) => name.endsWith('_token') && tool[name] === true)
  const implied: [capability: string, pointer: string | false | undefined][] = [
    ['shell', objects('bash_tools').length > 0 && '/bash_tools'],
    ['shell', servers.some(({ command }) => command !== undefined) && '/mcp_servers'],
    ['network', requests.length > 0 && '/http_tools'],
    ['network', servers.some(({ url }) => url !== undefined) && '/mcp_servers'],
    ['network', web?.pointer],
    ['oauth', requests.some(needsToken) && '/http_tools'],
  ]
  return implied.flatMap(([capability, pointer]) => (pointer ? [[capability, pointer] as const] : []))
}

function protocolsOf({ value: agent }: AgentPart): ProtocolAsk[] {
  const declared = elements({ pointer: '', value: objectOf(agent) }, 'protocols', isObject)
  return declared.flatMap(({ value: { name, version } }) => (isText(name) ? [{ name, version }] : []))
}

// What a host grants of what an agent asks for.

interface GrantedCapability extends CapabilityAsk {
  /** The mode that the agent asks for, if the host grants a lower one. */
  readonly downgradedFrom?: Mode
  /** True when the host prompts the user. */
  readonly isPrompted?: true
}

interface DeniedCapability extends CapabilityAsk {
  readonly why: string
}

interface NegotiatedProtocol {
  readonly name: string
  /** `unjudged` when the host does not say which protocols it has. */
  readonly state: 'accepted' | 'deprecated' | 'refused' | 'unjudged'
  readonly detail: string
}

export declare namespace negotiate {
  interface Result {
    readonly starts: boolean
    readonly granted: readonly GrantedCapability[]
    readonly denied: readonly DeniedCapability[]
    /** The required capabilities that keep the agent from starting. */
    readonly missingRequired: readonly string[]
    readonly protocols: readonly NegotiatedProtocol[]
    /** True when the agent starts with less than it asks for. */
    readonly degraded: boolean
    /** The granted capabilities by category, the highest risk first. */
    readonly risks: typeof CATEGORIES
  }
}

/**
 * Decides what a host grants of what an agent asks for. A mode only goes down, and every required capability must be
 * granted.
 */
export function negotiate(ask: Ask, host: Host): negotiate.Result {
  const wakes = wakesOf(ask, host)
  const decisions = ask.capabilities.map((one) => decide(one, host, wakes))
  const denied = decisions.filter((one) => 'why' in one)
  const granted = decisions.filter((one) => !('why' in one))
  const missingRequired = [...new Set(denied.flatMap((one) => (one.isRequired ? one.capability : [])))]
  const protocols = ask.protocols.map((protocol) => judgeProtocol(protocol, host))
  const starts = missingRequired.length === 0 && protocols.every(({ state }) => state !== 'refused')
  const isLess = denied.length > 0 || granted.some((one) => 'downgradedFrom' in one)
  return { starts, granted, denied, missingRequired, protocols, degraded: starts && isLess, risks: risksOf(granted) }
}

function decide(ask: CapabilityAsk, host: Host, wakes?: ReadonlySet<string>): GrantedCapability | DeniedCapability {
  const { capability, mode: wanted, schedules } = ask
  const modes = host.capabilities.get(capability) ?? []
  const mode = grantable(capability, wanted).find((one) => modes.includes(one))
  const deny = (why: string) => ({ ...ask, why })
  if (modes.length === 0) return deny(`${host.name} does not grant ${quoted(capability)}`)
  if (mode === undefined) return deny(`${host.name} grants ${quoted(capability)} as ${oneOf(modes)}, not as ${wanted}`)
  if (mode === 'scheduled' && capability !== 'background') {
    if (wakes === undefined) return deny(`A schedule needs 'background', which ${host.name} does not grant`)
    if (!schedules.every((schedule) => wakes.has(parseSchedule(schedule)?.key ?? '')))
      return deny("No wake trigger of 'background' has this schedule")
  }
  return {
    ...ask,
    mode,
    ...(mode !== wanted && { downgradedFrom: wanted }),
    ...(host.asks.has(capability) && { isPrompted: true }),
  }
}

/** The times at which the agent wakes; undefined if the host does not let it run in the background. */
function wakesOf({ capabilities }: Ask, host: Host): ReadonlySet<string> | undefined {
  const background = capabilities.find(({ capability }) => capability === 'background')
  if (background === undefined || 'why' in decide(background, host)) return undefined
  return new Set(background.schedules.flatMap((schedule) => parseSchedule(schedule)?.key ?? []))
}

function judgeProtocol({ name, version: range }: ProtocolAsk, host: Host): NegotiatedProtocol {
  const judged = (state: NegotiatedProtocol['state'], detail: string) => ({ name, state, detail })
  const wanted = parseRange(range ?? '')
  if (wanted === undefined) return judged('refused', `${quoted(name)} has an invalid range of versions`)
  if (host.protocols === undefined) return judged('unjudged', `${host.name} does not say which protocols it has`)
  const { accepted = [], deprecated = [], removed = [] } = host.protocols.get(name) ?? {}
  const used = highest(wanted, accepted)
  if (used !== undefined) return judged('accepted', `${quoted(name)} ${used}`)
  const target = highest([[]], accepted)
  const advice = target === undefined ? '' : `, migrate to ${target}`
  const old = highest(wanted, deprecated)
  if (old !== undefined) return judged('deprecated', `${quoted(name)} ${old} is deprecated${advice}`)
  const gone = highest(wanted, removed)
  const lacking =
    gone === undefined ? `${host.name} has no such version of ${quoted(name)}` : `${quoted(name)} ${gone} was removed`
  return judged('refused', `${lacking}${advice}`)
}

function risksOf(granted: readonly GrantedCapability[]): negotiate.Result['risks'] {
  const names = new Set(granted.map(({ capability }) => capability))
  const rows = CATEGORIES.map((row) => ({ ...row, capabilities: row.capabilities.filter((one) => names.has(one)) }))
  return rows.filter(({ capabilities }) => capabilities.length > 0).reverse()
}
