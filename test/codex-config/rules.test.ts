import { describe, expect, test } from 'vitest'
import { explained } from '../../bindings/codex-config/findings.ts'
import { validate } from '../../bindings/index.ts'

const findingsOf = (toml: string) =>
  validate(toml, { as: 'codex-config' }).diagnostics.map(
    ({ code, source }) => `${code} ${source.line} ${source.pointer}`,
  )

test.each(explained().filter(({ code }) => code !== 'CDX-101'))(
  '$code $id: the bad example breaks it, the good one has no finding',
  ({ code, bad, good }) => {
    expect(validate(bad, { as: 'codex-config' }).diagnostics.map((finding) => finding.code)).toEqual([code])
    expect(findingsOf(good)).toEqual([])
  },
)

/** Configurations in the words of Codex's own pages: config.md, sandbox.md and permissions. */
const CLEAN = [
  '',
  '# Recall that in TOML, root keys must be listed before tables.\nmodel = "gpt-4o"\nmodel_provider = "x"\n[model_providers.x]\nname = "X"\nbase_url = "https://api.openai.com/v1"\nenv_key = "OPENAI_API_KEY"\nquery_params = {}',
  'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nexclude_tmpdir_env_var = false\nexclude_slash_tmp = false\nwritable_roots = ["/Users/YOU/.pyenv/shims"]\nnetwork_access = false',
  '[profiles.full_auto]\napproval_policy = "on-request"\nsandbox_mode = "workspace-write"\n[profiles.readonly_quiet]\napproval_policy = "never"\nsandbox_mode = "read-only"',
  '[mcp_servers.server-name]\ncommand = "npx"\nargs = ["-y", "mcp-server"]\nenv = { "API_KEY" = "value" }\nstartup_timeout_sec = 20\ntool_timeout_sec = 30.5\nenabled = false\nenabled_tools = ["search"]',
  '[mcp_servers.figma]\nurl = "https://mcp.figma.com/mcp"\nbearer_token_env_var = "FIGMA"\nhttp_headers = { "X-Figma-Region" = "us-east-1" }',
  '[mcp_servers.local]\nurl = "http://localhost:3000/mcp"',
  'approval_policy = { granular = { sandbox_approval = true, rules = true, mcp_elicitations = false } }',
  'default_permissions = "mine"\n[permissions.mine.filesystem]\n":minimal" = "read"\n[permissions.mine.filesystem.":workspace_roots"]\n"." = "write"\n"**/*.env" = "deny"',
  '[projects."/srv/app"]\ntrust_level = "trusted"\n[shell_environment_policy]\ninherit = "core"\nset = { CI = "1" }',
  'a_key_of_a_later_version = true\n[tui]\nsound = "x"',
]

test.each(CLEAN)('has no finding in example %#', (toml) => {
  expect(findingsOf(toml)).toEqual([])
})

const ROWS: readonly (readonly [toml: string, findings: readonly string[]])[] = [
  ['approvalPolicy = "never"', ['CDX-110 1 /approvalPolicy']],
  ['[mcpServers.docs]\ncommand = "docs"', ['CDX-110 1 /mcpServers']],
  ['sandbox_workspace_write = {writeable_roots = ["/srv"]}', ['CDX-110 1 /sandbox_workspace_write/writeable_roots']],
  ['[mcp_servers.d]\nurl = "https://d.example"\nheaders = {a = "b"}', ['CDX-110 3 /mcp_servers/d/headers']],
  ['[profiles.p]\nsandbox_modes = "read-only"', ['CDX-110 2 /profiles/p/sandbox_modes']],
  ['network_access = true', ['CDX-111 1 /network_access']],
  [
    '[shell_environment_policy]\ninherit = "core"\nweb_search = "live"',
    ['CDX-111 3 /shell_environment_policy/web_search'],
  ],
  ['[mcp_servers.d]\ncommand = "d"\nmodel = "x"', ['CDX-111 3 /mcp_servers/d/model']],
  ['[tui]\nx = 1\napproval_policy = "never"', ['CDX-111 3 /tui/approval_policy']],
  ['[model_providers.x]\nsandbox_mode = "read-only"', ['CDX-111 2 /model_providers/x/sandbox_mode']],
  ['approval_policy = "always"', ['CDX-103 1 /approval_policy']],
  ['[profiles.p]\napproval_policy = "alway"', ['CDX-103 2 /profiles/p/approval_policy']],
  ['approval_policy = 1', ['CDX-102 1 /approval_policy']],
  [
    'sandbox_mode = "danger-full-access"\n[profiles.p]\napproval_policy = "never"',
    ['CDX-113 1 /sandbox_mode', 'CDX-112 3 /profiles/p/approval_policy'],
  ],
  [
    'approval_policy = "never"\n[profiles.p]\nsandbox_mode = "danger-full-access"',
    ['CDX-112 3 /profiles/p/sandbox_mode'],
  ],
  ['default_permissions = ":danger-full-access"\napproval_policy = "never"', ['CDX-112 1 /default_permissions']],
  ['[profiles.p]\nsandbox_mode = "danger-full-access"', ['CDX-113 2 /profiles/p/sandbox_mode']],
  [
    'sandbox_workspace_write.writable_roots = ["~", "/srv/x", "/etc/"]',
    ['CDX-116 1 /sandbox_workspace_write/writable_roots/0', 'CDX-116 1 /sandbox_workspace_write/writable_roots/2'],
  ],
  [
    'mcp_servers.d = {url = "https://d.example", args = [], env = {A = "b"}}',
    ['CDX-117 1 /mcp_servers/d/args', 'CDX-117 1 /mcp_servers/d/env'],
  ],
  ['mcp_servers.d = {bearer_token = "x"}', ['CDX-117 1 /mcp_servers/d/bearer_token']],
  [
    '[shell_environment_policy.set]\nT = "ghp_R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd0m"',
    ['CDX-118 2 /shell_environment_policy/set/T'],
  ],
  [
    '[model_providers.x.http_headers]\nA = "Bearer sk-ant-api03-R4nd0mR4nd0mR4nd0mR4nd0mR4nd0mR4nd0m"',
    ['CDX-118 2 /model_providers/x/http_headers/A'],
  ],
  ['model = gpt-5', ['DOC-200 1 ']],
  ['[a]\n[a]', ['DOC-201 2 ']],
]

describe('findings', () => {
  test.each(ROWS)('in %j', (toml, findings) => {
    expect(findingsOf(toml)).toEqual(findings)
  })

  test('a fix renames a key, and leaves the headers of a table alone', () => {
    const fixes = (toml: string) =>
      validate(toml, { as: 'codex-config' }).diagnostics.flatMap(({ fix }) => fix?.edits?.map(({ text }) => text) ?? [])
    expect(fixes('"aproval_policy" = "never"\nmodle = "x"')).toEqual(['"approval_policy"', 'model'])
    expect(fixes('[mcpServers.a]\n[mcpServers.b]')).toEqual([])
  })

  test('a thousand tables, profiles and unknown keys stay within the bounds of work', () => {
    const keys = Array.from({ length: 1000 }, (_, i) => `aproval_policy${i} = 1`).join('\n')
    const tables = Array.from(
      { length: 1000 },
      (_, i) => `[profiles.p${i}]\nmodle = "x"\n[mcp_servers.s${i}]\nurl = "x"`,
    )
    expect(findingsOf(`${keys}\n${tables.join('\n')}`).length).toBeLessThan(1100)
  })
})
