// Written by scripts/specifications.mjs from bindings/specifications.ts; do not edit.
import adl from '../bindings/adl/example.json' with { type: 'json' }
import wellknown from '../bindings/wellknown/example.json' with { type: 'json' }
import mcp_server from '../bindings/mcp-server/example.json' with { type: 'json' }
import ai_catalog from '../bindings/ai-catalog/example.json' with { type: 'json' }
import claude_settings from '../bindings/claude-settings/example.json' with { type: 'json' }
import card from '../bindings/card/example.json' with { type: 'json' }

export const KIND_EXAMPLES = {
  'adl': { title: "Signed definition", about: "a valid signature; change something, and it no longer matches", document: adl },
  'wellknown': { title: "Agent metadata", about: "what an agent publishes at its domain, signed", document: wellknown },
  'mcp-server': { title: "MCP server", about: "the server.json of an MCP server", document: mcp_server },
  'ai-catalog': { title: "AI catalog", about: "a catalog of agents", document: ai_catalog },
  'claude-settings': { title: "Claude Code settings", about: "what Claude Code may do without a question", document: claude_settings },
  'card': { title: "Agent Card", about: "signed with the key in its id", document: card },
}
