// Codex's configuration and sandbox-runtime's settings, read directly: answers, comparisons, and what is hostile in them.
import { expect, test } from 'vitest'
import { compile } from '../../bindings/adl/policy.ts'
import { codexGranting } from '../../bindings/codex-config/sandbox.ts'
import { convertPermissions } from '../../bindings/convert/permissions/convert-permissions.ts'
import { parse } from '../../bindings/document/parse.ts'
import { parseToml } from '../../bindings/document/toml/parse.ts'
import { writeToml } from '../../bindings/document/toml/write.ts'
import { permissionMatrix } from '../../bindings/policy/matrix.ts'
import type { PermissionRequest } from '../../bindings/policy/request.ts'
import { diffSandboxes, hostRule, type SandboxGranting } from '../../bindings/policy/sandbox.ts'
import { isSandboxSettings, sandboxRuntimeGranting } from '../../bindings/policy/sandbox-runtime.ts'
import { codexOutcome } from '../oracle/codex-rules.ts'
import { sandboxAllows } from '../oracle/runner-rules.ts'
import { processorTime } from '../support/effort.ts'
import { random as seeded } from '../support/random.ts'
import {
  NESTED,
  oneOf,
  path,
  type Random,
  randomConfig,
  randomDefinition,
  randomRequest,
  randomSandbox,
} from './runner-requests.ts'

const PLACES = { root: '/project', home: '/home/user' }
const codex = (toml: string) => codexGranting(parseToml(toml).document!, PLACES)
const box = (settings: object) => sandboxRuntimeGranting(parse(JSON.stringify(settings)).document!, PLACES)

function requestOf(random: Random): PermissionRequest {
  if (random() < 0.5) return randomRequest(random)
  const under = oneOf(random, ['', '/project', '/home/user', '/tmp'])
  const names = [...NESTED, 'x.txt', '.bashrc']
  const access = oneOf(random, ['read', 'write', 'read_write'] as const)
  return { domain: 'filesystem', path: under + path(random, names, 4), access }
}

test('answers are those of a naive reading of the rules, and no comparison overlooks a wider one', () => {
  const random = seeded(12)
  const seen: Record<string, number> = {}
  for (let i = 0; i < 300; i++) {
    const configs = [randomConfig(random), randomConfig(random)]
    const boxes = [randomSandbox(random), randomSandbox(random)]
    const [codexes, sandboxes] = [configs.map((one) => codex(writeToml(one))), boxes.map(box)]
    const isWider = ([old, now]: readonly SandboxGranting[]) =>
      i % 10 > 0 || diffSandboxes(old!, now!).some(({ kind }) => kind === 'widened')
    const wider = [isWider(codexes), isWider(sandboxes)]
    for (let k = 0; k < 20; k++) {
      const request = requestOf(random)
      const answers = codexes.map((one) => one.decide(request).outcome)
      const expected = configs.map((one) => codexOutcome(one, request))
      // Cheaper than a comparison by `expect`.
      if (answers.join() !== expected.join()) expect([request, configs, answers]).toEqual(expected)
      if (answers[0] !== 'allow' && answers[1] === 'allow' && !wider[0]) expect([request, configs]).toBe('wider')
      const allowed = sandboxes.map((one) => one.decide(request).outcome === 'allow')
      const naive = boxes.map((one) => sandboxAllows(one, request))
      if (allowed.join() !== naive.join()) expect([request, boxes, allowed]).toEqual(naive)
      if (!allowed[0] && allowed[1] && !wider[1]) expect([request, boxes]).toBe('wider')
      for (const outcome of [...answers, ...allowed]) seen[`${outcome}`] = (seen[`${outcome}`] ?? 0) + 1
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1000)
})

test('a definition and its settings agree, or the account names the part', () => {
  const random = seeded(34)
  const parts = { network: 'network', filesystem: 'filesystem', execution: 'execution', tool: '' } as const
  let agreed = 0
  for (let i = 0; i < 100; i++) {
    const definition = randomDefinition(random)
    const policy = compile(JSON.stringify(definition))
    for (const to of ['codex-config', 'sandbox-runtime'] as const) {
      const { document, loss } = convertPermissions(JSON.stringify(definition), { to })
      const granting = to === 'codex-config' ? codex(writeToml(document!)) : box(document!)
      for (let k = 0; k < 20; k++) {
        const request = randomRequest(random)
        const [here, there] = [policy.allows(request), granting.decide(request).outcome === 'allow']
        if (here && there) agreed++
        if (here === there || request.domain === 'tool') continue
        const part = parts[request.domain as keyof typeof parts]
        const place = `/permissions/${part}`
        const names = ({ pointer = '-' }) => pointer.startsWith(place) || place.startsWith(pointer)
        const lost = loss.some((row) => row.outcome !== 'kept' && names(row))
        if (!lost) expect([to, definition, request, loss]).toBe('named')
      }
    }
  }
  expect(agreed).toBeGreaterThan(50)
})

const PROFILE = 'approval_policy = "on-request"\ndefault_permissions = "x"\n'
const read = (name: string) => ({ domain: 'filesystem', path: name, access: 'read' }) as const
const write = (name: string) => ({ domain: 'filesystem', path: name, access: 'write' }) as const
const host = (name: string, more: object = {}) => ({ domain: 'network', host: name, ...more }) as const
const bash = (command: string) => ({ domain: 'execution', command, shell: true }) as const
const inProfile = (lines: string, more = '') => `${PROFILE}${more}[permissions.x.filesystem]\n${lines}`
const withDomains = (domains: string) =>
  `${PROFILE}features.network_proxy = true\n[permissions.x.network]\nenabled = true\n[permissions.x.network.domains]\n${domains}`

test.each([
  // What commands do by themselves.
  ['sandbox_mode = "read-only"\napproval_policy = "on-request"', bash('git push'), 'allow'],
  ['sandbox_mode = "read-only"\napproval_policy = "on-request"', bash('/bin/rm -rf x'), 'ask'],
  ['sandbox_mode = "read-only"\napproval_policy = "never"', bash('if a; then r\\m --force x; fi'), 'deny'],
  ['sandbox_mode = "read-only"\napproval_policy = "untrusted"', bash('git push'), 'ask'],
  ['sandbox_mode = "read-only"\napproval_policy = {granular = {rules = true}}', read('/a'), 'ask'],
  ['sandbox_mode = "danger-full-access"\napproval_policy = "never"\nprofile = "x"', bash('ls'), 'ask'],
  ['sandbox_mode = "danger-full-access"', write('/a'), 'ask'],
  ['sandbox_mode = "danger-full-access"\napproval_policy = "never"', bash(' '), 'deny'],
  ['approval_policy = "never"', read('/a'), 'deny'],
  ['approval_policy = "never"\nsandbox_mode = "wide"', read('/a'), 'deny'],
  // Profiles.
  [PROFILE, bash('ls'), 'deny'],
  [`${PROFILE}permissions.x.extends = "x"`, read('/a'), 'deny'],
  [`${PROFILE}permissions.x.extends = ":danger-full-access"`, read('/a'), 'deny'],
  [`${PROFILE}permissions.x.extends = "y"\npermissions.y.extends = ":read-only"`, read('/a'), 'allow'],
  [`${PROFILE}permissions.x = 7`, read('/a'), 'deny'],
  [
    `${PROFILE}[permissions.x]\nextends = ":workspace"\nfilesystem = {":workspace_roots" = "read"}`,
    write('/project/a'),
    'ask',
  ],
  [
    `${PROFILE}[permissions.x]\nworkspace_roots = {"~/w" = true}\nfilesystem = {":workspace_roots" = "write"}`,
    write('/home/user/w/a'),
    'allow',
  ],
  [
    `${PROFILE}[permissions.x]\nworkspace_roots = {"~/w" = false}\nfilesystem = {":workspace_roots" = "write"}`,
    write('/home/user/w/a'),
    'ask',
  ],
  // Odd paths.
  [inProfile('"/a/../b/" = "write"'), write('/b//./c/'), 'allow'],
  [inProfile('"/b" = "write"'), write('/a/../b/../c'), 'ask'],
  [inProfile('"/b" = "write"'), write('/bc'), 'ask'],
  [inProfile('"/b" = "write"'), write('/B/c'), 'ask'],
  [inProfile('"/b" = "write"'), write('/b/\0'), 'deny'],
  [inProfile('"/b" = "write"'), write('/b/\ud800'), 'deny'],
  [inProfile('"/b" = "write"\n"c" = "read"'), write('/b/c'), 'ask'],
  [inProfile('"/b" = "write"\n"/b/*" = "read"'), write('/b/c'), 'ask'],
  [inProfile('"/b" = "write"\n":workspace_roots" = {"../b" = "read"}'), write('/b/c'), 'ask'],
  [inProfile('"/b" = "write"\n"/b/c" = 7'), read('/b/c'), 'deny'],
  [inProfile('"/b" = "write"\n"/b/[!x]?{y}**" = "deny"'), read('/b/c'), 'deny'],
  [inProfile('":root" = "write"\n"/b" = "none"'), read('/b/c'), 'deny'],
  // Symbolic places stand for themselves, and make grants elsewhere uncertain.
  [inProfile('":root" = "write"\n":tmpdir" = "deny"'), read('/a'), 'ask'],
  [inProfile('":root" = "write"\n":tmpdir" = "deny"'), read(':tmpdir/a'), 'deny'],
  [inProfile('":root" = "write"\n":later" = "read"'), write('/a'), 'ask'],
  [inProfile('":root" = "write"\n":later" = "read"'), read('/a'), 'allow'],
  [inProfile('":root" = "write"\n":minimal" = "read"'), write('/a'), 'allow'],
  [inProfile('":tmpdir" = "write"'), write(':tmpdir/../etc'), 'deny'],
  ['sandbox_mode = "workspace-write"\napproval_policy = "never"', write(':tmpdir/a'), 'allow'],
  [
    'sandbox_mode = "workspace-write"\napproval_policy = "never"\nsandbox_workspace_write = {writable_roots = [":root", "../..", "/d/**"]}',
    write('/d/a'),
    'deny',
  ],
  // Hosts.
  [withDomains('"*.example.com" = "allow"'), host('A.Example.COM.', { port: 8080 }), 'allow'],
  [withDomains('"*.example.com" = "allow"'), host('example.com'), 'ask'],
  [withDomains('"*.example.com" = "allow"'), host('notexample.com'), 'ask'],
  [withDomains('"*" = "allow"'), host('localhost'), 'ask'],
  [withDomains('"*" = "allow"'), host('a.org', { address: '10.0.0.1' }), 'ask'],
  [withDomains('"*" = "allow"'), host('a.org', { protocol: 'ssh' }), 'ask'],
  [withDomains('"*." = "allow"\n"a*.org" = "allow"\n"**" = "allow"'), host('ab.org'), 'ask'],
  [withDomains('"*" = "allow"\n"a*.org" = "deny"'), host('b.org'), 'deny'],
  [withDomains('"*" = "allow"\n"a.org:80" = "deny"'), host('a.org', { port: 443 }), 'deny'],
  [withDomains('"*" = "allow"').replace('enabled', 'mode = "limited"\nenabled'), host('a.org'), 'ask'],
  [withDomains('"*" = "allow"').replace('= true', '= {domains = {"a.org" = "deny"}}'), host('a.org'), 'ask'],
  [withDomains('"a.org" = "allow"').replace('= true', '= false'), host('b.org'), 'allow'],
  [PROFILE, { domain: 'environment', variable: 'A' }, 'deny'],
  ['sandbox_mode = "read-only"\napproval_policy = "on-request"', { domain: 'tool', name: 'mcp__a__b' }, 'ask'],
] as readonly (readonly [string, PermissionRequest, string])[])('Codex, %j: %j', (toml, request, outcome) => {
  expect(codex(toml).decide(request).outcome).toBe(outcome)
})

const OPEN = {
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: [], allowWrite: ['/'], denyWrite: [] },
}
const files = (more: object) => ({ ...OPEN, filesystem: { ...OPEN.filesystem, ...more } })
const hosts = (allowedDomains: unknown, deniedDomains: unknown = []) => ({
  ...OPEN,
  network: { allowedDomains, deniedDomains },
})

test.each([
  [OPEN, write('/a'), 'allow'],
  [OPEN, write('/a/.GIT/hooks/x'), 'deny'],
  [files({ allowWrite: ['.'] }), write('/projects/a'), 'deny'],
  [files({ allowWrite: ['src/**', '/w/*'] }), write('/project/src/a'), 'allow'],
  [files({ allowWrite: ['src/**', '/w/*'] }), write('/w/a'), 'deny'],
  [files({ denyWrite: ['**/*.pem'] }), write('/project/x/a.pem'), 'deny'],
  [files({ denyRead: ['~/.ssh', '/ws/secrets'], allowRead: ['/ws'] }), read('/ws/secrets/key'), 'deny'],
  [files({ denyRead: ['/'], allowRead: ['/ws/'] }), read('/ws/a/../b'), 'allow'],
  [files({ denyRead: ['/'], allowRead: ['/ws/'] }), read('/ws/../etc'), 'deny'],
  [files({ denyRead: [''] }), read('/a'), 'deny'],
  [files({ denyRead: 'all' }), read('/a'), 'deny'],
  [files({ denyWrite: ['/b', 7] }), write('/a'), 'deny'],
  [hosts(['*', '*.com', 'com']), host('a.com'), 'deny'],
  [hosts(['*.example.com:443']), host('a.example.com', { port: 443 }), 'allow'],
  [hosts(['*.example.com:443']), host('a.example.com', { port: 80 }), 'deny'],
  [hosts(['*.example.com:443']), host('a.example.com'), 'deny'],
  [hosts(['a.org'], ['*:22']), host('a.org', { port: 22 }), 'deny'],
  [hosts(['a.org'], ['*:22']), host('a.org', { port: 443 }), 'allow'],
  [hosts(['a.org'], ['a.org:443']), host('a.org'), 'deny'],
  [hosts(['localhost', '[::1]:443']), host('::1', { port: 443 }), 'allow'],
  [hosts(['localhost']), host('localhost'), 'allow'],
  [hosts(['a.org'], ['2001:db8::']), host('a.org'), 'deny'],
  [OPEN, bash('ls'), 'deny'],
] as readonly (readonly [object, PermissionRequest, string])[])(
  'sandbox-runtime, %j: %j',
  (settings, request, outcome) => {
    expect(box(settings).decide(request).outcome).toBe(outcome)
  },
)

test('only settings of sandbox-runtime count as such', () => {
  const isOne = (value: unknown) => isSandboxSettings(parse(JSON.stringify(value)).document!)
  expect([OPEN, {}, [], { network: {} }, { adl_spec: '0.1.0', ...OPEN }].map(isOne)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

const changesOf = (old: string, now: string) =>
  diffSandboxes(codex(old), codex(now)).map(({ kind, document, pointer }) => `${kind} ${document} ${pointer}`)

test.each([
  [inProfile('"/b/*" = "deny"'), inProfile('"/b/*x" = "deny"'), 'widened old /permissions/x/filesystem/~1b~1*'],
  [PROFILE, `${PROFILE}notify = ["sh"]`, 'widened new /notify'],
  [`${PROFILE}[hooks]\na = 1`, PROFILE, 'widened old /hooks'],
  [PROFILE, `${PROFILE}model = "x"`, 'changed new /model'],
  [inProfile(''), `${inProfile('')}[permissions.x.network]\nallow_local_binding = true`, 'widened new /permissions'],
  [PROFILE, PROFILE.replace('on-request', 'never'), undefined],
  [PROFILE.replace('on-request', 'never'), PROFILE.replace('"x"', '":read-only"'), 'widened new /default_permissions'],
])('from %j to %j', (old, now, change) => {
  const changes = changesOf(old, now)
  if (change === undefined) expect(changes.join()).not.toContain('widened')
  else expect(changes).toContain(change)
  expect(changesOf(now, now)).toEqual([])
})

test('many entries, domains and patterns take a bounded time', () => {
  const many = (make: (i: number) => string) => Array.from({ length: 1000 }, (_, i) => make(i))
  const lines = many((i) => `"/a${i}${i % 3 === 0 ? '/**/*x' : ''}" = "${i % 3 === 0 ? 'deny' : 'write'}"`).join('\n')
  const big = `${inProfile(lines)}\n[permissions.x.network]\nenabled = true\n[permissions.x.network.domains]\n`
  const began = processorTime()
  const [old, now] = [big, `${big}${many((i) => `"*.a${i}.org" = "allow"`).join('\n')}`].map(codex)
  expect(old!.decide(write('/a1/b')).outcome).not.toBe('deny')
  expect(diffSandboxes(old!, now!).at(-1)!.kind).toBe('widened')
  const roots = many((i) => `"/r${i}" = true`).join('\n')
  const product = `${PROFILE}[permissions.x.workspace_roots]\n${roots}\n[permissions.x.filesystem.":workspace_roots"]\n${many((i) => `a${i} = "write"`).join('\n')}`
  expect(codex(product).decide(write('/r1/a1/b')).outcome).toBe('ask')
  expect(hostRule('[['.repeat(100_000), { outcome: 'deny', reason: '', decidedBy: '' })[0]!.matches('a.org')).toBe(true)
  expect(codex(inProfile(`"/${'['.repeat(100_000)}" = "deny"`)).decide(read('/a')).outcome).toBe('deny')
  const deep = files({ denyRead: many(() => '*a'.repeat(40)), denyWrite: many((i) => `/${'../'.repeat(40)}${i}`) })
  expect(permissionMatrix([old!, box(deep)]).leftOut).toBeGreaterThan(0)
  expect(processorTime() - began).toBeLessThan(4_000)
})
