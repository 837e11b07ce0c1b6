// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../../document/finding.ts'

export type Code = 'AL-170' | 'AL-171' | 'AL-172' | 'AL-173' | 'AL-174' | 'AL-175' | 'AL-176' | 'AL-180' | 'AL-181' | 'AL-182' | 'AL-183' | 'AL-184' | 'AL-185' | 'AL-186' | 'AL-187'

const T0 = 'AgentLang, Lockfile'
const T1 = 'AgentLang, Tool Declaration'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'AL-170', 'Lockfile is not an object', T0)
export const MISSING_MEMBER = /* @__PURE__ */ finding('missing-member', 'AL-171', 'Missing required member', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'AL-172', 'Invalid member type', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'AL-173', 'Lockfile of another version', T0)
export const VALUE_PATTERN = /* @__PURE__ */ finding('value-pattern', 'AL-174', 'Malformed hash or time', T0)
export const NUMBER_RANGE = /* @__PURE__ */ finding('number-range', 'AL-175', 'Number out of range', T0)
export const LOCKED_VERSION = /* @__PURE__ */ finding('locked-version', 'AL-176', 'Locked version is not a version', T0)
export const UNKNOWN_TOOL = /* @__PURE__ */ finding('unknown-tool', 'AL-180', 'Tool is not in the index', T1)
export const UNMATCHED_VERSION = /* @__PURE__ */ finding('unmatched-version', 'AL-181', 'No version of a tool is in the range', T1)
export const INVALID_RANGE = /* @__PURE__ */ finding('invalid-range', 'AL-182', 'Invalid range of versions', T1)
export const DUPLICATE_TOOL = /* @__PURE__ */ finding('duplicate-tool', 'AL-183', 'Tool is listed twice', T1)
export const CONFLICTING_VERSIONS = /* @__PURE__ */ finding('conflicting-versions', 'AL-184', 'Two agents need different versions of a tool', T0)
export const UNKNOWN_MODEL = /* @__PURE__ */ finding('unknown-model', 'AL-185', 'Model is not in the index', T0)
export const FROZEN_LOCK = /* @__PURE__ */ finding('frozen-lock', 'AL-186', 'Lockfile of another state', T0)
export const UNPINNED_SERVER = /* @__PURE__ */ finding('unpinned-server', 'AL-187', 'MCP server cannot be pinned', 'AgentLang, MCP Servers')

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MISSING_MEMBER, MEMBER_TYPE, ENUM_VALUE, VALUE_PATTERN, NUMBER_RANGE, LOCKED_VERSION]

export const names = (): readonly string[] => [...namesOf(ALL), ...'unknown-tool AL-180 unmatched-version AL-181 invalid-range AL-182 duplicate-tool AL-183 conflicting-versions AL-184 unknown-model AL-185 frozen-lock AL-186 unpinned-server AL-187'.split(' ')]

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A lockfile is one mapping. Anything else locks nothing.', bad: '[]', good: '{"version": "1", "resolved_at": "2025-01-29T10:30:00Z", "tools": {}, "agents": {}, "models": {}, "files": {}}' },
  { ...MISSING_MEMBER, why: 'Without it, nobody can tell whether the agent is still the one that was built.', bad: '{"version": "1", "resolved_at": "2025-01-29T10:30:00Z"}', good: '{"version": "1", "resolved_at": "2025-01-29T10:30:00Z", "files": {}}' },
  { ...MEMBER_TYPE, why: 'Some programs ignore a value of another type, others crash.', bad: '{"version": 1}', good: '{"version": "1"}' },
  { ...ENUM_VALUE, why: 'The version says what the hashes are made of. Blazon knows those of version 1.', bad: '{"version": "2"}', good: '{"version": "1"}' },
  { ...VALUE_PATTERN, why: 'A shortened hash matches nothing, so every build would differ from the lockfile.', bad: '{"files": {"agent.yaml": "sha256:1a2b3c4d..."}}', good: '{"files": {"agent.yaml": "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}}' },
  { ...NUMBER_RANGE, why: 'A number outside its range is a mistake.', bad: '{"models": {"claude-sonnet-4": {"context_window": -1}}}', good: '{"models": {"claude-sonnet-4": {"context_window": 200000}}}' },
  { ...LOCKED_VERSION, why: 'A lockfile names one version. A range would let every build choose another one.', bad: '{"tools": {"web_search": {"version": "^1.2.0"}}}', good: '{"tools": {"web_search": {"version": "1.2.0"}}}' },
  { ...UNKNOWN_TOOL, why: 'The build cannot lock a tool without a description. Correct the name, or add the tool to the index.', bad: 'tools: [{ name: web_serach }]', good: 'tools: [{ name: web_search }]' },
  { ...UNMATCHED_VERSION, why: 'The index has the tool, but no version that the agent accepts.', bad: 'tools: [{ name: web_search, version: ^9.0.0 }]', good: 'tools: [{ name: web_search, version: ^1.2.0 }]' },
  { ...INVALID_RANGE, why: 'Ranges are those of npm, such as ^1.2.0, ~1.0.0 and 1.2.3.', bad: 'tools: [{ name: web_search, version: latest }]', good: 'tools: [{ name: web_search, version: ^1.2.0 }]' },
  { ...DUPLICATE_TOOL, why: 'The lockfile has one version of each tool, and runtimes differ in which entry they use.', bad: 'tools: [{ name: web_search, version: ^1.2.0 }, { name: web_search }]', good: 'tools: [{ name: web_search, version: ^1.2.0 }]' },
  { ...CONFLICTING_VERSIONS, why: 'The lockfile has one version of each tool for the agent and its sub-agents.', bad: 'web_search ^1.0.0 in agent.yaml, and ^2.0.0 in a sub-agent', good: 'web_search ^1.0.0 in both' },
  { ...UNKNOWN_MODEL, why: 'The lockfile has the context window of each model, which only the index knows.', bad: 'models: { claude-sonet-4: {} }', good: 'models: { claude-sonnet-4: {} }' },
  { ...FROZEN_LOCK, why: 'A frozen build uses exactly what was reviewed. Here, the agent has changed since its lockfile was written.', bad: 'an agent.lock that was written before prompt.yaml was changed', good: 'the agent.lock that blazon agent lock wrote after the change' },
  { ...UNPINNED_SERVER, why: 'The lockfile pins the tools of a server as it gives them. A server that does not give them would stay unpinned.', bad: 'mcp_servers: { Stripe: { command: no-such-program } }', good: 'mcp_servers: { Stripe: { command: npx, args: [server-stripe@1.0.0] } }' },
]
