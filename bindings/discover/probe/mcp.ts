// Lists the tools of an MCP server: first with the handshake of 2025-11-25, then with a request of 2026-07-28, which
// needs no handshake.
import { McpHttpTransport } from '../../mcp/http.ts'
import { openMcp } from '../../mcp/peer.ts'
import type { FetchOptions } from '../../net/fetch.ts'
import { isObject, isText, member } from '../../text/members.ts'

const CLIENT = { name: 'blazon', version: '0' }
const MOST_PAGES = 10

/** The tools that an endpoint offers, or the reason why it did not list them. */
export type Offer =
  | { readonly offered: readonly string[]; readonly addressChecked: boolean }
  | { readonly refusal: string }

/** Asks an endpoint for its tools. It may not be an MCP server at all. */
export async function askMcp(url: string, options: () => FetchOptions): Promise<Offer> {
  const { signal, timeoutMs } = options()
  const limits = { ...(signal !== undefined && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) }
  const transport = new McpHttpTransport(url, options)
  const opened = await openMcp(transport, { client: CLIENT, begin: 'initialize', ...limits })
  if ('fault' in opened) return { refusal: opened.fault.detail }
  const listed = await opened.ok.listTools({ ...limits, maxPages: MOST_PAGES })
  await opened.ok.close()
  if ('fault' in listed) return { refusal: listed.fault.detail }
  const names = listed.ok.tools.map((tool) => (isObject(tool) ? member(tool, 'name') : undefined))
  return { offered: [...new Set(names.filter(isText))], addressChecked: transport.addressChecked }
}
