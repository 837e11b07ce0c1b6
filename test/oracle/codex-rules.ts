// What the sandbox of Codex permits without a question, as its sources decide it (codex-rs/protocol/src/permissions.rs,
// resolve_access_with_cwd): the entry with the most components wins, then deny over write over read; without one, deny.
import type { PermissionRequest } from '../../bindings/policy/request.ts'
import { isObject, type JsonObject, objectOf } from '../../bindings/text/members.ts'

const RANKS = ['read', 'write', 'deny']
const PROTECTED = ['.git', '.agents', '.codex', '.aws']
const PROJECT = '/project'
const HOME = '/home/user'

const partsOf = (path: string) => path.split('/').filter((name) => name !== '')

type Entry = readonly [path: string, access: string]

const roots = (paths: readonly string[]): Entry[] =>
  paths.flatMap((path) => [[path, 'write'], ...PROTECTED.map((name) => [`${path}/${name}`, 'read'] as const)])
const WORKSPACE: Entry[] = [
  ['/', 'read'],
  [PROJECT, 'write'],
  ...['.git', '.agents', '.codex'].map((name): Entry => [`${PROJECT}/${name}`, 'read']),
  ['/tmp', 'write'],
]

const profileOf = (config: JsonObject) =>
  objectOf(objectOf(config['permissions'])[config['default_permissions'] as string])

const isGlob = (path: string) => path.includes('*')

function entriesOf(config: JsonObject): readonly Entry[] {
  const mode = config['sandbox_mode']
  if (mode === 'read-only') return [['/', 'read']]
  if (mode === 'danger-full-access') return [['/', 'write']]
  if (mode === 'workspace-write') {
    const settings = objectOf(config['sandbox_workspace_write'])
    const more = (settings['writable_roots'] as string[] | undefined) ?? []
    return [['/', 'read'], ...roots([PROJECT, ...(settings['exclude_slash_tmp'] === true ? [] : ['/tmp']), ...more])]
  }
  const profile = profileOf(config)
  const own = Object.entries(objectOf(profile['filesystem'])).flatMap(([path, access]): Entry[] => {
    const place = path
      .replace(/^:root$/, '/')
      .replace(/^:slash_tmp$/, '/tmp')
      .replace(/^~/, HOME)
    if (!isObject(access)) return [[place.replace(/(?<=.)\/\*\*$/, ''), access as string]]
    return Object.entries(access).map(([inner, one]) => [`${PROJECT}/${inner === '.' ? '' : inner}`, one as string])
  })
  const parents: readonly Entry[] =
    profile['extends'] === ':workspace' ? WORKSPACE : profile['extends'] === ':read-only' ? [['/', 'read']] : []
  // What the profile says about a path replaces what it extends.
  const kept = parents.filter(([path]) => own.every(([other]) => partsOf(other).join() !== partsOf(path).join()))
  return [...kept, ...own].flatMap(([path, access]) =>
    access === 'write' && path !== '/' ? roots([path.replace(/\/$/, '')]) : [[path, access] as const],
  )
}

function accessOf(config: JsonObject, path: string): string {
  const parts = partsOf(path)
  const matches = (pattern: string) => {
    const names = partsOf(pattern).map((name) =>
      name === '**' ? '(?:/[^/]+)*' : `/${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}`,
    )
    return new RegExp(`^${names.join('')}(?:/.*)?$`).test(path)
  }
  const entries = entriesOf(config)
  if (entries.some(([entry]) => isGlob(entry) && matches(entry))) return 'deny'
  const fitting = entries.filter(([entry]) => !isGlob(entry) && partsOf(entry).every((name, i) => parts[i] === name))
  const order = ([entry, access]: Entry) => partsOf(entry).length * RANKS.length + RANKS.indexOf(access)
  return fitting.sort((a, b) => order(b) - order(a))[0]?.[1] ?? 'none'
}

/** The host rules of the profile: the words of those that match. */
function domainsFor(config: JsonObject, host: string): readonly unknown[] {
  const domains = objectOf(objectOf(profileOf(config)['network'])['domains'])
  return Object.entries(domains).flatMap(([pattern, word]) => {
    const end = pattern.replace(/^\*+\./, '')
    const isBelow = host.endsWith(`.${end}`)
    return (pattern.startsWith('*.') ? isBelow : pattern.startsWith('**') ? isBelow || host === end : host === pattern)
      ? [word]
      : []
  })
}

export function codexAllows(config: JsonObject, request: PermissionRequest): boolean {
  return codexOutcome(config, request) === 'allow'
}

/** What Codex does: `ask` where it may ask a person. */
export function codexOutcome(config: JsonObject, request: PermissionRequest): 'allow' | 'ask' | 'deny' {
  const policy = String(config['approval_policy'])
  const otherwise = policy === 'never' ? 'deny' : 'ask'
  const runs = ['never', 'on-request', 'on-failure'].includes(policy) ? 'allow' : 'ask'
  const allowed = (isSo: boolean) => (isSo ? runs : otherwise)
  switch (request.domain) {
    case 'filesystem': {
      const access = accessOf(config, request.path)
      if (access === 'deny') return 'deny'
      return allowed(access === 'write' || (access === 'read' && request.access === 'read'))
    }
    case 'network': {
      const mode = config['sandbox_mode']
      if (mode === 'danger-full-access') return runs
      const settings = objectOf(config['sandbox_workspace_write'])
      if (mode !== undefined) return allowed(mode === 'workspace-write' && settings['network_access'] === true)
      if (objectOf(profileOf(config)['network'])['enabled'] !== true) return otherwise
      if (objectOf(config['features'])['network_proxy'] !== true) return runs
      const words = domainsFor(config, request.host)
      return words.includes('deny') ? 'deny' : allowed(words.includes('allow'))
    }
    case 'execution': {
      if (objectOf(config['features'])['shell_tool'] === false) return 'deny'
      const words = `${request.command} ${request.args ?? ''}`.split(/[\s;|&]+/)
      return allowed(!(words.includes('rm') && words.includes('-f')))
    }
    case 'tool':
      return otherwise
    default:
      return 'deny'
  }
}
