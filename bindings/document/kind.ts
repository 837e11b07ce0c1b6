// What a document is, told by its content alone: each kind has a member that no other kind has, or a few that only it has
// together. The first row that fits counts.
import type { Document } from './document.ts'
import { isObject, type JsonObject, member } from './members.ts'
import type { Kind } from './report.ts'

const KINDS: readonly (readonly [Kind, (of: JsonObject) => boolean])[] = [
  // ADL 0.1 sections 5 and 6.4.
  ['adl', (of) => has(of, 'adl_spec')],
  [
    'adl-discovery',
    (of) =>
      has(of, 'adl_discovery') || list(of, 'agents').some((agent) => isObject(agent) && has(agent, 'adl_document')),
  ],
  // PVS-1 section 3, ADP-1 section 3.
  ['verdict', (of) => /^pvs-\d/.test(text(of, 'version')) || has(of, 'decision policy_violations confidence_score')],
  ['run', (of) => /^adp-\d/.test(text(of, 'version')) || has(of, 'run_id steps')],
  // ADP 1.1 sections 8.3.1 and 6.3.
  ['invite', (of) => isProtocol(of) && has(of, 'invite')],
  ['wellknown', (of) => isProtocol(of) || has(of, 'identity endpoints')],
  // A2A 1.0 and 0.3 section 4.4.1, the registry of MCP, and AI catalogs.
  [
    'a2a',
    (of) =>
      has(of, 'supportedInterfaces') ||
      has(of, 'protocolVersion skills') ||
      has(of, 'capabilities defaultInputModes') ||
      // Before 0.3 a card had no version of its own.
      has(of, 'url capabilities skills'),
  ],
  ['mcp-server', (of) => isMcpSchema(of) || (has(of, 'name version') && (has(of, 'packages') || has(of, 'remotes')))],
  ['ai-catalog', (of) => Array.isArray(member(of, 'entries')) && (has(of, 'specVersion') || has(of, 'host'))],
  // AgentLang: agent.lock, prompt.yaml, agent.yaml.
  ['lock', (of) => has(of, 'resolved_at')],
  ['prompt', (of) => Array.isArray(member(of, 'sections'))],
  // Agent Card section 3.1; the id may be what is wrong with it.
  [
    'card',
    (of) => /^agent:/i.test(text(of, 'id')) || (has(of, 'id name') && (has(of, 'skills') || has(of, 'endpoints'))),
  ],
  [
    'agentlang',
    (of) => has(of, 'name version') && ['models', 'tools', 'developer', 'category'].some((name) => has(of, name)),
  ],
]

/**
 * What kind of document this is, told by its members; undefined when it is none of those that Blazon knows.
 *
 * @example
 * detectKind(parse('{"adl_spec": "0.1.0"}').document) // 'adl'
 */
export function detectKind(document: Document): Kind | undefined {
  const { value } = document
  return isObject(value) ? KINDS.find(([, fits]) => fits(value))?.[0] : undefined
}

/** What a document is, by its members, or else by the name of its file (ADL section 17.1). */
export function kindOf(document: Document | undefined, file: string | undefined): Kind | undefined {
  const detected = document && detectKind(document)
  if (detected !== undefined) return detected
  if (/\.adl(\.json|\.ya?ml)?$/i.test(file ?? '')) return 'adl'
  return /\.card\.(json|ya?ml)$/i.test(file ?? '') ? 'card' : undefined
}

function has(of: JsonObject, names: string): boolean {
  return names.split(' ').every((name) => Object.hasOwn(of, name))
}

function list(of: JsonObject, name: string): readonly unknown[] {
  const value = member(of, name)
  return Array.isArray(value) ? value : []
}

function text(of: JsonObject, name: string): string {
  const value = member(of, name)
  return typeof value === 'string' ? value : ''
}

function isProtocol(of: JsonObject): boolean {
  return text(of, 'protocol').startsWith('ADP/')
}

function isMcpSchema(of: JsonObject): boolean {
  return /^https:\/\/static\.modelcontextprotocol\.io\/schemas\//.test(text(of, '$schema'))
}
