// The permissions of a definition as a configuration of Codex, and back: https://developers.openai.com/codex/permissions.
// The sandbox of Codex limits files and hosts of every command, and no programs. A definition has no sandbox, so what a
// command may do in that of Codex does not become a grant to run it.
import { permissionsOf } from '../../adl/agent-policy.ts'
import type { Agent } from '../../adl/subject.ts'
import { type CodexSandbox, readCodexSandbox } from '../../codex-config/sandbox.ts'
import { type Filesystem, type Network, Unusable } from '../../policy/part.ts'
import { objectMember, type PlacedObject, valueIn } from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'
import { absolutePattern, denialsOf } from './from-runner.ts'
import { BELOW, isHost, isSayable, MOST_COMPARED, reaches, sayableDenial } from './to-runner.ts'

const PROFILE = 'adl'
const PLACE = `/permissions/${PROFILE}`

/** Makes a configuration of Codex. What the profile does not permit is asked for, or denied when nothing was lost. */
export function toCodex(agent: Agent, ledger: Ledger): MutableObject {
  const { network, filesystem, execution, environment } = permissionsOf(agent)
  let isAsked = false
  const ask = (pointer: string, why: string) => {
    isAsked = true
    ledger.changed(pointer, '/approval_policy', `asked for: ${why}`)
  }
  const files = filesystem instanceof Unusable ? {} : writeEntries(filesystem, ask, ledger)
  const domains = network instanceof Unusable ? {} : writeDomains(network, ask, ledger)
  const hasDomains = Object.keys(domains).length > 0
  const runsAny =
    !(execution instanceof Unusable) &&
    execution.allowShell?.value === true &&
    execution.denied.entries.length === 0 &&
    execution.allowed.entries.some(({ value }) => value === '*')
  if (!(execution instanceof Unusable))
    ledger.changed(
      '/permissions/execution',
      runsAny ? PLACE : '/features/shell_tool',
      runsAny ? 'in the sandbox' : 'denied: Codex has a shell for any program, or none',
    )
  const passesAll =
    !(environment instanceof Unusable) &&
    environment.denied.entries.length === 0 &&
    environment.allowed.entries.some(({ value }) => value === '*')
  if (!(environment instanceof Unusable))
    ledger.changed(
      '/permissions/environment',
      '/shell_environment_policy',
      passesAll ? 'all variables' : 'denied: no variable is passed on',
    )
  if (valueIn(objectMember(agent.root, 'permissions'), 'resource_limits') !== undefined)
    ledger.dropped('/permissions/resource_limits', 'Codex does not limit them')
  ledger.added('/approval_policy', 'what the profile does not permit')
  ledger.added('/default_permissions', 'the profile')
  ledger.added('/web_search', 'it would reach pages that the definition does not grant')
  return {
    approval_policy: isAsked ? 'on-request' : 'never',
    default_permissions: PROFILE,
    web_search: 'disabled',
    ...((hasDomains || !runsAny) && {
      features: { ...(hasDomains && { network_proxy: true }), ...(!runsAny && { shell_tool: false }) },
    }),
    ...(!passesAll && { shell_environment_policy: { inherit: 'none' } }),
    permissions: {
      [PROFILE]: { filesystem: files, network: hasDomains ? { enabled: true, domains } : { enabled: false } },
    },
  }
}

type Ask = (pointer: string, why: string) => void

/** An entry counts for a folder and what is in it; the entry with the longest path decides. */
function writeEntries({ allowed, denied }: Filesystem, ask: Ask, ledger: Ledger): MutableObject {
  const entries = new Map<string, string>()
  const denials = denied.entries.map(sayableDenial)
  const isLost = denials.includes(undefined) || allowed.length * denied.entries.length > MOST_COMPARED
  for (const { path, access } of allowed) {
    const pointer = path.pointer.replace(/\/path$/, '')
    const folder = path.value.slice(0, -BELOW.length)
    const isFolder = path.value.endsWith(BELOW) && isSayable(path.value) && !folder.includes('*')
    if (!isFolder) ask(pointer, 'an entry takes whole folders')
    else if (access === 'write') ask(pointer, 'an entry to write is one to read')
    else if (isLost) ask(pointer, 'a denied path cannot be said')
    else if (denials.some((denial) => isInside(folder, denial!) || isVague(folder, denial!)))
      ask(pointer, 'the folder, or a path in it that has no entry, is denied')
    else {
      if (access === 'read_write' || !entries.has(folder)) entries.set(folder, access === 'read' ? 'read' : 'write')
      ledger.changed(pointer, `${PLACE}/filesystem`, 'with the folder itself')
    }
  }
  for (const [i, { pointer }] of denied.entries.entries()) {
    const base = denials[i] === undefined ? undefined : baseOf(denials[i])
    if (isLost || base === undefined || base.includes('*') || base === '')
      ledger.implied(pointer, 'no folder with such a path has an entry')
    else {
      entries.set(base, 'deny')
      ledger.rewritten(pointer, `${PLACE}/filesystem`, 'with what is below it')
    }
  }
  return Object.fromEntries([...entries].map(([path, access]) => [path === '' ? ':root' : path, access]))
}

const baseOf = (pattern: string) => (pattern.endsWith(BELOW) ? pattern.slice(0, -BELOW.length) : pattern)

/** True for a folder that a denial covers: its entry would count before that of the denial. */
function isInside(folder: string, denial: string): boolean {
  const base = baseOf(denial)
  return base === folder || folder.startsWith(`${base}/`)
}

/** True when a denial with a wildcard may match something in the folder. */
const isVague = (folder: string, denial: string) => baseOf(denial).includes('*') && reaches(denial, `${folder}/`)

function writeDomains({ hosts, ports, protocols, denyPrivate }: Network, ask: Ask, ledger: Ledger): MutableObject {
  const domains: MutableObject = {}
  const isWhole = ports === undefined && protocols === undefined && denyPrivate?.value !== true
  for (const { value, pointer } of hosts.entries)
    if (isWhole && isHost(value)) {
      domains[value] = 'allow'
      ledger.rewritten(pointer, `${PLACE}/network/domains`, 'through the proxy of Codex')
    } else ask(pointer, 'domains know neither ports nor protocols, and patterns are wider')
  return domains
}

/** Reads what Codex lets a command do without a question. */
export function permissionsFromCodex(root: PlacedObject, project: string | undefined, ledger: Ledger): MutableObject {
  const sandbox = readCodexSandbox(root, { root: project, home: undefined })
  const { chosen, fault, doubt, isLimited, network, profiles } = sandbox
  if (fault !== undefined || doubt !== undefined) {
    ledger.dropped((chosen ?? root).pointer, `denied: ${fault ?? doubt}`)
    return {}
  }
  if (chosen === undefined) return {}
  ledger.changed(chosen.pointer, '/permissions', 'what commands reach without a question')
  ledger.changed('/approval_policy', '/permissions', 'denied: a definition asks nobody')
  const settings = objectMember(root, 'sandbox_workspace_write')
  for (const [of, name, to] of [
    [settings, 'writable_roots', 'filesystem/allowed_paths'],
    [settings, 'network_access', 'network/allowed_hosts'],
    ...profiles.flatMap((profile) => [
      [profile, 'filesystem', 'filesystem'] as const,
      [objectMember(profile, 'network'), 'domains', 'network/allowed_hosts'] as const,
    ]),
  ] as const)
    if (of?.pointer && Object.hasOwn(of.value, name))
      ledger.changed(`${of.pointer}/${name}`, `/permissions/${to}`, 'what the sandbox permits; denials count first')
  const { allowed, denied } = pathsOf(sandbox)
  const hosts = hostsOf(network)
  const runs = !isLimited && valueIn(objectMember(root, 'features'), 'shell_tool') !== false
  return {
    ...(allowed.length > 0 && { filesystem: { allowed_paths: allowed, denied_paths: [...new Set(denied)] } }),
    // Codex asks for rm -f.
    ...(runs && { execution: { allowed_commands: ['*'], denied_commands: ['rm'], allow_shell: true } }),
    ...(hosts.length > 0 && {
      network: { allowed_hosts: hosts, ...(network?.domains !== undefined && { allowed_protocols: ['https'] }) },
    }),
  }
}

/** The entry with the longest path decides in Codex, in a definition each denial. */
function pathsOf({ entries, globs, unknown }: CodexSandbox) {
  const denied = globs.map(({ value }) => denialsOf(`/${value}`))
  const places = { read: [] as string[], write: [] as string[] }
  const isLimited = new Set(unknown.map(([of]) => of))
  for (const { folder, access, isImplied } of entries.filter((entry) => !entry.folder.startsWith(':'))) {
    const isSayable = folder === '' || (absolutePattern(`/${folder}`) !== undefined && !folder.includes('*'))
    if (access === 'deny' ? folder !== '' : isImplied)
      denied.push(isSayable ? [folder, `${folder}${BELOW}`] : undefined)
    else if (access !== 'deny' && isSayable) places[access].push(folder)
    // A folder that is only read, somewhere in one to write.
    else if (access === 'read') isLimited.add('write')
  }
  if (denied.includes(undefined)) isLimited.add('read')
  if (places.read.length * places.write.length > MOST_COMPARED) isLimited.add('write')
  const write = isLimited.size > 0 ? [] : places.write
  const read = isLimited.has('read') ? [] : places.read
  // A folder to read in one to write must not be written, and a definition can only deny it.
  const inner = read.filter((folder) => write.some((outer) => folder.startsWith(`${outer}/`)))
  const both = (folders: readonly string[], access: string) =>
    folders.flatMap((place) => [...(place === '' ? [] : [place]), place + BELOW].map((path) => ({ path, access })))
  return {
    allowed: [...both(read, 'read'), ...both(write, 'read_write')],
    denied: [...denied.flatMap((one) => one ?? []), ...inner.flatMap((folder) => [folder, `${folder}${BELOW}`])],
  }
}

function hostsOf(network: CodexSandbox['network']): readonly string[] {
  if (network === undefined) return []
  if (network.domains === undefined) return ['*']
  const rules = [...network.domains]
  return rules.every(([, { value }]) => value === 'allow')
    ? rules.flatMap(([host]) => (isHost(host) ? [host] : []))
    : []
}
