// What the sandbox of Codex permits without a question, as its sources decide it (codex-rs/protocol/src/permissions.rs,
// resolve_access_with_cwd): the entry with the most components wins, then deny over write over read; without one, deny.
import type { PermissionRequest } from '../../bindings/policy/request.ts'
import { isObject, type JsonObject, objectOf } from '../../bindings/text/members.ts'

const RANKS = ['read', 'write', 'deny']
const PROTECTED = ['.git', '.agents', '.codex', '.aws']
const PROJECT = '/project'

const partsOf = (path: string) => path.split('/').filter((name) => name !== '')

type Entry = readonly [path: string, access: string]

function entriesOf(config: JsonObject): readonly Entry[] {
  const mode = config['sandbox_mode']
  const roots = (paths: readonly string[]): Entry[] =>
    paths.flatMap((path) => [[path, 'write'], ...PROTECTED.map((name) => [`${path}/${name}`, 'read'] as const)])
  if (mode === 'read-only') return [['/', 'read']]
  if (mode === 'danger-full-access') return [['/', 'write']]
  if (mode === 'workspace-write') {
    const settings = objectOf(config['sandbox_workspace_write'])
    const more = (settings['writable_roots'] as string[] | undefined) ?? []
    return [['/', 'read'], ...roots([PROJECT, ...(settings['exclude_slash_tmp'] === true ? [] : ['/tmp']), ...more])]
  }
  const profile = objectOf(objectOf(config['permissions'])[config['default_permissions'] as string])
  return Object.entries(objectOf(profile['filesystem'])).flatMap(([path, access]): Entry[] => {
    if (path === ':root') return [['/', access as string]]
    if (!isObject(access)) return [[path, access as string]]
    return Object.entries(access).map(([inner, one]) => [`${PROJECT}/${inner === '.' ? '' : inner}`, one as string])
  })
}

function accessOf(config: JsonObject, path: string): string {
  const parts = partsOf(path)
  const fitting = entriesOf(config).filter(([entry]) => partsOf(entry).every((name, i) => parts[i] === name))
  const order = ([entry, access]: Entry) => partsOf(entry).length * RANKS.length + RANKS.indexOf(access)
  return fitting.sort((a, b) => order(b) - order(a))[0]?.[1] ?? 'deny'
}

export function codexAllows(config: JsonObject, request: PermissionRequest): boolean {
  if (!['never', 'on-request', 'on-failure'].includes(String(config['approval_policy']))) return false
  switch (request.domain) {
    case 'filesystem': {
      const access = accessOf(config, request.path)
      return access === 'write' || (access === 'read' && request.access === 'read')
    }
    case 'network': {
      if (config['sandbox_mode'] === 'danger-full-access') return true
      if (config['sandbox_mode'] !== undefined)
        return (
          config['sandbox_mode'] === 'workspace-write' &&
          objectOf(config['sandbox_workspace_write'])['network_access'] === true
        )
      const profile = objectOf(objectOf(config['permissions'])[config['default_permissions'] as string])
      const { enabled, domains } = objectOf(profile['network'])
      if (enabled !== true) return false
      return objectOf(config['features'])['network_proxy'] !== true || objectOf(domains)[request.host] === 'allow'
    }
    case 'execution':
      return objectOf(config['features'])['shell_tool'] !== false
    default:
      return false
  }
}
