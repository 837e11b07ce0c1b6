// What a lockfile pins of an MCP server: its tools and its instructions, which models read.
import type { McpResult, McpSession } from '../../mcp/peer.ts'
import { escapeToken, isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { counted, quoted } from '../../text/words.ts'
import { HIDDEN_TEXT } from '../findings.ts'
import { hiddenIn } from '../words.ts'
import type { ServerDescription } from './lock.ts'
import type { LockFault } from './resolve.ts'

const MOST_FAULTS = 20

/**
 * Asks a server for what a lockfile pins. A list that is too long, or has tools without a name or two of one name, is a
 * fault, because its pins would not cover every tool.
 */
export async function pinServer(session: McpSession): Promise<McpResult<ServerDescription>> {
  const listed = await session.listTools()
  if ('fault' in listed) return listed
  const { tools, isWhole } = listed.ok
  if (!isWhole) return unpinned('the list of tools is too long')
  const names = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const name = member(objectOf(tool), 'name')
    if (!isText(name)) return unpinned(`tool ${index} has no name`)
    if (names.has(name)) return unpinned(`two tools have the name ${quoted(name)}`)
    names.add(name)
  }
  const { instructions } = session
  return { ok: { ...(instructions !== undefined && { instructions }), tools } }
}

const unpinned = (detail: string) => ({ fault: { reason: 'invalid', detail } }) as const

/** The hidden characters in a server's instructions and tools, at most 20 places. The server is a key of mcp_servers. */
export function hiddenInServer(server: string, { instructions = '', tools }: ServerDescription): readonly LockFault[] {
  const faults: LockFault[] = []
  const add = (place: string, texts: Iterable<string>) => {
    let count = 0
    for (const text of texts) count += hiddenIn(text)
    if (count === 0 || faults.length === MOST_FAULTS) return
    const detail = `${place} of the MCP server ${quoted(server)} has ${counted(count, 'hidden character')}`
    faults.push({ rule: HIDDEN_TEXT, pointer: `/mcp_servers/${escapeToken(server)}`, detail })
  }
  add('The text `instructions`', [instructions])
  for (const tool of tools.filter(isObject)) add(`The tool ${quoted(String(tool['name']))}`, textsIn(tool))
  return faults
}

/** All names and texts of a value. */
function* textsIn(value: unknown): Generator<string> {
  if (isText(value)) yield value
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value as JsonObject)) {
      yield name
      yield* textsIn(inner)
    }
}
