import type { Reading } from '../frame/subject.ts'
import { ROOT_OBJECT } from './findings.ts'
import { McpServer } from './server.ts'

/** How descriptions of MCP servers are parsed. */
export const SERVER_READING: Reading<McpServer> = {
  kind: 'mcp-server',
  rootObject: ROOT_OBJECT,
  subject: (document) => new McpServer(document),
}
