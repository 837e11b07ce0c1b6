// The permissions of a definition as settings of Claude Code and of sandbox-runtime.
// https://code.claude.com/docs/en/permissions, https://github.com/anthropic-experimental/sandbox-runtime#configuration
import { permissionsOf, readTools } from '../../adl/agent-policy.ts'
import type { Agent } from '../../adl/subject.ts'
import { type Filesystem, type Network, Unusable } from '../../policy/part.ts'
import { normalizePath } from '../../policy/path.ts'
import { objectMember, type PlacedValue, valueIn } from '../../text/members.ts'
import type { MutableObject } from '../json.ts'
import type { Ledger } from '../ledger.ts'

/** Characters that mean themselves in patterns of both sides. */
const SAYABLE = /^\/[\w.@+,:=*/-]*$/
export const BELOW = '/**'

/** True for a pattern that each side reads in one way: `**` only as a whole name. */
export function isSayable(path: string): boolean {
  return (
    SAYABLE.test(path) &&
    normalizePath(path) === path &&
    path.split('/').every((name) => name === '**' || !name.includes('**'))
  )
}

/** A denied pattern, absolute; undefined when it cannot be said. */
export function sayableDenial({ value }: PlacedValue<string>): string | undefined {
  const path = value.startsWith('/') ? value : `/${value}`
  return isSayable(path) ? path : undefined
}

/** A definition with more pairs to compare is denied or asked for instead. */
export const MOST_COMPARED = 1_000_000
const MOST_DOMAINS = 10_000

/** The part of a pattern before its first wildcard. */
const headOf = (path: string) => path.split('*', 1)[0]!

interface Lists {
  readonly allow: string[]
  readonly ask: string[]
  readonly deny: string[]
}

/** Makes settings of Claude Code. What no rule allows is asked for, or denied when nothing has to be asked for. */
export function toSettings(agent: Agent, ledger: Ledger): MutableObject {
  const lists: Lists = { allow: [], ask: [], deny: [] }
  const { network, filesystem, execution } = permissionsOf(agent)
  if (!(filesystem instanceof Unusable)) writePaths(filesystem, lists, ledger)
  const readsAll = lists.allow.some((rule) => /^(?:Read|Edit)\(\/\/\*\*\)$/.test(rule))
  if (!readsAll) {
    lists.ask.push('Read(./**)')
    ledger.added('/permissions/ask', 'Claude Code reads the folder of a session without a question otherwise')
  }
  if (!(network instanceof Unusable)) writeHosts(network, lists, ledger)
  writeTools(agent, lists, ledger)
  const place = '/permissions/execution'
  if (execution instanceof Unusable || execution.allowShell?.value !== true || execution.allowed.entries.length === 0) {
    lists.deny.push('Bash')
    if (!(execution instanceof Unusable))
      ledger.changed(place, '/permissions/deny', 'denied: Bash is a shell, and allow_shell is not true')
  } else if (isUnlimited(agent)) {
    lists.allow.push('Bash')
    ledger.changed(place, '/permissions/allow', 'any command')
  } else {
    lists.ask.push('Bash')
    ledger.changed(
      place,
      '/permissions/ask',
      'asked for: a command reaches files, hosts and variables that rules do not see',
    )
  }
  for (const name of ['environment', 'resource_limits'])
    if (valueIn(objectMember(agent.root, 'permissions'), name) !== undefined)
      ledger.dropped(`/permissions/${name}`, 'Claude Code does not limit it; commands are asked for or denied')
  ledger.added('/permissions/defaultMode', 'what no rule allows')
  const defaultMode = lists.ask.length > 0 ? 'default' : 'dontAsk'
  return { permissions: { defaultMode, ...lists, disableBypassPermissionsMode: 'disable', disableAutoMode: 'disable' } }
}

function writePaths({ allowed, denied }: Filesystem, { allow, deny }: Lists, ledger: Ledger): void {
  const denials = denied.entries.map(sayableDenial)
  const isLost = denials.includes(undefined)
  for (const [i, { pointer }] of denied.entries.entries()) {
    const path = denials[i]
    if (path === undefined) continue
    deny.push(`Read(/${path})`, `Edit(/${path})`)
    ledger.changed(pointer, `/permissions/deny/${deny.length - 1}`, 'also what is below it')
  }
  for (const { path, access } of allowed) {
    const asks = (why: string) =>
      ledger.changed(path.pointer.replace(/\/path$/, ''), '/permissions/defaultMode', `asked for: ${why}`)
    const pattern = path.value
    if (isLost) asks('a denied path cannot be said')
    else if (!isSayable(pattern)) asks('the path cannot be said')
    else if (access === 'write') asks('a grant to edit a file is one to read it')
    else {
      if (!pattern.endsWith(BELOW)) {
        // A rule covers what is below a path, which the definition does not grant.
        const isOver =
          allowed.length ** 2 > MOST_COMPARED ||
          allowed.some((other) => other.path !== path && headOf(other.path.value).startsWith(headOf(pattern)))
        if (isOver) {
          asks('the rule would cover what is below, which other paths need')
          continue
        }
        deny.push(`Read(/${pattern}${BELOW})`, `Edit(/${pattern}${BELOW})`)
      }
      allow.push(`${access === 'read' ? 'Read' : 'Edit'}(/${pattern})`)
      ledger.rewritten(path.pointer.replace(/\/path$/, ''), `/permissions/allow/${allow.length - 1}`, 'as a rule')
    }
  }
}

function writeHosts({ hosts, ports, protocols, denyPrivate }: Network, { allow, ask }: Lists, ledger: Ledger): void {
  const speaks = protocols?.value.some(({ value }) => value.toLowerCase() === 'https') ?? true
  const isWhole = ports === undefined && denyPrivate?.value !== true && speaks
  for (const { value, pointer } of hosts.entries) {
    const rule = `WebFetch(domain:${value})`
    if (isWhole && (value === '*' || isHost(value))) {
      allow.push(rule)
      ledger.changed(
        pointer,
        `/permissions/allow/${allow.length - 1}`,
        'for WebFetch, which speaks HTTPS; commands are asked for',
      )
    } else {
      if (/^[a-z\d.*-]+$/.test(value)) ask.push(rule)
      ledger.changed(
        pointer,
        '/permissions/ask',
        'asked for: rules know neither ports nor private addresses, and *. is wider',
      )
    }
  }
}

/** In a definition `*.` stands for one name, for runners also for several. */
export const isHost = (host: string) => /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(host)

function writeTools(agent: Agent, { allow, ask }: Lists, ledger: Ledger): void {
  for (const [name, { pointer, confirmation, fault }] of readTools(agent)) {
    if (fault !== undefined || !/^mcp__[\w-]+?__[\w-]+$/.test(name)) continue
    const list = confirmation === undefined ? allow : ask
    list.push(name)
    ledger.shown(`${pointer}/name`, `/permissions/${list === allow ? 'allow' : 'ask'}/${list.length - 1}`, 'as a rule')
  }
}

/** True when a definition grants every file, host and command, and limits nothing. */
function isUnlimited(agent: Agent): boolean {
  const { network, filesystem, execution, environment } = permissionsOf(agent)
  if ([network, filesystem, execution, environment].some((part) => part instanceof Unusable)) return false
  const { hosts, ports, protocols, denyPrivate } = network as Network
  const { allowed, denied } = filesystem as Filesystem
  const lists = [execution, environment] as Exclude<typeof execution | typeof environment, Unusable>[]
  return (
    [ports, protocols, valueIn(objectMember(agent.root, 'permissions'), 'resource_limits')].every(
      (one) => one === undefined,
    ) &&
    denyPrivate?.value !== true &&
    hosts.entries.some(({ value }) => value === '*') &&
    denied.entries.length === 0 &&
    allowed.some(({ path, access }) => path.value === BELOW && access === 'read_write') &&
    lists.every((one) => one.denied.entries.length === 0 && one.allowed.entries.some(({ value }) => value === '*'))
  )
}

/** Ranges that a host name must not resolve to when private addresses are denied; others are denied always. */
const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']

/** Makes the settings of sandbox-runtime. It knows files and hosts of a process, and no programs or variables. */
export function toSandbox(agent: Agent, ledger: Ledger): MutableObject {
  const { network, filesystem } = permissionsOf(agent)
  const reach = { allowedDomains: [] as string[], deniedDomains: [] as string[] }
  const files = { denyRead: ['/'], allowRead: [] as string[], allowWrite: [] as string[], denyWrite: [] as string[] }
  ledger.added('/filesystem/denyRead', 'nothing is read but what is allowed')
  if (!(network instanceof Unusable)) writeDomains(network, reach, ledger)
  if (!(filesystem instanceof Unusable)) writeFolders(filesystem, files, ledger)
  const hidden =
    network instanceof Unusable || network.denyPrivate?.value !== true ? {} : { deniedResolvedAddresses: PRIVATE }
  return { network: { ...reach, ...hidden }, filesystem: files }
}

function writeDomains(
  { hosts, ports, protocols }: Network,
  { allowedDomains }: { allowedDomains: string[] },
  ledger: Ledger,
): void {
  for (const { value, pointer } of hosts.entries) {
    if (protocols !== undefined)
      ledger.changed(pointer, '/network/allowedDomains', 'denied: the sandbox does not see protocols')
    else if (!isHost(value))
      ledger.changed(pointer, '/network/allowedDomains', 'denied: the sandbox has no such pattern')
    else if (hosts.entries.length * (ports?.value.length ?? 1) > MOST_DOMAINS)
      ledger.changed(pointer, '/network/allowedDomains', 'denied: too many hosts and ports')
    else {
      if (ports === undefined) allowedDomains.push(value)
      for (const port of ports?.value ?? []) allowedDomains.push(`${value}:${port.value}`)
      ledger.rewritten(pointer, '/network/allowedDomains', 'with each port')
    }
  }
}

function writeFolders(
  { allowed, denied }: Filesystem,
  { allowRead, allowWrite, denyWrite }: Record<'allowRead' | 'allowWrite' | 'denyWrite', string[]>,
  ledger: Ledger,
): void {
  const isLong = allowed.length * denied.entries.length > MOST_COMPARED
  for (const { path, access } of allowed) {
    const pointer = path.pointer.replace(/\/path$/, '')
    const folder = path.value.slice(0, -BELOW.length)
    const isFolder = path.value.endsWith(BELOW) && isSayable(path.value) && folder !== '' && !folder.includes('*')
    // What is allowed to be read counts before what is denied there, so a folder with a denied path is denied.
    const isDenied = isLong || denied.entries.some(({ value }) => reaches(value, `${folder}/`))
    if (!isFolder || isDenied) {
      const why = isFolder ? 'a path in it is denied' : 'the sandbox takes whole folders'
      ledger.changed(pointer, '/filesystem', `denied: ${why}`)
      continue
    }
    if (access !== 'write') allowRead.push(folder)
    if (access !== 'read') allowWrite.push(folder)
    ledger.changed(pointer, `/filesystem/${access === 'read' ? 'allowRead' : 'allowWrite'}`, 'with the folder itself')
  }
  for (const { value, pointer } of denied.entries) {
    const path = value.endsWith(BELOW) ? value.slice(0, -BELOW.length) : value
    if (path.includes('*') || !path.startsWith('/')) ledger.implied(pointer, 'no folder with such a path is allowed')
    else {
      denyWrite.push(path)
      ledger.rewritten(pointer, '/filesystem/denyWrite', 'denied to read and write')
    }
  }
}

/** True when a pattern may match something in a folder. */
export function reaches(pattern: string, folder: string): boolean {
  const head = headOf(pattern.startsWith('/') ? pattern : '/')
  return head.startsWith(folder) || (pattern.includes('*') && folder.startsWith(head)) || `${head}/` === folder
}
