// Every kind of document that Blazon supports, as data: its names, how to detect it, and its limits. Library, CLI, page
// and Worker read this table; kinds are listed nowhere else.

/** Limits of a document: its size, and how deeply containers may be nested. */
export interface Bounds {
  readonly bytes: number
  readonly depth: number
}

/** A pattern that detects a kind by its members: everything in it must match. */
export interface Tell {
  /** Members that must exist. */
  readonly has?: readonly string[]
  /** Text members and how they must begin, in any case. */
  readonly starts?: Readonly<Record<string, string>>
  /** Members that must have a certain type. */
  readonly is?: Readonly<Record<string, 'array' | 'object' | 'string'>>
  /** A member that at least one element of a list must have. */
  readonly each?: readonly [list: string, member: string]
}

interface Row {
  readonly kind: string
  /** For sentences: "an agent definition". */
  readonly name: string
  readonly plural: string
  /** The endings of its file names, in any case. */
  readonly files: readonly string[]
  readonly tells: readonly Tell[]
  /** Kinds whose patterns its documents may match as well; it must be listed before them. */
  readonly before?: readonly string[]
  readonly bounds: Bounds
  /** True when Blazon has rules for it; otherwise a report says that it cannot be checked. */
  readonly isChecked: boolean
  /** True when its documents carry a signature of their own. */
  readonly isSigned: boolean
  /** The form of a source: one JSON or YAML document, one document per line, Markdown, ZIP, or a folder of files. */
  readonly form: 'document' | 'lines' | 'text' | 'archive' | 'folder'
}

const MIB = 1 << 20

export const KINDS = [
  {
    kind: 'adl',
    name: 'agent definition',
    plural: 'agent definitions',
    files: ['.adl.json', '.adl.yaml', '.adl.yml', '.adl'],
    // ADL 0.1 section 5.
    tells: [{ has: ['adl_spec'] }],
    before: ['adl-discovery', 'a2a', 'card', 'agentlang'],
    // Section 18.5 recommends both limits.
    bounds: { bytes: MIB, depth: 32 },
    isChecked: true,
    isSigned: true,
    form: 'document',
  },
  {
    kind: 'adl-discovery',
    name: 'discovery document',
    plural: 'discovery documents',
    files: ['adl-agents'],
    // ADL 0.1 section 6.4.
    tells: [{ has: ['adl_discovery'] }, { each: ['agents', 'adl_document'] }],
    bounds: { bytes: 4 * MIB, depth: 32 },
    isChecked: true,
    isSigned: false,
    form: 'document',
  },
  {
    kind: 'verdict',
    name: 'policy verdict',
    plural: 'policy verdicts',
    files: [],
    // PVS-1 section 3.
    tells: [{ starts: { version: 'pvs-' } }, { has: ['decision', 'policy_violations', 'confidence_score'] }],
    bounds: { bytes: 4 * MIB, depth: 64 },
    isChecked: false,
    isSigned: false,
    form: 'document',
  },
  {
    kind: 'run',
    name: 'run record',
    plural: 'run records',
    files: [],
    // ADP-1 section 3.
    tells: [{ starts: { version: 'adp-' } }, { has: ['run_id', 'steps'] }],
    bounds: { bytes: 64 * MIB, depth: 64 },
    isChecked: false,
    isSigned: false,
    form: 'document',
  },
  {
    kind: 'invite',
    name: 'invitation',
    plural: 'invitations',
    files: [],
    // ADP/1.1 section 8.3.1.
    tells: [{ has: ['invite'], starts: { protocol: 'ADP/' } }],
    before: ['wellknown'],
    bounds: { bytes: MIB, depth: 64 },
    isChecked: true,
    isSigned: true,
    form: 'document',
  },
  {
    kind: 'wellknown',
    name: 'metadata document',
    plural: 'metadata documents',
    files: [],
    // ADP/1.1 section 6.3.
    tells: [{ starts: { protocol: 'ADP/' } }, { has: ['identity', 'endpoints'] }],
    bounds: { bytes: 4 * MIB, depth: 64 },
    isChecked: true,
    isSigned: true,
    form: 'document',
  },
  {
    kind: 'trace',
    name: 'trace of a discovery',
    plural: 'traces of discoveries',
    files: ['.trace.json'],
    // docs/guide/discovery.md.
    tells: [{ starts: { trace: 'blazon/' } }],
    bounds: { bytes: 8 * MIB, depth: 64 },
    isChecked: true,
    isSigned: false,
    form: 'document',
  },
  {
    kind: 'a2a',
    name: 'A2A card',
    plural: 'A2A cards',
    files: ['agent-card.json'],
    // A2A 1.0 and 0.3 section 4.4.1; before 0.3, cards had no version of their own.
    tells: [
      { has: ['supportedInterfaces'] },
      { has: ['protocolVersion', 'skills'] },
      { has: ['capabilities', 'defaultInputModes'] },
      { has: ['url', 'capabilities', 'skills'] },
    ],
    before: ['card', 'agentlang'],
    bounds: { bytes: 4 * MIB, depth: 64 },
    isChecked: true,
    isSigned: true,
    form: 'document',
  },
  {
    kind: 'mcp-server',
    name: 'MCP server description',
    plural: 'MCP server descriptions',
    files: [],
    // server.json of the MCP registry, and server cards (SEP-2127).
    tells: [
      { starts: { $schema: 'https://static.modelcontextprotocol.io/schemas/' } },
      { has: ['name', 'version', 'packages'] },
      { has: ['name', 'version', 'remotes'] },
    ],
    before: ['agentlang'],
    bounds: { bytes: 4 * MIB, depth: 64 },
    isChecked: true,
    isSigned: false,
    form: 'document',
  },
  {
    kind: 'ai-catalog',
    name: 'AI catalog',
    plural: 'AI catalogs',
    files: [],
    // AI Catalog 1.0, and ARD.
    tells: [
      { is: { entries: 'array' }, has: ['specVersion'] },
      { is: { entries: 'array' }, has: ['host'] },
    ],
    bounds: { bytes: 4 * MIB, depth: 64 },
    isChecked: true,
    isSigned: false,
    form: 'document',
  },
  {
    kind: 'lock',
    name: 'lockfile',
    plural: 'lockfiles',
    files: ['agent.lock'],
    tells: [{ has: ['resolved_at'] }],
    bounds: { bytes: MIB, depth: 64 },
    isChecked: false,
    isSigned: false,
    form: 'document',
  },
  {
    kind: 'prompt',
    name: 'prompt',
    plural: 'prompts',
    files: [],
    tells: [{ is: { sections: 'array' } }],
    bounds: { bytes: MIB, depth: 64 },
    isChecked: false,
    isSigned: false,
    form: 'document',
  },
  {
    kind: 'card',
    name: 'Agent Card',
    plural: 'Agent Cards',
    files: ['.card.json', '.card.yaml', '.card.yml'],
    // Agent Card section 3.1; matches even if the id itself is invalid.
    tells: [{ starts: { id: 'agent:' } }, { has: ['id', 'name', 'skills'] }, { has: ['id', 'name', 'endpoints'] }],
    before: ['agentlang'],
    // Reads cards that exceed a message (section 7.6), so that their large members can be reported.
    bounds: { bytes: 4 * MIB, depth: 64 },
    isChecked: true,
    isSigned: true,
    form: 'document',
  },
  {
    kind: 'agentlang',
    name: 'AgentLang agent',
    plural: 'AgentLang agents',
    files: [],
    tells: [
      { has: ['name', 'version', 'models'] },
      { has: ['name', 'version', 'tools'] },
      { has: ['name', 'version', 'developer'] },
      { has: ['name', 'version', 'category'] },
    ],
    bounds: { bytes: MIB, depth: 64 },
    isChecked: false,
    isSigned: false,
    form: 'document',
  },
] as const satisfies readonly Row[]

/** The kinds of documents. */
export type Kind = (typeof KINDS)[number]['kind']

/** The row of a kind. */
export type KindRow = Row & { readonly kind: Kind }

/** The names of all kinds. */
export const KIND_NAMES: readonly Kind[] = KINDS.map(({ kind }) => kind)

/** The kinds that have rules. */
export const CHECKED_KINDS: readonly Kind[] = KINDS.filter(({ isChecked }) => isChecked).map(({ kind }) => kind)

/** The row of a kind. */
export function rowOf(kind: Kind): KindRow {
  return KINDS.find((row) => row.kind === kind)!
}
