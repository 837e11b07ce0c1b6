// Settings of runners as permissions of a definition. Questions become denials: a definition has none for them.
import { namesTool, type PermissionRule, readRules } from '../../claude-settings/permission-rule.ts'
import { PROTECTED_NAMES } from '../../policy/sandbox-runtime.ts'
import { elements, isText, objectMember, type PlacedObject, type PlacedValue } from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'
import { BELOW, MOST_COMPARED } from './to-runner.ts'

const PLAIN = /^[\w.@+,:=*/-]+$/

interface PathGrant {
  readonly path: string
  readonly access: 'read' | 'write' | 'read_write'
}

/** An absolute pattern of a rule; undefined for others, and where `**` or other signs mean more than in a definition. */
export function absolutePattern(specifier: string): string | undefined {
  const isWhole = (name: string) => name === '**' || !name.includes('**')
  if (!specifier.startsWith('//') || !PLAIN.test(specifier) || specifier.includes('//', 1)) return undefined
  const path = specifier.slice(1).replace(/(?<=.)\/$/, '')
  return /\/\.{1,2}(?:\/|$)/.test(path) || !path.split('/').every(isWhole) ? undefined : path
}

/** A path below the folder of the project as an absolute one, if that folder is known. */
function inProject(specifier: string, project: string | undefined): string {
  if (project === undefined || /^(?:\/\/|~)/.test(specifier)) return specifier
  const rest = specifier.replace(/^\.?\//, '')
  const isOpen = rest === specifier && !rest.slice(0, -1).includes('/')
  return `/${project.replace(/\/$/, '')}/${isOpen ? '**/' : ''}${rest}`
}

/** What a rule denies, as patterns that deny as much or more, in any folder if it is relative. */
export function denialsOf(specifier: string): readonly string[] | undefined {
  const path = absolutePattern(specifier) ?? relativeDenial(specifier)
  return path === undefined ? undefined : path.endsWith(BELOW) ? [path] : [path, `${path}${BELOW}`]
}

function relativeDenial(specifier: string): string | undefined {
  const rest = specifier.replace(/^(?:~\/|\.\/|\/(?!\/))/, '').replace(/\/$/, '')
  return /^[~/]/.test(rest) ? undefined : absolutePattern(`//${rest.startsWith('**/') ? '' : '**/'}${rest}`)
}

/** Reads what Claude Code runs without a question. */
export function permissionsFromSettings(
  root: PlacedObject,
  project: string | undefined,
  ledger: Ledger,
): MutableObject {
  const { allow, ask, deny } = readRules(root)
  const stops = [...deny, ...ask]
  const isLong = allow.length * stops.length > MOST_COMPARED
  const stopsAny = (tool: string) =>
    stops.some((rule) => rule.specifier === undefined && namesTool({ ...rule, list: 'deny' }, tool))
  const [noRead, noEdit, noWrite] = ['Read', 'Edit', 'Write'].map(stopsAny)
  for (const { pointer, text } of ask)
    ledger.changed(pointer, '/permissions', `denied: a definition cannot ask for ${text}`)
  const denied = stops
    .filter(({ tool, specifier }) => specifier !== undefined && /^(?:Read|Edit)$/.test(tool))
    .map((rule) => ({ rule, patterns: denialsOf(inProject(rule.specifier!, project)) }))
  for (const { rule, patterns } of denied)
    if (rule.list === 'deny' && patterns !== undefined)
      ledger.changed(rule.pointer, '/permissions/filesystem/denied_paths', 'for reading and writing')
  const isLost = denied.some(({ patterns }) => patterns === undefined)
  const paths: PathGrant[] = []
  const commands: string[] = []
  const hosts: string[] = []
  for (const rule of allow) {
    const { tool, specifier = '', pointer } = rule
    if ((tool === 'Read' || tool === 'Edit') && !isLost && !noRead && !(tool === 'Edit' && (noEdit || noWrite))) {
      const path = absolutePattern(inProject(specifier, project))
      if (path === undefined) ledger.dropped(pointer, 'denied: only // begins an absolute path')
      else {
        paths.push({ path, access: tool === 'Read' ? 'read' : 'read_write' })
        ledger.rewritten(pointer, `/permissions/filesystem/allowed_paths/${paths.length - 1}`, 'as a path')
      }
    } else if (tool === 'Bash') {
      const program = isLong ? undefined : programOf(rule, stops, denied.length > 0)
      if (program === undefined) ledger.dropped(pointer, 'denied: a definition grants programs, not lines of a shell')
      else {
        commands.push(program)
        ledger.changed(
          pointer,
          `/permissions/execution/allowed_commands/${commands.length - 1}`,
          'as a program, without a shell',
        )
      }
    } else if (tool === 'WebFetch') {
      const host = isLong ? undefined : hostOf(rule, stops)
      if (host === undefined) ledger.dropped(pointer, 'denied: the host cannot be said as narrowly')
      else {
        hosts.push(host)
        ledger.rewritten(pointer, `/permissions/network/allowed_hosts/${hosts.length - 1}`, 'as a host, over HTTPS')
      }
    } else ledger.dropped(pointer, 'a definition has no grant for it')
  }
  return {
    ...(paths.length > 0 && {
      filesystem: { allowed_paths: paths, denied_paths: [...new Set(denied.flatMap(({ patterns = [] }) => patterns))] },
    }),
    ...(commands.length > 0 && { execution: { allowed_commands: commands, allow_shell: false } }),
    ...(hosts.length > 0 && { network: { allowed_hosts: hosts, allowed_protocols: ['https'] } }),
  }
}

/** Programs whose lines Claude Code judges by more than their text. */
const JUDGED = /^(?:watch|setsid|ionice|flock|find|sed|cat|head|tail|grep|ls|wc|diff|stat|du|cd)$/

/** The program of `Bash(PROGRAM *)`, if no other rule may stop one of its lines. */
function programOf(
  { specifier = '' }: PermissionRule,
  stops: readonly PermissionRule[],
  hasFiles: boolean,
): string | undefined {
  const [, program] = /^([\w.+-]+)(?: \*|:\*)$/.exec(specifier) ?? []
  if (
    program === undefined ||
    (hasFiles && JUDGED.test(program)) ||
    /^(?:find|watch|setsid|ionice|flock)$/.test(program)
  )
    return undefined
  const isStopped = stops.some(({ tool, specifier: stop = '*' }) => {
    if (tool !== 'Bash') return tool.includes('*')
    const [word = ''] = stop.split(/[\s:]/, 1)
    return word === program || word.includes('*')
  })
  return isStopped ? undefined : program
}

/** The host of a rule, if no other rule may stop it. */
function hostOf({ specifier = '' }: PermissionRule, stops: readonly PermissionRule[]): string | undefined {
  const [, host] = /^domain:((?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)+)$/i.exec(specifier) ?? []
  return stops.some(({ tool }) => tool === 'WebFetch' || tool.includes('*')) ? undefined : host?.toLowerCase()
}

/** Reads what sandbox-runtime lets a process do. It limits files and hosts; a definition also programs and variables. */
export function permissionsFromSandbox(root: PlacedObject, ledger: Ledger): MutableObject {
  const [network, filesystem] = ['network', 'filesystem'].map((name) => objectMember(root, name))
  const hosts = portsOf(elements(network, 'allowedDomains', isText), ledger)
  const isOpen = elements(network, 'deniedDomains', isText).length === 0
  const lists = ['denyRead', 'denyWrite'].flatMap((name) => elements(filesystem, name, isText))
  const denied = lists.map((place) => ({ place, patterns: folderDenial(place.value) }))
  for (const { place, patterns } of denied)
    if (patterns !== undefined)
      ledger.changed(place.pointer, '/permissions/filesystem/denied_paths', 'for reading and writing')
  const isLost = denied.some(({ patterns }) => patterns === undefined)
  const paths: PathGrant[] = []
  for (const { value, pointer } of elements(filesystem, 'allowWrite', isText)) {
    const path = absolutePattern(`/${value}`)
    if (path === undefined || isLost || path.includes('*'))
      ledger.dropped(pointer, 'denied: it is not an absolute path')
    else {
      paths.push({ path, access: 'write' }, { path: `${path}${BELOW}`, access: 'write' })
      ledger.rewritten(pointer, '/permissions/filesystem/allowed_paths', 'and what is below it')
    }
  }
  if (filesystem !== undefined && !isLost) {
    paths.push({ path: BELOW, access: 'read' })
    ledger.added('/permissions/filesystem/allowed_paths', 'the sandbox reads what it does not deny')
  }
  const hidden = paths.some(({ access }) => access === 'write') ? PROTECTED_NAMES : []
  return {
    ...(paths.length > 0 && {
      filesystem: {
        allowed_paths: paths,
        denied_paths: [...denied.map(({ patterns }) => patterns), ...hidden.map(denialsOf)].flatMap((one) => one ?? []),
      },
    }),
    ...(isOpen && hosts !== undefined && { network: { ...hosts, deny_private: true } }),
  }
}

/** A folder is denied as a whole; one of the project or of a user in any folder. */
function folderDenial(path: string): readonly string[] | undefined {
  if (path === '/') return [BELOW]
  const plain = path.replace(/\/\*\*$/, '')
  const patterns = plain.startsWith('/') ? denialsOf(`/${plain}`) : denialsOf(plain)
  return plain === '.' || plain === '~' ? undefined : patterns
}

/** The hosts with the ports of the first one: in a definition every port counts for every host. */
function portsOf(domains: readonly PlacedValue<string>[], ledger: Ledger): MutableObject | undefined {
  const read = domains.map(({ value, pointer }) => {
    const [, host, port] = /^((?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)+)(?::(\d{1,5}))?$/i.exec(value) ?? []
    return { pointer, host: host?.toLowerCase(), port }
  })
  const first = read.find(({ host }) => host !== undefined)
  if (first === undefined) return undefined
  const kept = read.filter(({ host, port }) => host !== undefined && port === first.port)
  for (const one of read)
    if (one.host !== undefined && one.port === first.port)
      ledger.rewritten(one.pointer, '/permissions/network/allowed_hosts', 'as a host')
    else ledger.dropped(one.pointer, 'denied: in a definition, ports count for all hosts')
  return {
    allowed_hosts: kept.map(({ host }) => host),
    ...(first.port !== undefined && { allowed_ports: [Number(first.port)] }),
  }
}
