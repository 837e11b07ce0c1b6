// A configuration of Codex as permissions of a definition. A definition has no sandbox for commands: what a command may do
// in that of Codex does not become a grant to run it.
import {
  elements,
  isObject,
  isText,
  objectMember,
  type PlacedObject,
  textIn,
  textMember,
  valueIn,
} from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'
import { absolutePattern, BELOW, denialsOf, folderDenial, inProject } from './from-runner.ts'
import { isHost, MOST_COMPARED } from './to-runner.ts'

/** What Codex keeps from being written in a writable root. */
const PROTECTED = ['.git', '.agents', '.codex', '.aws']
const MOST_ROOTS = 1000
/** Policies with which a command runs in the sandbox without a question. */
const RUNS = /^(?:never|on-request|on-failure)$/

interface Grants {
  readonly read: string[]
  readonly write: string[]
  readonly denied: string[]
  hosts: readonly string[]
  protocols?: readonly string[]
  /** True without a sandbox. */
  isOpen: boolean
}

/** Reads what Codex lets a command do without a question. */
export function permissionsFromCodex(root: PlacedObject, project: string | undefined, ledger: Ledger): MutableObject {
  const policy = textIn(root, 'approval_policy') ?? ''
  const mode = textMember(root, 'sandbox_mode')
  const named = textMember(root, 'default_permissions')
  const grants: Grants = { read: [], write: [], denied: [], hosts: [], isOpen: false }
  const chosen = mode ?? named
  if (!RUNS.test(policy) || Object.hasOwn(root.value, 'profile'))
    ledger.dropped((chosen ?? root).pointer, 'denied: commands are asked for, or a profile decides')
  else if (chosen !== undefined) {
    ledger.changed(chosen.pointer, '/permissions', 'what commands reach without a question')
    ledger.changed('/approval_policy', '/permissions', 'denied: a definition asks nobody')
    if (mode !== undefined) readMode(mode.value, root, project, grants, ledger)
    else if (chosen.value.startsWith(':')) readMode(chosen.value.slice(1), undefined, project, grants, ledger)
    else readProfile(chosen.value, root, project, grants, ledger)
  }
  const { read, write, denied, hosts, protocols, isOpen } = grants
  const both = (places: readonly string[], access: string) =>
    places.flatMap((place) => [...(place === '' ? [] : [place]), place + BELOW].map((path) => ({ path, access })))
  const allowed = [...both(read, 'read'), ...both(write, 'read_write')]
  const runs = isOpen && valueIn(objectMember(root, 'features'), 'shell_tool') !== false
  return {
    ...(allowed.length > 0 && { filesystem: { allowed_paths: allowed, denied_paths: [...new Set(denied)] } }),
    ...(runs && { execution: { allowed_commands: ['*'], allow_shell: true } }),
    ...(hosts.length > 0 && {
      network: { allowed_hosts: hosts, ...(protocols !== undefined && { allowed_protocols: protocols }) },
    }),
  }
}

/** The modes, which the profiles that Codex has by itself are called after. */
function readMode(
  mode: string,
  root: PlacedObject | undefined,
  project: string | undefined,
  grants: Grants,
  ledger: Ledger,
): void {
  if (mode === 'danger-full-access') {
    grants.write.push('')
    grants.hosts = ['*']
    grants.isOpen = true
  }
  if (!/^(?:read-only|workspace(?:-write)?)$/.test(mode)) return
  grants.read.push('')
  ledger.added('/permissions/filesystem/allowed_paths', 'the sandbox reads everything')
  if (mode === 'read-only') return
  const settings = objectMember(root, 'sandbox_workspace_write')
  const roots = elements(settings, 'writable_roots', isText).slice(0, MOST_ROOTS)
  const places = [
    ...(valueIn(settings, 'exclude_slash_tmp') === true ? [] : ['/tmp']),
    ...(project === undefined ? [] : [project.replace(/\/$/, '')]),
    ...roots.map(({ value }) => value.replace(/(?<=.)\/$/, '')),
  ]
  for (const place of places) {
    const path = absolutePattern(`/${place}`)
    if (path === undefined || path === '/' || path.includes('*')) continue
    grants.write.push(path)
    grants.denied.push(...PROTECTED.flatMap((name) => [`${path}/${name}`, `${path}/${name}${BELOW}`]))
  }
  if (roots.length > 0)
    ledger.changed(
      `${settings!.pointer}/writable_roots`,
      '/permissions/filesystem/allowed_paths',
      `absolute ones, at most ${MOST_ROOTS}, without what Codex protects`,
    )
  if (valueIn(settings, 'network_access') !== true) return
  grants.hosts = ['*']
  ledger.rewritten(`${settings!.pointer}/network_access`, '/permissions/network/allowed_hosts', 'any host')
}

/** The entry of a profile with the longest path decides in Codex, in a definition each denial. */
function readProfile(
  name: string,
  root: PlacedObject,
  project: string | undefined,
  grants: Grants,
  ledger: Ledger,
): void {
  const profile = objectMember(root, 'permissions', name)
  if (profile === undefined || Object.hasOwn(profile.value, 'extends')) return
  const filesystem = objectMember(profile, 'filesystem')
  let [isLost, isVague] = [false, false]
  const entries = Object.entries(filesystem?.value ?? {}).flatMap(([path, access]) => {
    if (!isObject(access)) return [[path, access] as const]
    const isRoots = /^:(?:workspace|project)_roots$/.test(path)
    const base = isRoots ? '.' : path
    return Object.entries(access).map(([inner, one]) => [inner === '.' ? base : `${base}/${inner}`, one] as const)
  })
  for (const [path, access] of entries.filter(([, one]) => isText(one))) {
    const place = path === ':root' ? '' : placeOf(path, project)
    if (access !== 'read' && access !== 'write') {
      const denials = path.startsWith(':') ? undefined : denialOf(path, project)
      if (denials === undefined) isLost = true
      else grants.denied.push(...denials)
    } else if (place !== undefined) grants[access].push(place)
    // A folder that is only read, somewhere in one to write.
    else if (access === 'read' && path !== ':minimal') isVague = true
  }
  // A folder to read in one to write must not be written, and a definition can only deny it.
  if (grants.read.length * grants.write.length > MOST_COMPARED) isVague = true
  for (const inner of isVague ? [] : grants.read)
    if (grants.write.some((outer) => inner.startsWith(`${outer}/`))) grants.denied.push(inner, `${inner}${BELOW}`)
  if (isLost) grants.read.length = 0
  if (isLost || isVague) grants.write.length = 0
  if (filesystem !== undefined)
    ledger.changed(filesystem.pointer, '/permissions/filesystem', 'entries with an absolute path; denials count first')
  readNetwork(profile, root, grants, ledger)
}

/** An absolute folder or file; undefined for others. */
function placeOf(path: string, project: string | undefined): string | undefined {
  const isOfProject = path === '.' || path.startsWith('./')
  if (isOfProject && project === undefined) return undefined
  const whole = isOfProject ? project!.replace(/\/$/, '') + path.slice(1) : path
  const place = absolutePattern(`/${whole}`)
  return place === undefined || place === '/' || place.includes('*') ? undefined : place
}

function denialOf(path: string, project: string | undefined): readonly string[] | undefined {
  if (path === '.' || path === './') return undefined
  return path.startsWith('./') ? denialsOf(inProject(path.slice(1), project)) : folderDenial(path)
}

function readNetwork(profile: PlacedObject, root: PlacedObject, grants: Grants, ledger: Ledger): void {
  const network = objectMember(profile, 'network')
  const { enabled, mode, domains } = network?.value ?? {}
  const proxy = valueIn(objectMember(root, 'features'), 'network_proxy')
  if (enabled !== true || (mode !== undefined && mode !== 'full')) return
  if (domains === undefined && (proxy === undefined || proxy === false)) grants.hosts = ['*']
  const rules = Object.entries(isObject(domains) ? domains : {})
  if (rules.some(([, access]) => access !== 'allow')) return
  if (rules.length === 0) return
  grants.hosts = rules.flatMap(([host]) => (isHost(host) ? [host] : []))
  grants.protocols = ['https']
  ledger.changed(`${network!.pointer}/domains`, '/permissions/network/allowed_hosts', 'exact names, over HTTPS')
}
