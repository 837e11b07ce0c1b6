import type { Reading } from '../frame/subject.ts'
import { rootObject } from './rules/schema.ts'
import { McpServer } from './server.ts'

/** Makes a document into a description of an MCP server that rules can read. */
export const SERVER_READING: Reading<McpServer> = {
  kind: 'mcp-server',
  rootObject,
  subject: (document) => new McpServer(document),
}
