// Random definitions, settings and requests: a conversion grants nothing that its source does not.
import { compile } from '../../bindings/adl/policy.ts'
import { SettingsPolicy } from '../../bindings/claude-settings/policy.ts'
import { splitLine, unwrap } from '../../bindings/claude-settings/shell-line.ts'
import { convertPermissions } from '../../bindings/convert/permissions/convert-permissions.ts'
import type { PermissionRequest } from '../../bindings/policy/request.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import { claudeOutcome, sandboxAllows } from '../oracle/runner-rules.ts'

export type Random = () => number

const PLACES = { root: '/project', home: '/home/user' }
const NAMES = ['data', 'a', 'b', 'x.txt', '.env', 'src']
const WILD = [...NAMES, '*', '**', 'a*', '*.txt']
const HOSTS = ['example.com', 'a.example.com', 'b.a.example.com', 'example.org', 'evil.com']
const PROGRAMS = ['npm', 'rm', 'git', 'make', 'env', 'bash', 'echo']
const TOOLS = ['mcp__a__b', 'mcp__a__c', 'mcp__d__b']

export const oneOf = <Value>(random: Random, list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!
export const some = <Value>(random: Random, most: number, make: () => Value): Value[] =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, make)
const maybe = (random: Random, object: object) => (random() < 0.3 ? object : {})
/** Below one of the folders: the folder of the project itself is not a file. */
export const path = (random: Random, names: readonly string[], most = 3) =>
  `/${Array.from({ length: 1 + Math.floor(random() * most) }, () => oneOf(random, names)).join('/')}`

export function randomRequest(random: Random): PermissionRequest {
  const kind = random()
  if (kind < 0.5) {
    const under = oneOf(random, ['', '/project', '/home/user'])
    return {
      domain: 'filesystem',
      path: under + path(random, NAMES, 4),
      access: oneOf(random, ['read', 'write', 'read_write']),
    }
  }
  if (kind < 0.65)
    return { domain: 'network', host: oneOf(random, HOSTS), port: oneOf(random, [443, 80]), protocol: 'https' }
  if (kind < 0.75) return { domain: 'tool', name: oneOf(random, TOOLS) }
  const command = () =>
    [
      oneOf(random, ['', '', 'timeout 5 ', 'nice ']),
      oneOf(random, PROGRAMS),
      ...some(random, 2, () => ` ${oneOf(random, ['a', 'push', '-f', 'rm'])}`),
    ].join('')
  if (kind < 0.85)
    return {
      domain: 'execution',
      command: oneOf(random, PROGRAMS),
      args: some(random, 2, () => oneOf(random, ['a', 'push', 'rm'])).join(' '),
    }
  const line = [command(), ...some(random, 2, () => `${oneOf(random, [' && ', ' | ', '; ', '\n'])}${command()}`)].join(
    '',
  )
  return { domain: 'execution', command: line, shell: true }
}

export function randomDefinition(random: Random): JsonObject {
  const open = random() < 0.1
  const filesystem = {
    allowed_paths: [
      ...some(random, 3, () => ({
        path: oneOf(random, ['', '', '/project']) + path(random, WILD),
        access: oneOf(random, ['read', 'write', 'read_write']),
      })),
      ...(open ? [{ path: '/**', access: 'read_write' }] : []),
    ],
    ...(open ? {} : maybe(random, { denied_paths: some(random, 2, () => path(random, WILD)) })),
  }
  const network = {
    allowed_hosts: open ? ['*'] : some(random, 2, () => oneOf(random, [...HOSTS, '*.example.com', '*'])),
    ...(open
      ? {}
      : {
          ...maybe(random, { allowed_ports: [443] }),
          ...maybe(random, { allowed_protocols: ['https'] }),
          ...maybe(random, { deny_private: true }),
        }),
  }
  const execution = {
    allowed_commands: open ? ['*'] : some(random, 3, () => oneOf(random, [...PROGRAMS, '*'])),
    ...(open ? {} : maybe(random, { denied_commands: [oneOf(random, PROGRAMS)] })),
    ...(random() < (open ? 0.8 : 0.5) ? { allow_shell: true } : {}),
  }
  const tools = some(random, 2, () => ({
    name: oneOf(random, TOOLS),
    ...maybe(random, { requires_confirmation: true }),
  }))
  const environment = { allowed_variables: ['*'] }
  return { permissions: { filesystem, network, execution, ...(open && { environment }) }, tools }
}

function randomSettings(random: Random) {
  const pathRule = () => {
    const anchor = oneOf(random, ['/', '/', '/project', '~', '.', ''])
    const specifier = `${anchor}${path(random, WILD)}`
    return `${oneOf(random, ['Read', 'Edit'])}(${anchor === '' && random() < 0.5 ? specifier.slice(1) : specifier})`
  }
  const rule = () =>
    oneOf(random, [
      pathRule,
      pathRule,
      () => `Bash(${oneOf(random, PROGRAMS)}${oneOf(random, ['', ' *', ':*', '*', ' push', ' * rm', ' * rm *'])})`,
      () => `WebFetch(domain:${oneOf(random, [...HOSTS, '*.example.com', '*', 'example.*'])})`,
      () => oneOf(random, [...TOOLS, 'mcp__a', 'mcp__a__*', 'mcp__*', 'Bash', 'Read', 'Edit', 'Write', 'WebFetch']),
    ])()
  const lists = { allow: some(random, 4, rule), ask: some(random, 1, rule), deny: some(random, 2, rule) }
  return { permissions: { ...lists, ...maybe(random, { defaultMode: oneOf(random, ['dontAsk', 'default']) }) } }
}

export function randomSandbox(random: Random) {
  const domain = () => oneOf(random, [...HOSTS, '*.example.com']) + oneOf(random, ['', ':443', ':80'])
  const folders = () =>
    some(random, 2, () => oneOf(random, [path(random, NAMES), path(random, NAMES), '~/.ssh', './a', '.']))
  return {
    network: { allowedDomains: some(random, 3, domain), deniedDomains: some(random, 0.3, domain) },
    filesystem: { denyRead: folders(), allowRead: folders(), allowWrite: folders(), denyWrite: folders() },
  }
}

/** Few names, so that requests meet grants and denials inside of each other. */
export const NESTED = ['a', 'b', '.env', '.git']

export function randomConfig(random: Random): JsonObject {
  const policy = { approval_policy: oneOf(random, ['never', 'on-request', 'on-failure', 'untrusted', '']) }
  const features = { features: { network_proxy: random() < 0.5, ...(random() < 0.3 && { shell_tool: false }) } }
  if (random() < 0.3)
    return {
      ...policy,
      ...features,
      sandbox_mode: oneOf(random, ['read-only', 'workspace-write', 'danger-full-access']),
      sandbox_workspace_write: {
        writable_roots: some(random, 2, () => path(random, NESTED, 2) + oneOf(random, ['', '/'])),
        network_access: random() < 0.5,
        exclude_slash_tmp: random() < 0.5,
      },
    }
  const access = () => oneOf(random, ['read', 'write', 'deny'])
  const entries = () => some(random, 4, () => [path(random, NESTED, 3), access()] as const)
  const roots = [['.', access()], ...some(random, 2, () => [oneOf(random, NESTED), access()])]
  const filesystem = {
    ...Object.fromEntries([...entries(), ...(random() < 0.6 ? [[':root', access()]] : [])]),
    ...(random() < 0.5 && { ':workspace_roots': Object.fromEntries(roots) }),
    ...(random() < 0.2 && { ':slash_tmp': access(), [`~${path(random, NESTED, 2)}`]: access() }),
    ...(random() < 0.2 && {
      [`${path(random, NESTED, 1)}/**/.env`]: 'deny',
      [`${path(random, NESTED, 2)}/*x*`]: 'deny',
    }),
    ...(random() < 0.2 && { [`${path(random, NESTED, 2)}/**`]: oneOf(random, ['read', 'write']) }),
  }
  const domains = Object.fromEntries(
    some(random, 2, () => [
      oneOf(random, ['example.com', 'evil.com', '*.example.com', '**.example.com']),
      oneOf(random, ['allow', 'deny']),
    ]),
  )
  const parent = random() < 0.3 ? { extends: oneOf(random, [':workspace', ':read-only']) } : {}
  const network = { enabled: random() < 0.7, ...(random() < 0.7 && { domains }) }
  return {
    ...policy,
    ...features,
    default_permissions: 'mine',
    permissions: { mine: { ...parent, filesystem, network } },
  }
}

/** The requests of a definition that a call of Claude Code stands for: each command of a line. */
function partsOf(request: PermissionRequest): PermissionRequest[] {
  if (request.domain !== 'execution' || request.shell !== true) return [request]
  return splitLine(request.command).commands.map((command) => ({ ...request, command: unwrap(command) }))
}

const isFolder = (
  { filesystem: { allowRead, allowWrite } }: ReturnType<typeof randomSandbox>,
  request: PermissionRequest,
) => request.domain === 'filesystem' && [...allowRead, ...allowWrite].includes(request.path)

/** How many of the requests were allowed, so that a test sees that it compares something. */
export interface Seen {
  requests: number
  allowed: number
}

/** Makes one of each and compares requests; returns the first that a target allows and its source does not. */
export function flawOf(random: Random, requests: number, seen: Seen): string | undefined {
  const definition = randomDefinition(random)
  const policy = compile(JSON.stringify(definition))
  const settings = convertPermissions(JSON.stringify(definition), { to: 'claude-settings' }).document as ReturnType<
    typeof randomSettings
  >
  const sandbox = convertPermissions(JSON.stringify(definition), { to: 'sandbox-runtime' }).document as ReturnType<
    typeof randomSandbox
  >
  const foreign = randomSettings(random)
  const project = random() < 0.5 ? { project: '/project' } : {}
  const read = convertPermissions(JSON.stringify(foreign), { to: 'adl', from: 'claude-settings', ...project }).document!
  const box = randomSandbox(random)
  const unboxed = convertPermissions(JSON.stringify(box), { to: 'adl', from: 'sandbox-runtime' }).document!
  const [readPolicy, boxPolicy] = [read, unboxed].map((one) => compile(JSON.stringify(one)))
  const engines = [settings, foreign].map((value) => new SettingsPolicy({ pointer: '', value }, PLACES))
  const grants = (request: PermissionRequest) => {
    const { allowed, obligations } = policy.decide(request)
    return allowed && obligations.length === 0
  }
  for (let i = 0; i < requests; i++) {
    const request = randomRequest(random)
    const inSettings = claudeOutcome(settings, request)
    const inForeign = claudeOutcome(foreign, request)
    seen.requests++
    if (
      inSettings === 'allow' ||
      readPolicy!.allows(request) ||
      sandboxAllows(sandbox, request) ||
      boxPolicy!.allows(request)
    )
      seen.allowed++
    const tell = (what: string, ...values: unknown[]) =>
      `${what}: ${[request, ...values].map((value) => JSON.stringify(value)).join('\n  ')}`
    if (inSettings === 'allow' && !partsOf(request).every(grants))
      return tell('settings are wider', definition, settings)
    // The account names the folder itself, which a sandbox cannot leave out.
    if (
      sandboxAllows(sandbox, request) &&
      !isFolder(sandbox, request) &&
      !partsOf(request).every((one) => policy.allows(one))
    )
      return tell('sandbox is wider', definition, sandbox)
    if (readPolicy!.allows(request) && inForeign !== 'allow') return tell('definition is wider', foreign, read)
    if (boxPolicy!.allows(request) && !sandboxAllows(box, request))
      return tell('definition is wider than the sandbox', box, unboxed)
    for (const [j, value] of [settings, foreign].entries()) {
      const [ours, naive] = [engines[j]!.decide(request).outcome, claudeOutcome(value, request)]
      if (ours !== naive) return tell(`${ours}, expected ${naive}`, value)
    }
  }
  return undefined
}
