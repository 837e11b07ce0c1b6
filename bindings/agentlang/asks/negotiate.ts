// What a host grants of what an agent asks for.
import { oneOf, quoted } from '../../text/words.ts'
import { highest, parseRange } from '../versions/range.ts'
import type { Ask, CapabilityAsk, ProtocolAsk } from './ask.ts'
import { CATEGORIES, grantable, type Mode } from './capabilities.ts'
import { parseSchedule } from './cron.ts'
import type { Host } from './host.ts'

export interface GrantedCapability extends CapabilityAsk {
  /** The mode that the agent asks for, if the host grants a lower one. */
  readonly downgradedFrom?: Mode
  /** True when the host prompts the user. */
  readonly isPrompted?: true
}

export interface DeniedCapability extends CapabilityAsk {
  readonly why: string
}

export interface NegotiatedProtocol {
  readonly name: string
  /** `unjudged` when the host does not say which protocols it has. */
  readonly state: 'accepted' | 'deprecated' | 'refused' | 'unjudged'
  readonly detail: string
}

export interface Negotiation {
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

/**
 * Decides what a host grants of what an agent asks for. A mode only goes down, and every required capability must be
 * granted.
 */
export function negotiate(ask: Ask, host: Host): Negotiation {
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

function risksOf(granted: readonly GrantedCapability[]): Negotiation['risks'] {
  const names = new Set(granted.map(({ capability }) => capability))
  const rows = CATEGORIES.map((row) => ({ ...row, capabilities: row.capabilities.filter((one) => names.has(one)) }))
  return rows.filter(({ capabilities }) => capabilities.length > 0).reverse()
}
