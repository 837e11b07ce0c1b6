// The tools of an MCP server that an agent may use: those of its whitelist, as agent.lock has them, without hidden text.
import type { ToolOutcome } from '../../agentlang/functions/tools/contract.ts'
import { pinsOf } from '../../agentlang/lock/lock.ts'
import { hiddenInServer, pinServer } from '../../agentlang/lock/specification.ts'
import { isHiddenName } from '../../agentlang/specification.ts'
import type { McpResult, McpSession } from '../../mcp/peer.ts'
import { isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { RunTool } from './model.ts'
import { definitionOf, failed } from './tools.ts'

export interface McpServer {
  /** Its key in `mcp_servers`. */
  readonly name: string
  readonly session: McpSession
  /** The whitelist; undefined allows all. */
  readonly whitelist: readonly string[] | undefined
  /** Its entry in `mcp` of agent.lock. Without it nothing is offered, unless the user accepts that: `unpinned`. */
  readonly pins: JsonObject | 'unpinned' | undefined
  readonly needs: readonly string[]
}

interface OfferedTools {
  readonly tools: readonly RunTool[]
  /** Why other tools are not offered. */
  readonly notices: readonly string[]
}

/** The most notices about one server in a run. */
const MOST_NOTICES = 100

/**
 * Returns what gives the tools that a server offers now. It asks the server again when this says that its tools
 * changed, or when their list is too old. `tell` gets the reason why a tool is not offered, once.
 */
export function mcpTools(server: McpServer, tell: (notice: string) => void): () => Promise<readonly RunTool[]> {
  const { name, session } = server
  const told = new Set<string>()
  const list = async () => {
    const offered = await offeredTools(server)
    const notices =
      'ok' in offered ? offered.ok.notices : [`${name}: its tools are not offered: ${offered.fault.detail}`]
    for (const notice of notices) {
      if (told.has(notice) || told.size > MOST_NOTICES) continue
      told.add(notice)
      tell(told.size > MOST_NOTICES ? `${name}: more of its tools are not offered` : notice)
    }
    return 'ok' in offered ? offered.ok.tools : []
  }
  session.watchTools()
  let last = list()
  return () => {
    if (session.areToolsStale) last = list()
    return last
  }
}

/** Lists the tools of a server. Those that are new, changed, not allowed or hide text are not offered. */
async function offeredTools({ name, session, whitelist, pins, needs }: McpServer): Promise<McpResult<OfferedTools>> {
  const listed = await pinServer(session)
  if ('fault' in listed) return listed
  const locked = pins === 'unpinned' ? undefined : objectOf(member(objectOf(pins), 'tools'))
  const found = objectOf(pinsOf(listed.ok)['tools'])
  const names = Object.keys(found)
  const notices = [...(whitelist ?? []), ...Object.keys(locked ?? {})]
    .filter((tool, i, all) => !names.includes(tool) && all.indexOf(tool) === i)
    .map((tool) => `${name}: the server has no tool ${quoted(tool)}`)
  if (locked === undefined || pins === undefined) notices.push(`${name}: agent.lock does not pin its tools`)
  const whyNot = (tool: JsonObject, title: string) => {
    if (whitelist !== undefined && !whitelist.includes(title)) return undefined
    if (locked !== undefined && member(locked, title) === undefined) return 'is not in agent.lock'
    if (locked !== undefined && locked[title] !== found[title]) return 'is not as agent.lock has it'
    if (isHiddenName(title)) return 'has hidden characters in its name'
    return hiddenInServer(name, { tools: [tool] }).length > 0 ? 'has hidden text' : ''
  }
  const tools = listed.ok.tools.filter(isObject).flatMap((tool) => {
    const title = String(tool['name'])
    const why = whyNot(tool, title)
    if (why) notices.push(`${name}: the tool ${quoted(title)} ${why}, so it is not offered`)
    return why === '' ? [mcpTool(tool, title, session, needs)] : []
  })
  return { ok: { tools, notices } }
}

function mcpTool(tool: JsonObject, name: string, session: McpSession, needs: readonly string[]): RunTool {
  const { description, inputSchema, outputSchema: output_schema } = tool
  const input_schema = isObject(inputSchema) ? inputSchema : { type: 'object' }
  return {
    definition: definitionOf(name, { description, output_schema }, input_schema),
    needs,
    async call(input, { signal, limits: { max_exec_time: seconds } }) {
      const answer = await session.callTool(name, input, { signal, ...(seconds && { timeoutMs: seconds * 1000 }) })
      return 'ok' in answer ? outcomeOf(answer.ok) : failed(answer.fault.detail)
    },
  }
}

/** Structured content if there is some, otherwise the text, otherwise all that the server gave. */
function outcomeOf({ content, structuredContent, isError }: JsonObject): ToolOutcome {
  const parts = Array.isArray(content) ? content.map(objectOf) : []
  const texts = parts.map(({ text }) => text).filter(isText)
  if (isError === true) return failed(texts.join('\n') || 'the tool failed')
  const isPlain = texts.length === parts.length
  return { kind: 'ok', value: structuredContent ?? (isPlain ? texts.join('\n') : parts) }
}
