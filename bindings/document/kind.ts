// What a document is, told by its content alone: each kind has a member that no other kind has, or a few that only it has
// together. The first row that fits counts.
import type { Document } from './document.ts'
import type { Kind } from './report.ts'

type Members = Readonly<Record<string, unknown>>

const KINDS: readonly (readonly [Kind, (members: Members) => boolean])[] = [
  // ADL 0.1 sections 5 and 6.4.
  ['adl', (of) => 'adl_spec' in of],
  [
    'adl-discovery',
    (of) => 'adl_discovery' in of || list(of['agents']).some((agent) => 'adl_document' in membersOf(agent)),
  ],
  // PVS-1 section 3, ADP-1 section 3.
  ['verdict', (of) => /^pvs-\d/.test(text(of['version'])) || has(of, 'decision policy_violations confidence_score')],
  ['run', (of) => /^adp-\d/.test(text(of['version'])) || has(of, 'run_id steps')],
  // ADP 1.1 sections 8.3.1 and 6.3.
  ['invite', (of) => isProtocol(of) && 'invite' in of],
  ['wellknown', (of) => isProtocol(of) || has(of, 'identity endpoints')],
  // A2A 1.0 and 0.3 section 4.4.1, the registry of MCP, and AI catalogs.
  [
    'a2a',
    (of) =>
      'supportedInterfaces' in of ||
      has(of, 'protocolVersion skills') ||
      has(of, 'capabilities defaultInputModes') ||
      // Before 0.3 a card had no version of its own.
      has(of, 'url capabilities skills'),
  ],
  ['mcp-server', (of) => isMcpSchema(of) || (has(of, 'name version') && ('packages' in of || 'remotes' in of))],
  ['ai-catalog', (of) => Array.isArray(of['entries']) && ('specVersion' in of || 'host' in of)],
  // AgentLang: agent.lock, prompt.yaml, agent.yaml.
  ['lock', (of) => 'resolved_at' in of],
  ['prompt', (of) => Array.isArray(of['sections'])],
  // Agent Card section 3.1; the id may be what is wrong with it.
  ['card', (of) => /^agent:/i.test(text(of['id'])) || (has(of, 'id name') && ('skills' in of || 'endpoints' in of))],
  [
    'agentlang',
    (of) => has(of, 'name version') && ['models', 'tools', 'developer', 'category'].some((member) => member in of),
  ],
]

/**
 * What kind of document this is, told by its members; undefined when it is none of those that Blazon knows.
 *
 * @example
 * detectKind(parse('{"adl_spec": "0.1.0"}').document) // 'adl'
 */
export function detectKind(document: Document): Kind | undefined {
  const members = membersOf(document.value)
  return KINDS.find(([, fits]) => fits(members))?.[0]
}

/** What a document is, by its members, or else by the name of its file (ADL section 17.1). */
export function kindOf(document: Document | undefined, file: string | undefined): Kind | undefined {
  const detected = document && detectKind(document)
  if (detected !== undefined) return detected
  if (/\.adl(\.json|\.ya?ml)?$/i.test(file ?? '')) return 'adl'
  return /\.card\.(json|ya?ml)$/i.test(file ?? '') ? 'card' : undefined
}

/** The members of an object, without what all objects inherit; none of anything else. */
function membersOf(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  return Object.assign(Object.create(null), value)
}

function has(members: Members, names: string): boolean {
  return names.split(' ').every((name) => name in members)
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isProtocol(members: Members): boolean {
  return text(members['protocol']).startsWith('ADP/')
}

function isMcpSchema(members: Members): boolean {
  return /^https:\/\/static\.modelcontextprotocol\.io\/schemas\//.test(text(members['$schema']))
}
