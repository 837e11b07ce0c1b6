// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'MCP-101' | 'MCP-102' | 'MCP-103' | 'MCP-110' | 'MCP-111' | 'MCP-112' | 'MCP-113' | 'MCP-114' | 'MCP-115' | 'MCP-116' | 'MCP-117' | 'MCP-118'

const T0 = 'MCP configuration'
const T1 = 'warning'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'MCP-101', 'MCP configuration is not a JSON object', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'MCP-102', 'Invalid member type', T0)
export const EMPTY_VALUE = /* @__PURE__ */ finding('empty-value', 'MCP-103', 'Empty value', T0)
export const NO_START = /* @__PURE__ */ finding('no-start', 'MCP-110', 'Server that cannot be reached', T0)
export const TWO_STARTS = /* @__PURE__ */ finding('two-starts', 'MCP-111', 'Command and url', T0, T1)
export const TRANSPORT = /* @__PURE__ */ finding('transport', 'MCP-112', 'Unknown transport', T0)
export const NO_TRANSPORT = /* @__PURE__ */ finding('no-transport', 'MCP-113', 'Address without a transport', 'Claude Code, MCP', 'info', { strict: T1 })
export const LITERAL_SECRET = /* @__PURE__ */ finding('literal-secret', 'MCP-114', 'Secret in the text', T0, T1, { strict: 'error', security: 'error' })
export const PLAIN_HTTP = /* @__PURE__ */ finding('plain-http', 'MCP-115', 'Address without TLS', T0, T1, { strict: 'error', security: 'error' })
export const MISSPELT_MEMBER = /* @__PURE__ */ finding('misspelt-member', 'MCP-116', 'Member that is nearly a known one', T0, T1)
export const REPEATED_SERVER = /* @__PURE__ */ finding('repeated-server', 'MCP-117', 'One server under two names', T0, T1)
export const UNDEFINED_INPUT = /* @__PURE__ */ finding('undefined-input', 'MCP-118', 'Undefined input', 'VS Code, MCP configuration reference')

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MEMBER_TYPE, EMPTY_VALUE, NO_START, TWO_STARTS, TRANSPORT, NO_TRANSPORT, LITERAL_SECRET, PLAIN_HTTP, MISSPELT_MEMBER, REPEATED_SERVER, UNDEFINED_INPUT]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A configuration is one object with the servers by their names.', bad: '[]', good: '{"mcpServers": {}}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"mcpServers": {"mail": {"command": "mail", "args": "--all"}}}', good: '{"mcpServers": {"mail": {"command": "mail", "args": ["--all"]}}}' },
  { ...EMPTY_VALUE, why: 'An empty member says nothing, so leave it out or fill it in.', bad: '{"mcpServers": {"mail": {"command": ""}}}', good: '{"mcpServers": {"mail": {"command": "mail"}}}' },
  { ...NO_START, why: 'A local server needs a command, one of another machine a url. Clients leave out others, some without a word.', bad: '{"mcpServers": {"mail": {"type": "http", "command": "mail"}}}', good: '{"mcpServers": {"mail": {"type": "http", "url": "https://mail.example.com/mcp"}}}' },
  { ...TWO_STARTS, why: 'Clients use one of the two, not all the same one.', bad: '{"mcpServers": {"mail": {"command": "mail", "url": "https://mail.example.com/mcp"}}}', good: '{"mcpServers": {"mail": {"command": "mail"}}}' },
  { ...TRANSPORT, why: 'Clients know stdio, http and sse, and a few other names of these. They leave out a server with another type.', bad: '{"mcpServers": {"mail": {"type": "htpp", "url": "https://mail.example.com/mcp"}}}', good: '{"mcpServers": {"mail": {"type": "http", "url": "https://mail.example.com/mcp"}}}' },
  { ...NO_TRANSPORT, why: 'In .mcp.json, Claude Code takes a server without a type for a local one, and ignores its url. Other clients guess.', bad: '{"mcpServers": {"mail": {"url": "https://mail.example.com/mcp"}}}', good: '{"mcpServers": {"mail": {"type": "http", "url": "https://mail.example.com/mcp"}}}' },
  { ...LITERAL_SECRET, why: 'Everyone who can read the repository has it. Clients replace variables, as in ${KEY}, ${env:KEY} or ${input:key}.', bad: '{"mcpServers": {"mail": {"command": "mail", "env": {"KEY": "ghp_0123456789abcdefghijklmnopqrstuvwxyz"}}}}', good: '{"mcpServers": {"mail": {"command": "mail", "env": {"KEY": "${KEY}"}}}}' },
  { ...PLAIN_HTTP, why: 'Anyone on the network can read and change plain HTTP, such as the tools that a model sees.', bad: '{"mcpServers": {"mail": {"type": "http", "url": "http://mail.example.com/mcp"}}}', good: '{"mcpServers": {"mail": {"type": "http", "url": "https://mail.example.com/mcp"}}}' },
  { ...MISSPELT_MEMBER, why: 'Clients ignore members that they do not know.', bad: '{"mcpServers": {"mail": {"command": "mail", "arg": ["--all"]}}}', good: '{"mcpServers": {"mail": {"command": "mail", "args": ["--all"]}}}' },
  { ...REPEATED_SERVER, why: 'The client starts it twice, and a model sees each tool twice.', bad: '{"mcpServers": {"mail": {"command": "mail"}, "post": {"command": "mail"}}}', good: '{"mcpServers": {"mail": {"command": "mail"}}}' },
  { ...UNDEFINED_INPUT, why: 'VS Code asks for the values of `inputs` only. Without an entry there, the server does not start.', bad: '{"mcpServers": {"mail": {"command": "mail", "env": {"KEY": "${input:key}"}}}}', good: '{"inputs": [{"type": "promptString", "id": "key", "description": "The key"}], "mcpServers": {"mail": {"command": "mail", "env": {"KEY": "${input:key}"}}}}' },
]
