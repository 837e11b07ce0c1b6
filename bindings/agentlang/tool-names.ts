import { replaceHidden } from '../text/hidden.ts'
import { isText, type JsonObject, member, objectOf } from '../text/members.ts'

/** Tools that every runtime has, whether or not an agent lists them. */
export const IMPLICIT_TOOLS: readonly string[] = ['artifacts', 'delegate']
/** Tools whose tables a runtime creates. */
export const TABLE_TOOLS: readonly string[] = ['sqlite', 'storage']
/** Tools of the runtime itself. They have no version, so lockfiles leave them out. */
export const BUILT_IN_TOOLS: readonly string[] = [...IMPLICIT_TOOLS, ...TABLE_TOOLS]

/** True for a name with control characters, line ends or invisible characters: what a person confirms must be seen. */
export const isHiddenName = (name: string): boolean => replaceHidden(name, () => '') !== name

export interface ToolNames {
  /** Those that the agent declares itself. */
  readonly own: readonly string[]
  /** With those that it takes from MCP servers. */
  readonly all: ReadonlySet<string>
  /** True when a server may have others, which are known only once it runs. */
  readonly isOpen: boolean
}

export function toolNames(agent: JsonObject): ToolNames {
  const servers = Object.values(objectOf(member(agent, 'mcp_servers'))).map((server) =>
    member(objectOf(server), 'tools'),
  )
  const tools = member(agent, 'tools')
  const listed = (Array.isArray(tools) ? tools : []).map((tool) => member(objectOf(tool), 'name'))
  const mapped = ['http_tools', 'bash_tools'].flatMap((name) => Object.keys(objectOf(member(agent, name))))
  const own = [...listed, ...mapped].filter(isText)
  return {
    own,
    all: new Set([...own, ...servers.flat().filter(isText)]),
    isOpen: servers.some((list) => !Array.isArray(list)),
  }
}
