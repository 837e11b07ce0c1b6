// What an agent asks for as a table, for the terminal and the page.
import type { Negotiation } from './asks/negotiate.ts'
import type { AgentCost, AgentInspection, AgentPart, RiskyCapability } from './inspect.ts'

export const ASK_HEAD = ['what', 'name', 'asks', 'detail', 'where'] as const

/** The capabilities, limits, servers, tools and models of an agent, a row each. */
export function askRows(inspection: AgentInspection): readonly (readonly string[])[] {
  return [
    ...inspection.capabilities.map((one) => {
      const files = new Set(one.sources.map(({ path }) => path))
      const detail = [one.reason, ...one.schedules].filter((text) => text !== undefined).join('; ')
      return [
        `${one.category} (${one.risk})`,
        one.capability,
        `${needOf(one)}, ${one.mode}`,
        detail,
        [...files].join(' '),
      ]
    }),
    ...limitRows(inspection.agents),
    ...inspection.parts.map((part) => {
      const starts = part.kind === 'server' || part.kind === 'bash'
      return [part.kind, part.name, starts ? pinOf(part) : '', part.detail, part.file]
    }),
    ...inspection.secrets.map((name) => ['secret', name, '', '', '']),
    ...inspection.unread.map((path) => ['sub-agent', path, 'not read', 'nobody knows what it asks for', '']),
  ]
}

/** The limits of the agent, and those in which a sub-agent differs. */
function limitRows(agents: AgentInspection['agents']): readonly (readonly string[])[] {
  const rows = agents.flatMap(({ file, limits, cost, paths, urls }) => {
    const all = { cost: costText(cost), ...limits, allowed_paths: paths?.join(' '), allowed_urls: urls?.join(' ') }
    return Object.entries(all).map(([name, limit = 'no limit']) => ['limit', name, String(limit), '', file])
  })
  const [root] = agents
  const whole = new Set(rows.flatMap(([, name, limit, , file]) => (file === root!.file ? [`${name} ${limit}`] : [])))
  return rows.filter(([, name, limit, , file]) => file === root!.file || !whole.has(`${name} ${limit}`))
}

export const needOf = ({ isRequired, isImplied }: RiskyCapability): string =>
  isRequired ? 'required' : isImplied ? 'implied' : 'optional'

export const pinOf = ({ packages, detail }: AgentPart): string =>
  packages.length > 0
    ? packages.every((one) => one.isPinned)
      ? 'pinned'
      : 'UNPINNED'
    : /^\w+:\/\//.test(detail)
      ? 'remote'
      : 'installed'

export function costText({ cap, most, fault }: AgentCost): string {
  if (fault !== undefined) return `no limit: ${fault}`
  return cap === undefined ? 'no limit' : `at most $${most}${most === cap ? '' : `: $${cap} and its tolerance`}`
}

/** Whether a host starts an agent, and why it refuses or what it gives less of. */
export interface HostVerdict {
  readonly host: string
  readonly verdict: 'starts' | 'starts with less' | 'refuses'
  readonly reasons: readonly string[]
}

export function hostVerdict({ name, ...negotiation }: NonNullable<AgentInspection['host']>): HostVerdict {
  const { starts, degraded } = negotiation
  const verdict = starts ? (degraded ? 'starts with less' : 'starts') : 'refuses'
  // What is denied says so itself.
  const less = reductionsOf(negotiation).map(([verb, text]) => (verb === 'denies' ? text : `${verb} ${text}`))
  return { host: name, verdict, reasons: [...refusalsOf(negotiation), ...less] }
}

/** Why a host does not start an agent. */
export function refusalsOf({ denied, protocols }: Negotiation): readonly string[] {
  return [
    ...denied.filter(({ isRequired }) => isRequired).map(({ why }) => `${why}, which is required`),
    ...protocols.filter(({ state }) => state === 'refused').map(({ detail }) => detail),
  ]
}

/** What the agent gets less of, and what the host still has to do: a verb, and the rest. */
export function reductionsOf({ denied, granted, protocols }: Negotiation): readonly (readonly [string, string])[] {
  return [
    ...denied.filter(({ isRequired }) => !isRequired).map(({ why }) => ['denies', why] as const),
    ...granted.flatMap(({ capability, mode, downgradedFrom }) =>
      downgradedFrom === undefined ? [] : [['lowers', `${capability}: ${mode} instead of ${downgradedFrom}`] as const],
    ),
    ...granted
      .filter(({ isPrompted }) => isPrompted)
      .map(({ capability }) => ['prompts', `the user for ${capability}`] as const),
    ...protocols.filter(({ state }) => state === 'deprecated').map(({ detail }) => ['warns', detail] as const),
  ]
}
