import { expect, test } from 'vitest'
import { convertPermissions } from '../../bindings/convert/permissions/convert-permissions.ts'
import { processorTime } from '../support/effort.ts'
import { random as seeded } from '../support/random.ts'
import { flawOf } from './runner-requests.ts'

test('no conversion grants a request that its source does not', () => {
  const random = seeded(46)
  const seen = { requests: 0, allowed: 0 }
  for (let i = 0; i < 80; i++) expect(flawOf(random, 20, seen)).toBeUndefined()
  expect(seen.allowed / seen.requests).toBeGreaterThan(0.1)
})

const DEFINITION = {
  permissions: {
    filesystem: {
      allowed_paths: [
        { path: '/data/**', access: 'read' },
        { path: '/out/**', access: 'write' },
        { path: '/etc/hosts', access: 'read' },
      ],
      denied_paths: ['/data/secret/**'],
    },
    network: { allowed_hosts: ['example.com', '*.example.org'], allowed_ports: [443] },
    execution: { allowed_commands: ['*'], allow_shell: true },
    environment: { allowed_variables: ['*'] },
  },
}
const convert = (source: object, to: 'adl' | 'claude-settings' | 'sandbox-runtime' | 'codex-config') =>
  convertPermissions(JSON.stringify(source), { to })

test('what settings cannot say as narrowly is asked for or denied', () => {
  const { document, loss } = convert(DEFINITION, 'claude-settings')
  expect(document).toMatchObject({
    permissions: {
      defaultMode: 'default',
      allow: ['Read(//data/**)', 'Read(//etc/hosts)'],
      ask: ['Read(./**)', 'WebFetch(domain:example.com)', 'WebFetch(domain:*.example.org)', 'Bash'],
      deny: ['Read(//data/secret/**)', 'Edit(//data/secret/**)', 'Read(//etc/hosts/**)', 'Edit(//etc/hosts/**)'],
    },
  })
  expect(
    loss.filter(({ outcome }) => outcome === 'changed' || outcome === 'dropped').map(({ pointer }) => pointer),
  ).toEqual([
    '/permissions/filesystem/allowed_paths/1',
    '/permissions/filesystem/denied_paths/0',
    '/permissions/network/allowed_hosts/0',
    '/permissions/network/allowed_hosts/1',
    '/permissions/network/allowed_ports',
    '/permissions/execution',
    '/permissions/environment',
  ])
})

test('Bash is denied to a definition without a shell', () => {
  const execution = { ...DEFINITION.permissions.execution, allow_shell: false }
  const { document } = convert({ permissions: { ...DEFINITION.permissions, execution } }, 'claude-settings')
  expect(document).toMatchObject({ permissions: { deny: expect.arrayContaining(['Bash']) } })
})

test('a sandbox gets whole folders and hosts with ports', () => {
  expect(convert(DEFINITION, 'sandbox-runtime').document).toEqual({
    network: { allowedDomains: ['example.com:443'], deniedDomains: [] },
    filesystem: { denyRead: ['/'], allowRead: [], allowWrite: ['/out'], denyWrite: ['/data/secret'] },
  })
})

test('settings become a definition that asks nobody', () => {
  const settings = {
    permissions: {
      allow: ['Bash(npm *)', 'Bash(git *)', 'Edit(//out/**)', 'Read(/src/**)', 'WebFetch(domain:example.com)'],
      ask: ['Bash(git push *)'],
      deny: ['Read(.env)'],
    },
    model: 'opus',
  }
  const { document, loss } = convertPermissions(JSON.stringify(settings), { to: 'adl', project: '/p' })
  expect(document).toMatchObject({
    adl_spec: '0.1.0',
    permissions: {
      execution: { allowed_commands: ['npm'], allow_shell: false },
      network: { allowed_hosts: ['example.com'], allowed_protocols: ['https'] },
      filesystem: {
        allowed_paths: [
          { path: '/out/**', access: 'read_write' },
          { path: '/p/src/**', access: 'read' },
        ],
        denied_paths: ['/p/**/.env', '/p/**/.env/**'],
      },
    },
  })
  expect(loss.find(({ pointer }) => pointer === '/permissions/allow/1')?.outcome).toBe('dropped')
  expect(loss.find(({ pointer }) => pointer === '/model')?.outcome).toBe('dropped')
})

test.each([
  [
    '{"permissions": {}, "lifecycle": {"status": "retired"}}',
    'claude-settings',
    'it permits nothing: the agent is retired',
  ],
  ['[]', 'claude-settings', 'expected a JSON object'],
  ['{"permissions": {"deny": []}}', 'sandbox-runtime', 'claude-settings does not convert to sandbox-runtime'],
] as const)('refuses %s', (source, to, detail) => {
  const { document, diagnostics } = convertPermissions(source, { to })
  expect([document, diagnostics[0]?.detail]).toEqual([undefined, expect.stringContaining(detail)])
})

test('permissions of the wrong type grant nothing', () => {
  for (const permissions of [
    7,
    [],
    { filesystem: 7, network: [], execution: 'x' },
    { filesystem: { allowed_paths: [7] } },
  ]) {
    expect(convert({ permissions }, 'claude-settings').document).toMatchObject({
      permissions: { allow: [], deny: ['Bash'] },
    })
    expect(convert({ permissions }, 'sandbox-runtime').document).toMatchObject({
      filesystem: { allowRead: [], allowWrite: [] },
    })
  }
})

test.each(['claude-settings', 'sandbox-runtime', 'codex-config'] as const)(
  '%s: many paths, hosts, ports and denials',
  (to) => {
    const many = <Value>(make: (i: number) => Value) => Array.from({ length: 5000 }, (_, i) => make(i))
    const permissions = {
      filesystem: {
        allowed_paths: many((i) => ({ path: i % 2 === 0 ? `/a${i}/**` : `/a${i}`, access: 'read' })),
        denied_paths: many((i) => `/b${i}`),
      },
      network: { allowed_hosts: many((i) => `a${i}.example.com`), allowed_ports: many((i) => i + 1) },
    }
    const began = processorTime()
    expect(convert({ permissions }, to).document).toBeDefined()
    expect(processorTime() - began).toBeLessThan(3_000)
  },
)

test('many rules of settings', () => {
  const rules = (list: string) => Array.from({ length: 5000 }, (_, i) => `Bash(${list}${i} *)`)
  const began = processorTime()
  convert({ permissions: { allow: rules('a'), ask: rules('b'), deny: rules('c') } }, 'adl')
  expect(processorTime() - began).toBeLessThan(3_000)
})
