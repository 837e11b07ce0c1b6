// Written by scripts/findings.mjs from findings.yaml; do not edit.
import { type FindingInfo, type FindingKind, finding, namesOf } from '../document/finding.ts'

export type Code = 'CDX-101' | 'CDX-102' | 'CDX-103' | 'CDX-110' | 'CDX-111' | 'CDX-112' | 'CDX-113' | 'CDX-114' | 'CDX-115' | 'CDX-116' | 'CDX-117' | 'CDX-118' | 'CDX-119' | 'CDX-120' | 'CDX-121' | 'CDX-122'

const T0 = 'Codex, config.toml'
const T1 = 'warning'
const T2 = 'Codex, sandbox and approvals'
const T3 = 'Codex, mcp_servers'
const T4 = 'Codex, permissions'
export const ROOT_OBJECT = /* @__PURE__ */ finding('root-object', 'CDX-101', 'Configuration is not a table', T0)
export const MEMBER_TYPE = /* @__PURE__ */ finding('member-type', 'CDX-102', 'Invalid member type', T0)
export const ENUM_VALUE = /* @__PURE__ */ finding('enum-value', 'CDX-103', 'Unknown value', T0)
export const UNKNOWN_MEMBER = /* @__PURE__ */ finding('unknown-member', 'CDX-110', 'Key that is nearly a known one', T0, T1, { strict: 'error', security: 'error' })
export const MISPLACED_MEMBER = /* @__PURE__ */ finding('misplaced-member', 'CDX-111', 'Key in another table than its own', T0, T1, { strict: 'error', security: 'error' })
export const NO_LIMITS = /* @__PURE__ */ finding('no-limits', 'CDX-112', 'Neither sandbox nor questions', T2, T1, { strict: 'error', security: 'error' })
export const NO_SANDBOX = /* @__PURE__ */ finding('no-sandbox', 'CDX-113', 'No sandbox', T2, T1, { spec: 'off', security: 'error' })
export const TWO_SANDBOXES = /* @__PURE__ */ finding('two-sandboxes', 'CDX-114', 'Permissions that do not count', T4, T1, { strict: 'error', security: 'error' })
export const IDLE_SETTINGS = /* @__PURE__ */ finding('idle-settings', 'CDX-115', 'Settings of another mode', T2, T1)
export const WIDE_ROOT = /* @__PURE__ */ finding('wide-root', 'CDX-116', 'Writable root that holds everything', T2, T1, { spec: 'off', security: 'error' })
export const TRANSPORT = /* @__PURE__ */ finding('transport', 'CDX-117', 'Server with keys of another transport', T3)
export const LITERAL_SECRET = /* @__PURE__ */ finding('literal-secret', 'CDX-118', 'Secret in the configuration', T3, T1, { strict: 'error', security: 'error' })
export const PLAIN_HTTP = /* @__PURE__ */ finding('plain-http', 'CDX-119', 'Address without TLS', T3, T1, { strict: 'error', security: 'error' })
export const UNKNOWN_PROFILE = /* @__PURE__ */ finding('unknown-profile', 'CDX-120', 'Unknown profile', T0, T1)
export const IDLE_DOMAINS = /* @__PURE__ */ finding('idle-domains', 'CDX-121', 'Domain rules that limit nothing', T4, T1, { strict: 'error', security: 'error' })
export const RETIRED_POLICY = /* @__PURE__ */ finding('retired-policy', 'CDX-122', 'Policy that Codex gave up', 'Codex, agent approvals and security', T1)

export const ALL: readonly FindingKind[] = [ROOT_OBJECT, MEMBER_TYPE, ENUM_VALUE, UNKNOWN_MEMBER, MISPLACED_MEMBER, NO_LIMITS, NO_SANDBOX, TWO_SANDBOXES, IDLE_SETTINGS, WIDE_ROOT, TRANSPORT, LITERAL_SECRET, PLAIN_HTTP, UNKNOWN_PROFILE, IDLE_DOMAINS, RETIRED_POLICY]

export const names = (): readonly string[] => namesOf(ALL)

/** For `explain`. */
export const explained = (): readonly FindingInfo[] => [
  { ...ROOT_OBJECT, why: 'A configuration is one table.', bad: 'a list as JSON', good: 'model = "gpt-5.2"' },
  { ...MEMBER_TYPE, why: 'Codex does not start with a value of another type.', bad: 'mcp_servers.docs = {command = "docs", args = "--all"}', good: 'mcp_servers.docs = {command = "docs", args = ["--all"]}' },
  { ...ENUM_VALUE, why: 'Codex does not start with an unknown mode or policy.', bad: 'sandbox_mode = "workspace"', good: 'sandbox_mode = "workspace-write"' },
  { ...UNKNOWN_MEMBER, why: 'Codex ignores keys that it does not know, so a misspelt limit limits nothing.', bad: 'aproval_policy = "on-request"', good: 'approval_policy = "on-request"' },
  { ...MISPLACED_MEMBER, why: 'What follows a header is in its table, and Codex ignores it there.', bad: '[mcp_servers.docs]\ncommand = "docs"\nsandbox_mode = "read-only"', good: 'sandbox_mode = "read-only"\n[mcp_servers.docs]\ncommand = "docs"' },
  { ...NO_LIMITS, why: 'Every command has all rights of the user, and nobody is asked.', bad: 'sandbox_mode = "danger-full-access"\napproval_policy = "never"', good: 'sandbox_mode = "workspace-write"\napproval_policy = "never"' },
  { ...NO_SANDBOX, why: 'Commands reach every file and host.', bad: 'sandbox_mode = "danger-full-access"', good: 'sandbox_mode = "workspace-write"' },
  { ...TWO_SANDBOXES, why: 'With sandbox_mode, Codex leaves out all permission profiles, with their denials.', bad: 'sandbox_mode = "workspace-write"\ndefault_permissions = "mine"', good: 'default_permissions = "mine"' },
  { ...IDLE_SETTINGS, why: 'sandbox_workspace_write counts for the mode workspace-write alone.', bad: 'sandbox_mode = "read-only"\nsandbox_workspace_write.network_access = true', good: 'sandbox_mode = "workspace-write"\nsandbox_workspace_write.network_access = true' },
  { ...WIDE_ROOT, why: 'Commands may then change the start files of a shell, or this configuration.', bad: 'sandbox_workspace_write.writable_roots = ["/"]', good: 'sandbox_workspace_write.writable_roots = ["/srv/cache"]' },
  { ...TRANSPORT, why: 'Codex refuses the file. A server has a command, or a url with headers; a token is only named.', bad: 'mcp_servers.docs = {command = "docs", url = "https://docs.example.com/mcp"}', good: 'mcp_servers.docs = {url = "https://docs.example.com/mcp", bearer_token_env_var = "DOCS_TOKEN"}' },
  { ...LITERAL_SECRET, why: 'Everyone who can read the repository has it. env_vars, bearer_token_env_var and env_http_headers name variables instead.', bad: 'mcp_servers.docs = {command = "docs", env = {KEY = "ghp_R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd0m"}}', good: 'mcp_servers.docs = {command = "docs", env_vars = ["KEY"]}' },
  { ...PLAIN_HTTP, why: 'Anyone on the network can read and change plain HTTP, such as the tools that a model sees.', bad: 'mcp_servers.docs.url = "http://docs.example.com/mcp"', good: 'mcp_servers.docs.url = "https://docs.example.com/mcp"' },
  { ...UNKNOWN_PROFILE, why: 'Codex does not start with a profile that no file defines.', bad: 'profile = "fats"\nprofiles.fast.model = "gpt-5.2"', good: 'profile = "fast"\nprofiles.fast.model = "gpt-5.2"' },
  { ...IDLE_DOMAINS, why: 'Only the proxy that features.network_proxy starts applies them. Without it, commands reach every host.', bad: 'permissions.mine.network = {enabled = true, domains = {"example.com" = "allow"}}', good: 'permissions.mine.network = {enabled = false, domains = {"example.com" = "allow"}}' },
  { ...RETIRED_POLICY, why: 'Current versions may not start with it. on-request runs what the sandbox permits without a question.', bad: 'approval_policy = "untrusted"', good: 'approval_policy = "on-request"' },
]
