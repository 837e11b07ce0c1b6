// A configuration of Codex as permissions of a definition. A definition has no sandbox for commands: what a command may do
// in that of Codex does not become a grant to run it.
import { type CodexSandbox, readCodexSandbox } from '../../codex-config/sandbox.ts'
import { objectMember, type PlacedObject, valueIn } from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'
import { absolutePattern, BELOW, denialsOf } from './from-runner.ts'
import { isHost, MOST_COMPARED } from './to-runner.ts'

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
  if (network === undefined || network.doubt !== undefined) return []
  if (network.domains === undefined) return ['*']
  const rules = [...network.domains]
  return rules.every(([, { value }]) => value === 'allow')
    ? rules.flatMap(([host]) => (isHost(host) ? [host] : []))
    : []
}
