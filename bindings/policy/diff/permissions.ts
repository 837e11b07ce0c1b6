// Compares the grants of two definitions. As for `decide`, an absent or malformed domain grants nothing.

import type { PlacedValue } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { type Environment, type Execution, LIMITS, type ResourceLimits } from '../execution.ts'
import { Inclusion } from '../inclusion.ts'
import { type Access, type Filesystem, type Network, normalizeProtocol, PatternList, Unusable } from '../part.ts'
import type { Permissions } from '../policy.ts'
import { AMOUNTS, type Tool, type Tools } from '../request.ts'
import type { Bump, ChangeKind, Changes } from './change.ts'

export function comparePermissions(old: Permissions, now: Permissions, changes: Changes): void {
  compareDomain(old.network, now.network, withoutHosts, compareNetwork, changes)
  compareDomain(old.filesystem, now.filesystem, withoutPaths, compareFilesystem, changes)
  compareDomain(old.environment, now.environment, withoutVariables, compareEnvironment, changes)
  compareDomain(old.execution, now.execution, withoutCommands, compareExecution, changes)
  compareLimits(old.resourceLimits, now.resourceLimits, changes)
}

const withoutHosts = (domain: Network): Network => ({ ...domain, hosts: new PatternList('host', undefined) })
const withoutVariables = (domain: Environment): Environment => ({
  ...domain,
  allowed: new PatternList('env', undefined),
})
const withoutCommands = (domain: Execution): Execution => ({
  ...domain,
  allowed: new PatternList('command', undefined),
})
function withoutPaths(domain: Filesystem): Filesystem {
  const none = new PatternList('path', undefined)
  return { ...domain, readable: none, writable: none }
}

/** Compares a domain of two definitions. An unusable one is compared as a copy of the other without grants. */
function compareDomain<Domain extends object>(
  before: Domain | Unusable,
  after: Domain | Unusable,
  withoutGrants: (domain: Domain) => Domain,
  compare: (before: Domain, after: Domain, changes: Changes) => void,
  changes: Changes,
): void {
  if (!(before instanceof Unusable)) compare(before, after instanceof Unusable ? withoutGrants(before) : after, changes)
  else if (!(after instanceof Unusable)) compare(withoutGrants(after), after, changes)
}

function compareNetwork(before: Network, after: Network, changes: Changes): void {
  const inclusion = new Inclusion('host')
  const verb = 'lets the agent connect to'
  compareGrants({ before: before.hosts.entries, after: after.hosts.entries, inclusion, verb }, changes)
  compareChoices('port', before.ports, after.ports, String, changes)
  compareChoices('protocol', before.protocols, after.protocols, normalizeProtocol, changes)
  const flag = { wide: false, member: '/permissions/network/deny_private' }
  compareFlag(before.denyPrivate, after.denyPrivate, flag, changes)
}

/** A change of what is granted, and the bump that it needs. */
type Effect = readonly [kind: ChangeKind, bump: Bump]

const WIDENED: Effect = ['widened', 'major']
const NARROWED: Effect = ['narrowed', 'minor']

type Choices<Value> = PlacedValue<readonly PlacedValue<Value>[]> | undefined

/** Compares lists that restrict only if they are present. */
function compareChoices<Value>(
  name: string,
  before: Choices<Value>,
  after: Choices<Value>,
  spell: (value: Value) => string,
  changes: Changes,
): void {
  const more = beyond(after, before, spell)
  if (more !== undefined) {
    const detail = `lets the agent use ${more === '' ? `any ${name}` : `${name} ${more}`}`
    changes[after ? 'inNew' : 'inOld'](...WIDENED, (after ?? before)!.pointer, detail)
  }
  const less = beyond(before, after, spell)
  if (less !== undefined) {
    const what =
      less === '' ? `lets the agent use listed ${name}s only` : `no longer lets the agent use ${name} ${less}`
    changes.inNew('narrowed', 'minor', after!.pointer, what)
  }
}

/**
 * The values that only the first list allows; '' stands for all values outside a list. Undefined when there are no such values.
 */
function beyond<Value>(
  list: Choices<Value>,
  other: Choices<Value>,
  spell: (value: Value) => string,
): string | undefined {
  if (other === undefined) return undefined
  if (list === undefined) return ''
  const known = new Set(other.value.map(({ value }) => spell(value)))
  const more = list.value.map(({ value }) => spell(value)).filter((value) => !known.has(value))
  return more.length === 0 ? undefined : more.join(', ')
}

interface Flag {
  /** The value that grants more; an absent flag counts as false. */
  readonly wide: boolean
  readonly member: string
}

function compareFlag(
  before: PlacedValue<boolean> | undefined,
  after: PlacedValue<boolean> | undefined,
  { wide, member }: Flag,
  changes: Changes,
): void {
  const value = after?.value === true
  if ((before?.value === true) === value) return
  const detail = `is ${value}${after === undefined ? ', being absent' : ''}`
  changes[after === undefined ? 'inOld' : 'inNew'](...(value === wide ? WIDENED : NARROWED), member, detail)
}

function compareFilesystem(before: Filesystem, after: Filesystem, changes: Changes): void {
  const inclusion = new Inclusion('path')
  for (const [access, list] of [
    ['read', 'readable'],
    ['write', 'writable'],
  ] as const satisfies [Access, string][]) {
    const lists = { before: before[list].entries, after: after[list].entries }
    compareGrants({ ...lists, inclusion, verb: `lets the agent ${access}` }, changes)
  }
  const lists = { before: before.denied.entries, after: after.denied.entries }
  compareDenials({ ...lists, inclusion, verb: 'denies the path' }, changes)
}

function compareEnvironment(before: Environment, after: Environment, changes: Changes): void {
  compareLists('env', before, after, ['lets the agent read the variable', 'denies the variable'], changes)
}

function compareExecution(before: Execution, after: Execution, changes: Changes): void {
  compareLists('command', before, after, ['lets the agent run', 'denies the command'], changes)
  const flag = { wide: true, member: '/permissions/execution/allow_shell' }
  compareFlag(before.allowShell, after.allowShell, flag, changes)
}

interface Lists {
  readonly allowed: PatternList
  readonly denied: PatternList
}

/** Compares a list that grants together with one that denies. */
function compareLists(
  kind: 'env' | 'command',
  before: Lists,
  after: Lists,
  [grants, denies]: readonly [string, string],
  changes: Changes,
): void {
  const inclusion = new Inclusion(kind)
  const allowed = { before: before.allowed.entries, after: after.allowed.entries }
  compareGrants({ ...allowed, inclusion, verb: grants }, changes)
  const denied = { before: before.denied.entries, after: after.denied.entries }
  compareDenials({ ...denied, inclusion, verb: denies }, changes)
}

const RESOURCE_LIMITS = '/permissions/resource_limits'

function compareLimits(before: ResourceLimits | Unusable, after: ResourceLimits | Unusable, changes: Changes): void {
  if (before instanceof Unusable) {
    if (after instanceof Unusable) return
    changes.inNew('widened', 'major', RESOURCE_LIMITS, 'lets the agent use resources, which it could not')
  } else if (after instanceof Unusable) {
    changes.inOld('narrowed', 'minor', RESOURCE_LIMITS, 'lets the agent use no resources any more')
  } else compareResources(before, after, changes)
}

function compareResources(before: ResourceLimits, after: ResourceLimits, changes: Changes): void {
  for (const name of AMOUNTS) {
    const [old, now] = [before[name], after[name]]
    const [from, to] = [old?.value ?? Number.POSITIVE_INFINITY, now?.value ?? Number.POSITIVE_INFINITY]
    if (from === to) continue
    const detail = `${LIMITS[name][0]}: ${old?.value ?? 'no limit'} before, ${now?.value ?? 'no limit'} now`
    changes[now === undefined ? 'inOld' : 'inNew'](...(to > from ? WIDENED : NARROWED), (now ?? old)!.pointer, detail)
  }
}

/** Two lists of patterns of one kind, and the verb for messages about them: `lets the agent read`. */
interface PatternLists {
  readonly before: readonly PlacedValue<string>[]
  readonly after: readonly PlacedValue<string>[]
  readonly inclusion: Inclusion
  readonly verb: string
}

/**
 * Reports the difference between two lists of grants. A pattern that no single pattern of the other list includes
 * counts as new, even if several together include it: a change that cannot be proven harmless is a widening.
 */
function compareGrants(lists: PatternLists, changes: Changes): void {
  reportAdded(lists, WIDENED, changes)
  reportRemoved(lists, NARROWED, changes)
}

/** Reports the difference between two lists of denials. */
function compareDenials(lists: PatternLists, changes: Changes): void {
  reportRemoved(lists, WIDENED, changes)
  reportAdded(lists, NARROWED, changes)
}

function reportAdded({ before, after, inclusion, verb }: PatternLists, effect: Effect, changes: Changes): void {
  for (const { value, pointer } of missing(after, before)) {
    const known = inclusion.find(value, before)
    if (known === undefined) changes.inNew(...effect, pointer, `${verb} ${quoted(value)}`)
    else changes.inNew('added', 'patch', pointer, `${quoted(value)}, which ${quoted(known.value)} included before`)
  }
}

function reportRemoved({ before, after, inclusion, verb }: PatternLists, effect: Effect, changes: Changes): void {
  for (const { value, pointer } of missing(before, after)) {
    const known = inclusion.find(value, after)
    if (known === undefined) changes.inOld(...effect, pointer, `no longer ${verb} ${quoted(value)}`)
    else changes.inOld('removed', 'patch', pointer, `${quoted(value)}, which ${quoted(known.value)} includes`)
  }
}

/** The patterns of a list that the other list lacks. */
function missing(list: readonly PlacedValue<string>[], other: readonly PlacedValue<string>[]): PlacedValue<string>[] {
  const known = new Set(other.map(({ value }) => value))
  return list.filter(({ value }) => !known.has(value))
}

/** Compares how freely tools may be called, by the rules of `decide`: not at all, after confirmation, or always. */
export function compareCalls(before: Tools, after: Tools, changes: Changes): void {
  const freedom = ({ fault, confirmation }: Tool) => (fault !== undefined ? 0 : confirmation !== undefined ? 1 : 2)
  const words = ['cannot be called', 'is called when somebody has confirmed it', 'is called without confirmation']
  for (const [name, tool] of after) {
    const old = before.get(name)
    if (old === undefined || freedom(old) === freedom(tool)) continue
    const effect = freedom(tool) > freedom(old) ? WIDENED : NARROWED
    changes.inNew(...effect, tool.pointer, `the tool ${quoted(name)} ${words[freedom(tool)]}`)
  }
}
