// Every kind of document that Blazon supports, one row each; kinds are listed nowhere else. scripts/specifications.mjs
// writes from it: tables/kinds.ts, for code that needs no specification, all-specifications.ts, for verbs that cannot
// wait for one, form-readers.ts, and the examples of the page.
import type { Needs } from './frame/needs.ts'
import type { Comparing, Proving, Signing, Verifying } from './frame/signing.ts'
import type { Specification } from './frame/specification.ts'
import type { Find, Kind, KindTraits } from './kinds.ts'

/** The code of a kind, loaded when it is needed. A kind without `check` has no rules, one without `sign` no signature. */
interface Loads {
  check?(): Promise<Specification>
  sign?(): Promise<Signing>
  verify?(): Promise<Verifying>
  /** In place of `verify`, for kinds whose proof takes more than the frame's steps; programs load it on demand. */
  prove?(): Promise<Proving>
  /** Compares a verified document with what was given for that. */
  compare?(): Promise<Comparing>
}

/** Makes a document to start from. */
type Template = (name: string, about: { readonly description?: string | undefined }) => object

/** All paths are below bindings/. */
interface SpecificationRow extends KindTraits {
  readonly kind: Kind
  /** How folders are searched for it; default: its file names suffice. */
  readonly finds?: readonly Find[]
  readonly load: Loads
  /** What verifying needs in addition to keys. */
  readonly needs?: Needs
  /** The most bytes that its code may add to `validate` of all kinds. */
  readonly adds?: number
  /** The published JSON Schemas: schema-1.0.json of the kind `a2a` is a2a-1.0.json. */
  readonly schemas?: readonly string[]
  /**
   * What `blazon init` writes, a file or a folder, and its usual name. Without `make`, the command has options of its
   * own for the kind.
   */
  readonly template?: { readonly file: string; make?(): Promise<Template> }
  /** A document without findings, for people to look at. The private keys of the signed ones were discarded. */
  readonly example?: { readonly file: string; readonly title: string; readonly about: string }
}

const MIB = 1 << 20

/** The certificate of an agent, for its record and its stream. */
const AGENT_NEEDS = {
  certificate: { takes: 'file', about: "for runs: the agent's certificate" },
  chain: { takes: 'files', about: 'for runs: authorities between it and the anchor' },
  anchor: { takes: 'files', about: 'for runs: the authorities that you trust' },
  environment: { takes: 'text', about: 'for runs: the environment of the certificate' },
  audience: { takes: 'text', about: 'for runs: the audience of the certificate' },
  lenient: { about: 'for runs: accept extensions with raw text, with a warning' },
} as const

/** The first row whose members match is the kind of a document. */
export const SPECIFICATIONS: readonly SpecificationRow[] = [
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
    finds: [{ names: ['.adl.json', '.adl.yaml', '.adl.yml', '.adl'] }, { marks: [{ has: ['adl_spec'] }] }],
    load: {
      check: async () => (await import('./adl/specification.ts')).ADL,
      sign: async () => (await import('./adl/signing.ts')).ADL_SIGNING,
      verify: async () => (await import('./adl/signing.ts')).ADL_VERIFYING,
      compare: async () => (await import('./adl/records.ts')).ADL_COMPARING,
    },
    needs: {
      'expect-provider': { takes: 'text', value: 'DOMAIN', about: 'the expected domain of the provider' },
      inventory: { takes: 'file', compares: 'record', about: 'report differences from the approved version' },
    },
    adds: 72_000,
    schemas: ['adl/schema.json'],
    template: { file: 'agent.adl.yaml' },
    example: {
      file: 'adl/example.json',
      title: 'Signed definition',
      about: 'a valid signature; change something, and it no longer matches',
    },
  },
  {
    kind: 'adl-discovery',
    name: 'discovery document',
    plural: 'discovery documents',
    files: ['adl-agents'],
    // ADL 0.1 section 6.4.
    tells: [{ has: ['adl_discovery'] }, { each: ['agents', 'adl_document'] }],
    bounds: { bytes: 4 * MIB, depth: 32 },
    finds: [{ names: ['.well-known/adl-agents'] }, { marks: [{ has: ['adl_discovery'] }] }],
    load: {
      check: async () => (await import('./adl/discovery/specification.ts')).ADL_DISCOVERY,
    },
    adds: 2_600,
    schemas: ['adl/discovery/schema.json'],
  },
  {
    kind: 'verdict',
    name: 'policy verdict',
    plural: 'policy verdicts',
    files: [],
    // PVS-1 section 3.
    tells: [{ starts: { version: 'pvs-' } }, { has: ['decision', 'policy_violations', 'confidence_score'] }],
    bounds: { bytes: 4 * MIB, depth: 64 },
    finds: [{ marks: [{ starts: { version: 'pvs-' } }] }],
    load: { check: async () => (await import('./runs/verdict/specification.ts')).VERDICT },
    adds: 5_100,
    schemas: ['runs/verdict/pvs-1.json'],
  },
  {
    kind: 'run',
    name: 'run record',
    plural: 'run records',
    files: [],
    // ADP-1 section 3.
    tells: [{ starts: { version: 'adp-' } }, { has: ['run_id', 'steps'] }],
    bounds: { bytes: 64 * MIB, depth: 64 },
    finds: [{ marks: [{ starts: { version: 'adp-' } }] }],
    load: {
      check: async () => (await import('./runs/record/specification.ts')).RUN,
      prove: async () => (await import('./runs/proving.ts')).RUN_PROVING,
    },
    needs: AGENT_NEEDS,
    adds: 17_300,
    schemas: ['runs/record/adp-1.json'],
  },
  {
    kind: 'stream',
    name: 'stream of a run',
    plural: 'streams of runs',
    files: ['.ndjson'],
    // A line of another kind would be one document.
    tells: [],
    // A proof of one line, and that a stream grew.
    proofs: { files: ['.tlog-proof'], tells: [{ is: { proof: 'array', checkpoint: 'string' } }] },
    form: 'lines',
    // A line has two levels more than the part of the record in it.
    bounds: { bytes: 64 * MIB, depth: 66 },
    finds: [{ names: ['.ndjson'], marks: [{ has: ['run_id', 'seq', 'type'] }] }],
    load: {
      check: async () => (await import('./runs/stream/specification.ts')).STREAM,
      prove: async () => (await import('./runs/proving.ts')).STREAM_PROVING,
    },
    needs: {
      ...AGENT_NEEDS,
      checkpoints: {
        takes: 'file',
        adjacent: '.checkpoints',
        about: 'for streams: its checkpoints (default: those next to it)',
      },
      values: {
        takes: 'file',
        adjacent: '.salts',
        about: 'for streams: values to compare (default: those next to it)',
      },
      policy: { takes: 'file', about: 'for streams: trusted logs and witnesses (C2SP)' },
      since: { takes: 'file', about: 'for streams: earlier checkpoints, which they must continue' },
      partial: { about: 'for streams: say which lines are verified, if not all are' },
      line: { takes: 'file', about: 'for a .tlog-proof: the line that it proves' },
    },
    adds: 9_400,
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
    finds: [{ marks: [{ has: ['invite'], starts: { protocol: 'ADP/' } }] }],
    load: {
      check: async () => (await import('./wellknown/invite/specification.ts')).INVITE,
      sign: async () => (await import('./wellknown/invite/signing.ts')).INVITE_SIGNING,
      verify: async () => (await import('./wellknown/invite/signing.ts')).INVITE_VERIFYING,
    },
    adds: 5_300,
    schemas: ['wellknown/invite/schema.json'],
  },
  {
    kind: 'wellknown',
    name: 'metadata document',
    plural: 'metadata documents',
    files: [],
    // ADP/1.1 section 6.3.
    tells: [{ starts: { protocol: 'ADP/' } }, { has: ['identity', 'endpoints'] }],
    bounds: { bytes: 4 * MIB, depth: 64 },
    finds: [{ marks: [{ starts: { protocol: 'ADP/' } }] }],
    load: {
      check: async () => (await import('./wellknown/specification.ts')).METADATA,
      sign: async () => (await import('./wellknown/signing.ts')).METADATA_SIGNING,
      verify: async () => (await import('./wellknown/signing.ts')).METADATA_VERIFYING,
    },
    adds: 18_400,
    schemas: ['wellknown/schema.json'],
    template: { file: 'agent.json' },
    example: {
      file: 'wellknown/example.json',
      title: 'Agent metadata',
      about: 'what an agent publishes at its domain, signed',
    },
  },
  {
    kind: 'trace',
    name: 'trace of a discovery',
    plural: 'traces of discoveries',
    files: ['.trace.json'],
    // docs/guide/discovery.md.
    tells: [{ starts: { trace: 'blazon/' } }],
    bounds: { bytes: 8 * MIB, depth: 64 },
    finds: [{ marks: [{ starts: { trace: 'blazon/' } }] }],
    load: {
      check: async () => (await import('./discover/trace/specification.ts')).TRACE,
      prove: async () => (await import('./discover/trace/verbs.ts')).TRACE_PROVING,
    },
    needs: { anchors: { takes: 'file', about: 'for traces: DS records to trust instead of those of the root' } },
    adds: 5_900,
    schemas: ['discover/trace/schema.json'],
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
    finds: [
      { names: ['agent-card.json'] },
      {
        marks: [
          { has: ['supportedInterfaces'] },
          { has: ['protocolVersion', 'skills'] },
          { has: ['capabilities', 'defaultInputModes'] },
          { has: ['url', 'capabilities', 'skills'] },
        ],
      },
    ],
    load: {
      check: async () => (await import('./a2a/specification.ts')).A2A,
      sign: async () => (await import('./a2a/signing.ts')).A2A_SIGNING,
      verify: async () => (await import('./a2a/signing.ts')).A2A_VERIFYING,
    },
    adds: 22_500,
    schemas: ['a2a/schema-1.0.json', 'a2a/schema-0.3.json'],
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
    finds: [
      { marks: [{ starts: { $schema: 'https://static.modelcontextprotocol.io/schemas/' } }] },
      { names: ['server.json'], marks: [{ has: ['name', 'packages'] }, { has: ['name', 'remotes'] }] },
    ],
    load: {
      check: async () => (await import('./mcp-server/specification.ts')).MCP_SERVER,
    },
    adds: 11_600,
    schemas: ['mcp-server/schema.json'],
    template: { file: 'server.json', make: async () => (await import('./mcp-server/specification.ts')).newServer },
    example: { file: 'mcp-server/example.json', title: 'MCP server', about: 'the server.json of an MCP server' },
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
    finds: [{ names: ['ai-catalog.json'] }, { marks: [{ is: { entries: 'array' }, has: ['specVersion'] }] }],
    load: {
      check: async () => (await import('./ai-catalog/specification.ts')).AI_CATALOG,
    },
    adds: 7_200,
    schemas: ['ai-catalog/schema.json'],
    template: { file: 'ai-catalog.json', make: async () => (await import('./ai-catalog/specification.ts')).newCatalog },
    example: { file: 'ai-catalog/example.json', title: 'AI catalog', about: 'a catalog of agents' },
  },
  {
    kind: 'claude-settings',
    name: 'settings file of Claude Code',
    plural: 'settings files of Claude Code',
    files: ['.claude/settings.json', '.claude/settings.local.json', 'managed-settings.json'],
    // https://code.claude.com/docs/en/settings
    tells: [
      { starts: { $schema: 'https://json.schemastore.org/claude-code-settings' } },
      { any: ['permissions', 'allow', 'ask', 'deny', 'defaultMode', 'additionalDirectories'] },
      { any: ['hooks', 'PreToolUse', 'PostToolUse', 'SessionStart', 'UserPromptSubmit', 'Stop'] },
    ],
    bounds: { bytes: MIB, depth: 64 },
    load: { check: async () => (await import('./claude-settings/specification.ts')).CLAUDE_SETTINGS },
    adds: 22_400,
    example: {
      file: 'claude-settings/example.json',
      title: 'Claude Code settings',
      about: 'what Claude Code may do without a question',
    },
  },
  {
    kind: 'codex-config',
    name: 'configuration of Codex',
    plural: 'configurations of Codex',
    files: ['.codex/config.toml'],
    tells: [],
    form: 'toml',
    bounds: { bytes: MIB, depth: 64 },
    load: { check: async () => (await import('./codex-config/specification.ts')).CODEX_CONFIG },
    adds: 14_000,
  },
  {
    kind: 'container',
    name: 'container of an agent',
    plural: 'containers of agents',
    files: ['.agent'],
    // A manifest without its archive is not a container.
    tells: [],
    form: 'archive',
    bounds: { bytes: 64 * MIB, depth: 16 },
    load: {
      check: async () => (await import('./agentlang/container/specification.ts')).CONTAINER,
      verify: async () => (await import('./agentlang/container/verify.ts')).CONTAINER_VERIFYING,
      compare: async () => (await import('./agentlang/container/build.ts')).CONTAINER_COMPARING,
    },
    needs: {
      secret: { takes: 'secret', variable: 'BLAZON_AGENT_SECRET', about: 'the secret of the prompts' },
      source: { takes: 'folder', compares: 'source', about: 'for containers: build this folder again, and compare' },
      index: {
        takes: 'file',
        variable: 'BLAZON_INDEX',
        compares: 'source',
        about: 'with --source: the index of the build',
      },
    },
    adds: 14_000,
    schemas: ['agentlang/container/schema.json'],
  },
  {
    kind: 'lock',
    name: 'lockfile',
    plural: 'lockfiles',
    files: ['agent.lock'],
    tells: [{ has: ['resolved_at'] }],
    // 10,000 files with their hashes.
    bounds: { bytes: 4 * MIB, depth: 64 },
    finds: [{ names: ['agent.lock'], marks: [{ has: ['resolved_at'] }], isPart: true }],
    load: { check: async () => (await import('./agentlang/lock/specification.ts')).LOCK },
    adds: 5_600,
    schemas: ['agentlang/lock/schema.json'],
  },
  {
    kind: 'prompt',
    name: 'prompt',
    plural: 'prompts',
    files: ['prompt.yaml', '*-prompt.yaml'],
    tells: [{ is: { sections: 'array' } }],
    bounds: { bytes: MIB, depth: 64 },
    finds: [{ names: ['prompt.yaml', '*-prompt.yaml'], marks: [{ is: { sections: 'array' } }], isPart: true }],
    load: { check: async () => (await import('./agentlang/prompt/specification.ts')).PROMPT },
    adds: 10_000,
    schemas: ['agentlang/prompt/schema.json'],
  },
  {
    kind: 'skill',
    name: 'skill',
    plural: 'skills',
    files: ['SKILL.md'],
    tells: [],
    form: 'text',
    bounds: { bytes: MIB, depth: 64 },
    finds: [{ names: ['SKILL.md'], isPart: true }],
    load: { check: async () => (await import('./agentlang/skill/specification.ts')).SKILL },
    adds: 5_000,
    schemas: ['agentlang/skill/schema.json'],
  },
  {
    kind: 'ux',
    name: 'file of interface hints',
    plural: 'files of interface hints',
    files: ['ux.yaml'],
    tells: [],
    isNamed: true,
    bounds: { bytes: MIB, depth: 64 },
    finds: [],
    load: { check: async () => (await import('./agentlang/ux/specification.ts')).UX },
    adds: 3_000,
    schemas: ['agentlang/ux/schema.json'],
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
    finds: [
      { names: ['.card.json', '.card.yaml', '.card.yml'] },
      { marks: [{ starts: { id: 'agent:' }, has: ['name'] }] },
    ],
    load: {
      check: async () => (await import('./card/specification.ts')).AGENT_CARD,
      sign: async () => (await import('./card/signing.ts')).CARD_SIGNING,
      verify: async () => (await import('./card/signing.ts')).CARD_VERIFYING,
    },
    needs: {
      keys: { takes: 'document', about: 'for cards: the known keys of agents' },
      'self-asserted': { about: 'for cards: accept the did:key of the card, which proves no identity' },
    },
    adds: 27_000,
    schemas: ['card/schema.json'],
    template: { file: 'agent.card.json' },
    example: { file: 'card/example.json', title: 'Agent Card', about: 'signed with the key in its id' },
  },
  {
    kind: 'mcp-client',
    name: 'MCP configuration',
    plural: 'MCP configurations',
    files: ['.mcp.json', 'mcp.json', 'claude_desktop_config.json'],
    isNamed: true,
    tells: [{ is: { mcpServers: 'object' } }],
    before: ['agentlang'],
    form: 'commented',
    bounds: { bytes: 4 * MIB, depth: 64 },
    finds: [
      { names: ['.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json', 'claude_desktop_config.json'] },
      { names: ['mcp.json'], marks: [{ is: { servers: 'object' } }] },
      { marks: [{ is: { mcpServers: 'object' } }] },
    ],
    load: { check: async () => (await import('./mcp-client/specification.ts')).MCP_CLIENT },
    adds: 6_000,
    schemas: ['mcp-client/schema.json'],
  },
  {
    kind: 'agents-md',
    name: 'AGENTS.md',
    plural: 'AGENTS.md files',
    files: ['AGENTS.md'],
    tells: [],
    form: 'prose',
    bounds: { bytes: MIB, depth: 64 },
    load: { check: async () => (await import('./agents-md/specification.ts')).AGENTS_MD },
    adds: 4_000,
  },
  {
    kind: 'agentlang',
    name: 'AgentLang agent',
    plural: 'AgentLang agents',
    files: ['agent.yaml'],
    tells: [
      { has: ['name', 'version', 'models'] },
      { has: ['name', 'version', 'tools'] },
      { has: ['name', 'version', 'developer'] },
      { has: ['name', 'version', 'category'] },
    ],
    bounds: { bytes: MIB, depth: 64 },
    inFolder: 'agent.yaml',
    finds: [
      {
        names: ['agent.yaml'],
        marks: [{ has: ['name'] }, { has: ['version'] }, { has: ['models'] }, { has: ['developer'] }],
        // gitagent, Kubernetes, Agent Framework.
        not: ['spec_version', 'apiVersion', 'kind'],
      },
    ],
    load: { check: async () => (await import('./agentlang/specification.ts')).AGENTLANG },
    adds: 50_000,
    schemas: ['agentlang/schema.json'],
    template: { file: 'my-agent' },
  },
  {
    kind: 'events',
    name: 'log of events',
    plural: 'logs of events',
    files: ['.events.json', '.events.yaml', '.events.yml', '.events.jsonl'],
    // AgentLang, Events.
    tells: [{ is: { events: 'array' } }],
    lines: [{ starts: { type: 'agent.' } }, { starts: { type: 'tool.' } }, { starts: { type: 'context.' } }],
    bounds: { bytes: 64 * MIB, depth: 64 },
    finds: [
      {
        names: ['.events.json', '.events.yaml', '.events.yml', '.events.jsonl'],
        marks: [{ is: { events: 'array' } }, { has: ['type'] }],
      },
    ],
    load: { check: async () => (await import('./agentlang/events/specification.ts')).EVENTS },
    adds: 6_000,
    schemas: ['agentlang/events/schema.json'],
  },
]

/** The row of a kind; undefined for an unknown one. */
export function specificationOf(kind: Kind | undefined): SpecificationRow | undefined {
  return SPECIFICATIONS.find((row) => row.kind === kind)
}
