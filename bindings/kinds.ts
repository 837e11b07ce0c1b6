// Every kind of document that Blazon knows, as data: how it is called, told apart, and bounded. Library, terminal tool, page and
// Worker read this table; nothing else lists kinds.

/** The most bytes that a document may have, and the most containers inside of each other. */
export interface Bounds {
  readonly bytes: number
  readonly depth: number
}

/** Members that tell a kind: all of a row's demands hold together. */
export interface Tell {
  /** Members that are there. */
  readonly has?: readonly string[]
  /** Members that are texts, and how these begin, in any case. */
  readonly starts?: Readonly<Record<string, string>>
  /** Members that are of a type. */
  readonly is?: Readonly<Record<string, 'array' | 'object' | 'string'>>
  /** A member that an element of a list has. */
  readonly each?: readonly [list: string, member: string]
}

interface Row {
  readonly kind: string
  /** In a sentence: "an agent definition". */
  readonly name: string
  readonly plural: string
  /** The endings of its files' names, in any case. */
  readonly files: readonly string[]
  readonly tells: readonly Tell[]
  /** Kinds whose members it may have, too, and which it is before. */
  readonly before?: readonly string[]
  readonly bounds: Bounds
  /** Its rules are carried out; of other kinds a report says that they cannot be checked. */
  readonly isChecked: boolean
  /** It carries a signature of its own. */
  readonly isSigned: boolean
  /** The form of a source: one JSON or YAML document, a document a line, Markdown, ZIP, or a folder of files. */
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
    // Section 18.5 recommends both.
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
    // docs/discovery.md.
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
    // A2A 1.0 and 0.3 section 4.4.1; before 0.3 a card had no version of its own.
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
    // server.json of the registry of MCP, and server cards (SEP-2127).
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
    // Agent Card section 3.1; the id itself may be wrong.
    tells: [{ starts: { id: 'agent:' } }, { has: ['id', 'name', 'skills'] }, { has: ['id', 'name', 'endpoints'] }],
    before: ['agentlang'],
    // A card that is larger than a message (section 7.6) is still read, so that its large members can be named.
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

/** Kinds that there are rules for. */
export const CHECKED_KINDS: readonly Kind[] = KINDS.filter(({ isChecked }) => isChecked).map(({ kind }) => kind)

/** The row of a kind. */
export function rowOf(kind: Kind): KindRow {
  return KINDS.find((row) => row.kind === kind)!
}
