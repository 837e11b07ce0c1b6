import { type AgentInspection, inspectAgent } from '../../bindings/agentlang/inspect.ts'
import type { Key } from '../../bindings/keys/key.ts'
import { given } from '../given.ts'
import type { Result } from '../outcome.ts'
import type { Readable } from '../reader.ts'
import { readAgent } from './agent.ts'
import { costText, needOf, pinOf } from './inspect-text.ts'

export const AGENT_HEAD = ['what', 'name', 'asks', 'detail', 'where'] as const

/** What an AgentLang agent asks for: its capabilities, limits, servers, tools and models, a row each. */
export async function agentGrants(
  read: Readable,
  keys: readonly Key[],
): Promise<{ readonly rows: readonly (readonly string[])[]; readonly result: Result }> {
  const { file, agent, container, diagnostics } = await readAgent(read, keys)
  const result = { file, kind: read.kind ?? null, valid: agent !== undefined, diagnostics }
  if (agent === undefined) return { rows: [], result }
  const inspection = inspectAgent(agent, given({ container }))
  const rows = [
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
  return { rows, result: { ...result, inspection } }
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
