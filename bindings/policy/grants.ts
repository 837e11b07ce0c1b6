// The permissions of a document as a table.
import { checkPattern, type PatternKind } from '../core/patterns.ts'
import type { PlacedValue } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { needsShell } from './command.ts'
import type { Environment } from './environment.ts'
import type { Execution } from './execution.ts'
import type { Filesystem } from './filesystem.ts'
import { insideName, normalizeHost } from './host.ts'
import { Inclusion } from './inclusion.ts'
import type { Network } from './network.ts'
import { Unusable } from './part.ts'
import { unmatchable } from './path.ts'
import type { PatternList } from './pattern-list.ts'
import type { Permissions } from './policy.ts'
import { AMOUNTS } from './request.ts'
import { LIMITS, type ResourceLimits } from './resource.ts'
import type { Tools } from './tool.ts'

/** One row of an agent's permissions. */
export interface Grant {
  /** `document` if everything is refused. */
  readonly domain: 'document' | 'network' | 'filesystem' | 'environment' | 'execution' | 'resource_limits' | 'tool'
  readonly effect: 'allow' | 'deny' | 'limit'
  /** What is granted or denied: a pattern, a tool, a limit, or `everything`. */
  readonly subject: string
  readonly detail: string
  /** The value in the document that decides; undefined if the absence of a value does. */
  readonly pointer: string | undefined
  /** Remarks about effects that a reader may not expect. */
  readonly notes: readonly string[]
}

export function row(
  domain: Grant['domain'],
  effect: Grant['effect'],
  subject: string,
  detail: string,
  pointer: string | undefined,
  notes: readonly string[] = [],
): Grant {
  return { domain, effect, subject, detail, pointer, notes }
}

/** The row for a list that is absent or empty, and so grants nothing. */
function nothing(
  domain: Grant['domain'],
  member: string,
  { entries, pointer }: Pick<PatternList, 'entries' | 'pointer'>,
) {
  if (entries.length > 0) return []
  const detail = pointer === undefined ? `there is no ${member}` : `${member} is empty`
  return [row(domain, 'deny', 'everything', detail, pointer)]
}

const unreachable = (path: string) => {
  const reason = unmatchable(path)
  return reason === undefined ? [] : [`matches nothing: ${reason}`]
}

/** Remarks about the pattern itself, for example that it matches everything. */
function remarks(kind: Exclude<PatternKind, 'tag'>, pattern: string): string[] {
  return checkPattern(kind, pattern).map(({ message }) => message)
}

/** A remark if a grant is useless because everything it matches is denied. */
function overruled(inclusion: Inclusion, pattern: string, denied: PatternList): string[] {
  const by = inclusion.find(pattern, denied.entries)
  return by === undefined ? [] : [`denied all the same: ${quoted(by.value)} includes it`]
}

function networkRows({ hosts, ports, protocols, denyPrivate }: Network): Grant[] {
  const list = (name: string, values: readonly PlacedValue<unknown>[] | undefined) =>
    values === undefined
      ? `any ${name}`
      : values.length === 0
        ? `no ${name}`
        : `${name} ${values.map(({ value }) => value).join(', ')}`
  const detail = `${list('port', ports?.value)}, ${list('protocol', protocols?.value)}`
  const unreachable = [ports, protocols].some((member) => member?.value.length === 0)
    ? ['denied all the same: an empty list allows none']
    : []
  const inside = (pattern: string) => {
    const reason = denyPrivate?.value === true ? insideName(normalizeHost(pattern) ?? '') : undefined
    return reason === undefined ? [] : [`denied all the same: ${reason}`]
  }
  if (hosts.entries.length === 0) return nothing('network', 'allowed_hosts', hosts)
  return [
    ...hosts.entries.map(({ value, pointer }) =>
      row('network', 'allow', value, detail, pointer, [...remarks('host', value), ...inside(value), ...unreachable]),
    ),
    denyPrivate?.value === true
      ? row('network', 'deny', 'private hosts', 'addresses and names that are not public', denyPrivate.pointer)
      : row('network', 'allow', 'private hosts', 'as far as allowed_hosts matches them', denyPrivate?.pointer),
  ]
}

function filesystemRows({ allowed, denied, readable }: Filesystem): Grant[] {
  const inclusion = new Inclusion('path')
  return [
    ...nothing('filesystem', 'allowed_paths', { entries: allowed.map(({ path }) => path), pointer: readable.pointer }),
    ...allowed.map(({ path: { value, pointer }, access }) => {
      const notes = [...remarks('path', value), ...unreachable(value), ...overruled(inclusion, value, denied)]
      return row('filesystem', 'allow', value, access.replace('_', ' and '), pointer, notes)
    }),
    ...denied.entries.map(({ value, pointer }) => {
      const below = inclusion.find(`${value}/**`, denied.entries) === undefined
      const notes = below ? ['what is below it is not denied by it'] : []
      return row('filesystem', 'deny', value, 'read and write', pointer, notes)
    }),
  ]
}

function environmentRows({ allowed, denied }: Environment): Grant[] {
  const inclusion = new Inclusion('env')
  return [
    ...nothing('environment', 'allowed_variables', allowed),
    ...allowed.entries.map(({ value, pointer }) => {
      const notes = [...remarks('env', value), ...overruled(inclusion, value, denied)]
      return row('environment', 'allow', value, 'read', pointer, notes)
    }),
    ...denied.entries.map(({ value, pointer }) => row('environment', 'deny', value, 'read', pointer)),
  ]
}

function executionRows({ allowed, denied, allowShell }: Execution): Grant[] {
  const inclusion = new Inclusion('command')
  const shells = allowShell?.value === true
  return [
    ...nothing('execution', 'allowed_commands', allowed),
    ...allowed.entries.map(({ value, pointer }) => {
      const shell =
        !shells && needsShell(value, false)
          ? ['denied all the same: it takes a shell, and allow_shell is not true']
          : []
      const notes = [...remarks('command', value), ...overruled(inclusion, value, denied), ...shell]
      return row('execution', 'allow', value, 'run', pointer, notes)
    }),
    ...denied.entries.map(({ value, pointer }) => row('execution', 'deny', value, 'run', pointer)),
    row(
      'execution',
      shells ? 'allow' : 'deny',
      'shells',
      shells ? 'as far as allowed_commands matches them' : 'allow_shell is not true',
      allowShell?.pointer,
    ),
  ]
}

function resourceRows(limits: ResourceLimits): Grant[] {
  return AMOUNTS.map((name) => {
    const limit = limits[name]
    const [member] = LIMITS[name]
    if (limit === undefined) return row('resource_limits', 'allow', member, 'no limit', undefined)
    return row('resource_limits', 'limit', member, `at most ${limit.value}`, limit.pointer)
  })
}

function toolRows(tools: Tools): Grant[] {
  if (tools.size === 0) return [row('tool', 'deny', 'everything', 'the agent has no tools', undefined)]
  return Array.from(tools, ([name, { pointer, confirmation, fault, sensitivity }]) => {
    if (fault !== undefined) return row('tool', 'deny', name, fault, pointer)
    const detail = confirmation === undefined ? 'call' : 'call, when somebody has confirmed it'
    return row('tool', 'allow', name, detail, pointer, sensitivity ? [`handles ${quoted(sensitivity.value)} data`] : [])
  })
}

/** Every grant, denial and limit, and the domains that are denied because nothing grants them. */
export function grantRows(permissions: Permissions, tools: Tools): Grant[] {
  return [
    ...rowsOf('network', permissions.network, networkRows),
    ...rowsOf('filesystem', permissions.filesystem, filesystemRows),
    ...rowsOf('environment', permissions.environment, environmentRows),
    ...rowsOf('execution', permissions.execution, executionRows),
    ...rowsOf('resource_limits', permissions.resourceLimits, resourceRows),
    ...toolRows(tools),
  ]
}

function rowsOf<Part>(domain: Grant['domain'], part: Part | Unusable, rows: (part: Part) => Grant[]): Grant[] {
  if (part instanceof Unusable) return [row(domain, 'deny', 'everything', part.detail, part.pointer)]
  return rows(part)
}
