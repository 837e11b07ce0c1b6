// Writes lockfiles. Apart from the code that reads them, which needs no writer of YAML.
import { toYaml } from '../../document/yaml/stringify.ts'
import { isObject, type JsonObject } from '../../text/members.ts'
import { sortMembers } from './lock.ts'

/** The order of the specification's example. */
const SECTIONS = ['version', 'resolved_at', 'tools', 'agents', 'models', 'files', 'mcp']

/** The text of a lockfile: YAML with sections in the order of the specification, and sorted names below them. */
export function writeLock(lock: JsonObject): string {
  const rank = (name: string) => (SECTIONS.includes(name) ? SECTIONS.indexOf(name) : SECTIONS.length)
  const sections = Object.entries(sortMembers(lock)).sort(([a], [b]) => rank(a) - rank(b))
  return toYaml(
    Object.fromEntries(sections.map(([name, section]) => [name, isObject(section) ? sortMembers(section) : section])),
  )
}
