// Codex's configuration as permissions of a definition, and back: neither grants what its source does not.
import { expect, test } from 'vitest'
import { compile } from '../../bindings/adl/policy.ts'
import { convertPermissions } from '../../bindings/convert/permissions/convert-permissions.ts'
import { parseToml } from '../../bindings/document/toml/parse.ts'
import { writeToml } from '../../bindings/document/toml/write.ts'
import { validate } from '../../bindings/index.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import { codexAllows } from '../oracle/codex-rules.ts'
import { random as seeded } from '../support/random.ts'
import {
  NESTED,
  oneOf,
  path,
  type Random,
  randomConfig,
  randomDefinition,
  randomRequest,
  some,
} from './runner-requests.ts'

const toCodex = (definition: JsonObject) => convertPermissions(JSON.stringify(definition), { to: 'codex-config' })
const fromCodex = (toml: string, project?: string) =>
  convertPermissions(parseToml(toml).document!, {
    from: 'codex-config',
    to: 'adl',
    ...(project !== undefined && { project }),
  })

/** Folders instead of random patterns, so that profiles have entries. */
function folders(random: Random): JsonObject {
  const folder = () => path(random, NESTED, 2)
  const filesystem = {
    allowed_paths: some(random, 3, () => ({
      path: `${oneOf(random, ['', folder()])}/**`,
      access: oneOf(random, ['read', 'read_write', 'write']),
    })),
    denied_paths: some(random, 2, () => folder() + oneOf(random, ['', '/**', '/*', '/**/.env'])),
  }
  const execution = { allowed_commands: ['*'], allow_shell: true }
  return { permissions: { filesystem, execution, network: { allowed_hosts: ['example.com', '*.example.org'] } } }
}

test('no conversion grants a request that its source does not', () => {
  const random = seeded(7)
  let [toward, back] = [0, 0]
  for (let i = 0; i < 300; i++) {
    const definition = i % 2 === 0 ? randomDefinition(random) : folders(random)
    const config = toCodex(definition).document!
    const own = new Set(
      Object.keys((config as never as { permissions: { adl: { filesystem: object } } }).permissions.adl.filesystem),
    )
    const foreign = randomConfig(random)
    const project = random() < 0.5 ? '/project' : undefined
    const { document: read } = fromCodex(writeToml(foreign), project)
    const [policy, readPolicy] = [definition, read!].map((one) => compile(JSON.stringify(one)))
    expect(parseToml(writeToml(config)).document!.value).toEqual(config)
    for (let k = 0; k < 20; k++) {
      const access = oneOf(random, ['read', 'write', 'read_write'] as const)
      const near = {
        domain: 'filesystem',
        path: oneOf(random, ['', '/project']) + path(random, NESTED, 4),
        access,
      } as const
      const request = k % 2 === 0 ? randomRequest(random) : near
      // The account names the folder itself, which an entry cannot leave out.
      const isFolder = request.domain === 'filesystem' && own.has(request.path)
      if (codexAllows(config, request) && !isFolder) {
        toward++
        // A shell is granted for every program alone.
        if (!policy!.allows(request)) expect([definition, config, request]).toEqual('a denial')
      }
      if (readPolicy!.allows(request)) {
        back++
        if (!codexAllows(foreign, request)) expect([foreign, read, request]).toEqual('a question')
      }
    }
  }
  expect([toward > 100, back > 100]).toEqual([true, true])
})

const DEFINITION = {
  permissions: {
    filesystem: {
      allowed_paths: [
        { path: '/data/**', access: 'read' },
        { path: '/out/**', access: 'read_write' },
        { path: '/etc/hosts', access: 'read' },
      ],
      denied_paths: ['/data/secret/**'],
    },
    network: { allowed_hosts: ['example.com'] },
    execution: { allowed_commands: ['*'], allow_shell: true },
    environment: { allowed_variables: ['*'] },
  },
}

test('a definition becomes a profile, and what it cannot say is asked for', () => {
  const { document, loss } = toCodex(DEFINITION)
  expect(writeToml(document!)).toBe(`approval_policy = "on-request"
default_permissions = "adl"
web_search = "disabled"

[features]
network_proxy = true

[permissions.adl.filesystem]
"/data" = "read"
"/out" = "write"
"/data/secret" = "deny"

[permissions.adl.network]
enabled = true

[permissions.adl.network.domains]
"example.com" = "allow"
`)
  expect(loss.find(({ pointer }) => pointer === '/permissions/filesystem/allowed_paths/2')).toMatchObject({
    outcome: 'changed',
    detail: 'asked for: an entry takes whole folders',
  })
  expect(validate(writeToml(document!), { as: 'codex-config' }).diagnostics).toEqual([])
})

test('a definition that does not grant every program gets no shell', () => {
  for (const execution of [{ allowed_commands: ['git'], allow_shell: true }, { allowed_commands: ['*'] }, undefined])
    expect(toCodex({ permissions: { ...DEFINITION.permissions, execution } } as JsonObject).document).toMatchObject({
      features: { shell_tool: false },
    })
  expect(toCodex({ permissions: {} }).document).toEqual({
    approval_policy: 'never',
    default_permissions: 'adl',
    web_search: 'disabled',
    features: { shell_tool: false },
    shell_environment_policy: { inherit: 'none' },
    permissions: { adl: { filesystem: {}, network: { enabled: false } } },
  })
})

test.each([
  [
    'sandbox_mode = "read-only"\napproval_policy = "never"',
    { filesystem: { allowed_paths: [{ path: '/**', access: 'read' }], denied_paths: [] } },
  ],
  ['sandbox_mode = "danger-full-access"', {}],
  ['sandbox_mode = "read-only"\napproval_policy = "never"\nprofile = "x"', {}],
  ['sandbox_mode = "read-only"\napproval_policy = {granular = {rules = true}}', {}],
  [
    'default_permissions = "x"\napproval_policy = "never"\n[permissions.x]\nextends = ":workspace"\nfilesystem = {"/a" = "write"}',
    {
      filesystem: {
        allowed_paths: [
          { path: '/**', access: 'read' },
          ...['/tmp', '/tmp/**', '/a', '/a/**'].map((path) => ({ path, access: 'read_write' })),
        ],
      },
    },
  ],
  [
    'default_permissions = "x"\napproval_policy = "never"\n[permissions.x.filesystem]\n"/a" = "write"\n":tmpdir" = "deny"',
    {},
  ],
  [
    'default_permissions = "x"\napproval_policy = "never"\n[permissions.x.network]\nenabled = true\nmode = "limited"',
    {},
  ],
])('%j grants no more than it says', (toml, permissions) => {
  expect(fromCodex(toml).document).toMatchObject({ name: 'Codex', permissions })
  expect(Object.keys((fromCodex(toml).document as JsonObject)['permissions'] as object)).toEqual(
    Object.keys(permissions),
  )
})
