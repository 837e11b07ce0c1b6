// Whether a lockfile is that of an agent: the same tools, models and sub-agents.
import { elements, isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { parseRange, satisfies } from '../versions/range.ts'
import { parseVersion } from '../versions/version.ts'
import { compareLocks, mapped, type SubAgent, withEntries } from './lock.ts'
import { BUILT_IN_TOOLS } from './resolve.ts'

/** Says where a lockfile does not fit its agent; undefined if it fits. The index is not needed. */
export function misfitOf(
  lock: JsonObject,
  agent: JsonObject,
  agents: Readonly<Record<string, SubAgent>>,
): string | undefined {
  const locked = objectOf(lock['tools'])
  const declared = [agent, ...Object.values(agents)].flatMap(({ tools }) =>
    elements({ pointer: '', value: { tools } }, 'tools', isObject).map(({ value }) => value),
  )
  for (const tool of declared) {
    const name = member(tool, 'name')
    if (!isText(name) || BUILT_IN_TOOLS.includes(name)) continue
    const found = member(objectOf(member(locked, name)), 'version')
    const version = isText(found) ? parseVersion(found) : undefined
    const range = parseRange(member(tool, 'version') ?? '')
    if (version === undefined) return `it has no version of the tool ${quoted(name)}`
    if (range === undefined || !satisfies(range, version))
      return `${quoted(name)} is locked in version ${found}, which its agent does not accept`
  }
  const names = new Set(declared.map((tool) => member(tool, 'name')))
  const undeclared = Object.keys(locked).find((name) => !names.has(name))
  if (undeclared !== undefined) return `no agent declares its tool ${quoted(undeclared)}`
  const expected = {
    models: mapped(objectOf(agent['models']), (_, id) => member(objectOf(lock['models']), id) ?? null),
    agents: mapped(agents, ({ version }, name) => {
      const { version: _, ...entry } = objectOf(member(objectOf(lock['agents']), name))
      return version === undefined ? entry : { ...entry, version }
    }),
  }
  const own = { models: lock['models'] ?? {}, agents: lock['agents'] ?? {} }
  const [other] = compareLocks(withEntries({ ...lock, ...expected }, agents, new Map()), { ...lock, ...own })
  return other && `${quoted(other.path)} is not that of the agent`
}
