import type { Reading } from '../frame/subject.ts'
import { rootObject } from './rules/schema.ts'
import { McpServer } from './server.ts'

/** How descriptions of MCP servers are parsed. */
export const SERVER_READING: Reading<McpServer> = {
  kind: 'mcp-server',
  rootObject,
  subject: (document) => new McpServer(document),
}
