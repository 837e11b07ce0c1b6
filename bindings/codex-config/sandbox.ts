// What Codex does by one configuration: a mode, or a permission profile with those that it extends. Rules of other files,
// and hooks, count as well. https://developers.openai.com/codex/permissions, and codex-rs/core/src/config/permissions.rs
// and exec_policy.rs of github.com/openai/codex
import type { Document } from '../document/parse.ts'
import type { Answer } from '../policy/matrix.ts'
import { normalizePath, type Places } from '../policy/path.ts'
import {
  deniedGlobs,
  depthOf,
  hostRule,
  inFolder,
  isGlob,
  type SandboxGranting,
  sandboxGranting,
} from '../policy/sandbox.ts'
import {
  elements,
  escapeToken,
  isObject,
  isText,
  type JsonObject,
  objectMember,
  objectOf,
  type PlacedObject,
  type PlacedValue,
  textIn,
  textMember,
  valueIn,
  without,
} from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'
import { CodexSubject } from './subject.ts'

/** The modes, as profiles that others may extend. */
const BUILT_IN: Readonly<Record<string, JsonObject>> = {
  ':read-only': { ':root': 'read' },
  ':workspace': {
    ':root': 'read',
    ':workspace_roots': { '.': 'write', '.git': 'read', '.agents': 'read', '.codex': 'read' },
    ':slash_tmp': 'write',
    ':tmpdir': 'write',
  },
}
/** What Codex keeps from being written in a folder. */
const PROTECTED = ['.git', '.agents', '.codex', '.aws']
/** A longer chain of profiles counts as a circle. */
const MOST_PARENTS = 16
/** Each folder of a session has the entries of all; more than these count as denials at unknown places. */
const MOST_ENTRIES = 20_000
/** Policies with which a command runs in the sandbox without a question. */
const RUNS = /^(?:never|on-request|on-failure)$/
const RANKS = ['read', 'write', 'deny'] as const

interface Entry {
  /** Absolute, or '' for the root; symbolic where only the machine knows the place. */
  readonly folder: string
  readonly access: (typeof RANKS)[number]
  readonly pointer: string
  /** Codex protects it by itself. */
  readonly isImplied?: true
}

interface Paths {
  /** The first one that has a path decides. */
  readonly entries: Entry[]
  /** Denied patterns. */
  readonly globs: PlacedValue<string>[]
  /** Denials, and limits of writing, at unknown places. */
  readonly unknown: (readonly [of: 'read' | 'write', pointer: string])[]
}

interface Reach {
  readonly pointer: string
  /** By host; undefined if no proxy limits them. */
  readonly domains?: ReadonlyMap<string, PlacedValue<unknown>> | undefined
}

export interface CodexSandbox extends Paths {
  /** The mode or profile; undefined if the file names none. */
  readonly chosen: PlacedValue<string> | undefined
  /** Why Codex does not start. */
  readonly fault: string | undefined
  /** Why it may ask before a command; undefined if commands run without a question. */
  readonly doubt: string | undefined
  /** False without a sandbox. */
  readonly isLimited: boolean
  readonly network: Reach | undefined
  /** The profiles that count. */
  readonly profiles: readonly PlacedObject[]
}

/** Folders that some callers do not know. */
type Known = { readonly [Name in 'root' | 'home']: string | undefined }

export function readCodexSandbox(root: PlacedObject, places: Known): CodexSandbox {
  const mode = textMember(root, 'sandbox_mode')
  const chosen = mode ?? textMember(root, 'default_permissions')
  const name = mode === undefined ? chosen?.value : `:${mode.value.replace(/^workspace-write$/, 'workspace')}`
  const isLimited = name !== ':danger-full-access'
  const { profiles, fault } = chainOf(root, isLimited ? name : undefined)
  const settings = name === ':workspace' ? objectMember(root, 'sandbox_workspace_write') : undefined
  const isOn = (member: string) => valueIn(settings, member) === true
  const table = tableOf(profiles, chosen?.pointer)
  if (isOn('exclude_slash_tmp')) table.delete(':slash_tmp')
  if (isOn('exclude_tmpdir_env_var')) table.delete(':tmpdir')
  for (const place of mode === undefined ? [] : elements(settings, 'writable_roots', isText))
    if (/^[/~]/.test(place.value) && !isGlob(place.value)) table.set(place.value, { ...place, value: 'write' })
  const shared = isOn('network_access') ? { pointer: `${settings!.pointer}/network_access` } : undefined
  const isSure = RUNS.test(textIn(root, 'approval_policy') ?? '')
  const hasProfile = Object.hasOwn(root.value, 'profile')
  return {
    chosen,
    fault,
    doubt: hasProfile ? 'a profile may set something else' : isSure ? undefined : wordsOfPolicy(root),
    isLimited,
    network: isLimited ? (shared ?? reachOf(root, profiles)) : { pointer: chosen!.pointer },
    profiles,
    ...(isLimited
      ? pathsOf(table, profiles, places)
      : { entries: [{ folder: '', access: 'write', pointer: chosen!.pointer }], globs: [], unknown: [] }),
  }
}

function wordsOfPolicy(root: PlacedObject): string {
  const policy = textIn(root, 'approval_policy')
  return `approval_policy is ${policy === undefined ? 'not set, or a table' : quoted(cut(policy, 40))}`
}

/** A profile after those that it extends. */
function chainOf(root: PlacedObject, name: string | undefined): Pick<CodexSandbox, 'profiles' | 'fault'> {
  const profiles: PlacedObject[] = []
  for (let next = name; next !== undefined; ) {
    const isKnown = Object.hasOwn(BUILT_IN, next)
    const own: PlacedObject | undefined = next.startsWith(':') ? undefined : objectMember(root, 'permissions', next)
    const profile = isKnown ? { pointer: '', value: { filesystem: BUILT_IN[next] } } : own
    if (profile === undefined || profiles.length === MOST_PARENTS)
      return { profiles: [], fault: `there is no profile ${quoted(cut(next, 100))}, or it extends itself` }
    profiles.unshift(profile)
    next = textIn(profile, 'extends')
  }
  return { profiles, fault: undefined }
}

type Inner = ReadonlyMap<string, PlacedValue<unknown>>

/** By path, a value or those of paths in it. Those of a profile count before those that it extends. */
function tableOf(profiles: readonly PlacedObject[], chosen = ''): Map<string, PlacedValue<unknown> | Inner> {
  const table = new Map<string, PlacedValue<unknown> | Inner>()
  for (const profile of profiles)
    for (const [given, value] of Object.entries(objectMember(profile, 'filesystem')?.value ?? {})) {
      const path = given === ':project_roots' ? ':workspace_roots' : given
      const at = (inner: string) =>
        profile.pointer === '' ? chosen : `${profile.pointer}/filesystem/${escapeToken(given)}${inner}`
      const known = table.get(path)
      const inner = Object.entries(objectOf(value)).map(
        ([name, one]) => [name, { value: one, pointer: at(`/${escapeToken(name)}`) }] as const,
      )
      const outer = known instanceof Map ? [...(known as Inner)] : []
      table.set(path, isObject(value) ? new Map([...outer, ...inner]) : { value, pointer: at('') })
    }
  table.delete('glob_scan_max_depth')
  return table
}

function absoluteIn(path: string, root: string | undefined, home: string | undefined): string | undefined {
  if (path.startsWith('/')) return path
  if (/^~(?:\/|$)/.test(path)) return home && home + path.slice(1)
  return root && `${root}/${path}`
}

/** Each value at the folders that its path stands for. */
function pathsOf(table: ReturnType<typeof tableOf>, profiles: readonly PlacedObject[], { root, home }: Known): Paths {
  const { entries, globs, unknown }: Paths = { entries: [], globs: [], unknown: [] }
  const more = profiles.flatMap((profile) => Object.entries(objectMember(profile, 'workspace_roots')?.value ?? {}))
  const roots = [root, ...more.flatMap(([path, isUsed]) => (isUsed === true ? [absoluteIn(path, root, home)] : []))]
  const lose = (access: Entry['access'], pointer: string) => {
    if (access === 'deny') unknown.push(['read', pointer])
    if (access !== 'write') unknown.push(['write', pointer])
  }
  const symbols: Readonly<Record<string, typeof roots>> = {
    ':root': [''],
    ':slash_tmp': ['/tmp'],
    ':workspace_roots': roots,
  }
  const add = (path: string, name: string, { value, pointer }: PlacedValue<unknown>) => {
    const access = value === 'read' || value === 'write' ? value : 'deny'
    // A grant of what is below a folder is one of the folder.
    const whole = (one: string) => (access === 'deny' ? one : one.replace(/(?:^|\/)\*\*$/, ''))
    const [outer, inner] = [whole(path), whole(name)]
    const rest = inner === '.' || inner === '' ? '' : `/${inner}`
    const hasGlob = isGlob(outer + rest)
    const isWrong = !/^[:~/]/.test(path) || rest.split('/').some((part, i) => i > 0 && /^\.{0,2}$/.test(part))
    // Codex refuses the whole file for such a path.
    if (isWrong || (hasGlob && (access !== 'deny' || !/^(?:[~/]|:workspace_roots$)/.test(path))))
      return lose('deny', pointer)
    for (const base of symbols[outer] ?? [outer.startsWith(':') ? outer : absoluteIn(outer, undefined, home)]) {
      if (entries.length + globs.length > MOST_ENTRIES) return lose('deny', pointer)
      const folder = base?.startsWith(':') ? base + rest : normalizePath(`${base}${rest}`).replace(/\/$/, '')
      if (base === undefined) {
        // What is protected there may be anywhere.
        const names = PROTECTED.filter((one) => access === 'write' || (access === 'read' && rest === `/${one}`))
        for (const one of names) globs.push({ value: `/**/${one}`, pointer })
        if (names.length === 0) lose(access, pointer)
      } else if (hasGlob) globs.push({ value: folder, pointer })
      else entries.push({ folder, access, pointer })
      if (base?.startsWith(':') && (base !== ':minimal' || access === 'deny')) lose(access, pointer)
    }
  }
  for (const [path, value] of table)
    if (value instanceof Map) for (const [name, one] of value as Inner) add(path, name, one)
    else add(path, '.', value as PlacedValue<unknown>)
  const guarded = entries
    .filter(({ folder, access }) => access === 'write' && folder !== '')
    .flatMap(({ folder, pointer }) =>
      PROTECTED.map((name): Entry => ({ folder: `${folder}/${name}`, access: 'read', pointer, isImplied: true })),
    )
  const order = ({ folder, access }: Entry) => depthOf(folder) * RANKS.length + RANKS.indexOf(access)
  return { entries: [...entries, ...guarded].sort((a, b) => order(b) - order(a)), globs, unknown }
}

/** The hosts of profiles. Without the proxy of Codex, domains limit nothing; with settings of its own, no host is sure. */
function reachOf(root: PlacedObject, profiles: readonly PlacedObject[]): Reach | undefined {
  const networks = profiles.flatMap((profile) => objectMember(profile, 'network') ?? [])
  const last = (name: string) => networks.findLast(({ value }) => Object.hasOwn(value, name))
  const enabled = last('enabled')
  const mode = last('mode')?.value['mode'] ?? 'full'
  const proxy = valueIn(objectMember(root, 'features'), 'network_proxy') ?? false
  if (enabled?.value['enabled'] !== true || mode !== 'full' || typeof proxy !== 'boolean') return undefined
  const domains = networks.flatMap((network) => {
    const table = objectMember(network, 'domains')
    const rows = Object.entries(table?.value ?? {})
    return rows.map(([host, value]) => [host, { value, pointer: `${table!.pointer}/${escapeToken(host)}` }] as const)
  })
  return { pointer: `${enabled.pointer}/enabled`, domains: proxy ? new Map(domains) : undefined }
}

const ACCESS = { read: 'may only be read', write: 'may be read and written', deny: 'is denied' }
const ALL = ['read', 'write', 'host', 'line'] as const

/** @throws {TypeError} for a document that is not an object. */
export function codexGranting(document: Document, places: Places): SandboxGranting {
  const { root } = new CodexSubject(document)
  const read = readCodexSandbox(root, places)
  const { chosen, fault, doubt, isLimited, entries, globs, unknown, network } = read
  const policy = textMember(root, 'approval_policy')
  const answer = (outcome: Answer['outcome'], reason: string, decidedBy: string | undefined): Answer => {
    return { outcome, reason, decidedBy }
  }
  const otherwise = answer(
    fault !== undefined || policy?.value === 'never' ? 'deny' : 'ask',
    `, and ${fault ?? (chosen === undefined ? 'the file sets no sandbox_mode' : wordsOfPolicy(root))}`,
    fault === undefined ? policy?.pointer : chosen?.pointer,
  )
  const denied = deniedGlobs(globs, 'a denied pattern may match')
  const rules = (of: 'read' | 'write') => [
    ...denied,
    ...entries.map(({ folder, access, pointer, isImplied }) => {
      const outcome = access === 'deny' ? 'deny' : of === 'write' && access === 'read' ? otherwise.outcome : 'allow'
      const words = isLimited ? `${quoted(folder || '/')} ${ACCESS[access]}` : 'there is no sandbox'
      return inFolder(folder, answer(outcome, words + (isImplied ? ': Codex protects it' : ''), pointer), isImplied)
    }),
  ]
  const noShell = valueIn(objectMember(root, 'features'), 'shell_tool') === false
  return sandboxGranting(
    {
      read: rules('read'),
      write: rules('write'),
      hosts: hostsOf(network),
      line: (text) => {
        if (noShell) return answer('deny', 'there is no shell', '/features/shell_tool')
        if (chosen === undefined || fault !== undefined || isForced(text))
          return { ...otherwise, reason: `Codex does not run it without a question${otherwise.reason}` }
        return answer(
          'allow',
          `commands run without a question, ${isLimited ? 'in the' : 'and without a'} sandbox`,
          chosen.pointer,
        )
      },
      otherwise,
      doubts: [
        ...(doubt === undefined
          ? []
          : ALL.map((of) => [of, answer('ask', `Codex may ask: ${doubt}`, policy?.pointer)] as const)),
        ...unknown.map(
          ([of, pointer]) => [of, answer('ask', 'an entry at an unknown place may limit it', pointer)] as const,
        ),
      ],
      globs,
      rest: restOf(root.value, read),
    },
    places,
    document,
  )
}

/** Denials first. Codex drops the port of a domain. */
function hostsOf(network: Reach | undefined) {
  const { domains, pointer } = network ?? { domains: new Map() as NonNullable<Reach['domains']> }
  if (domains === undefined)
    return hostRule('*', { outcome: 'allow', reason: 'no proxy limits the hosts', decidedBy: pointer }, false)
  return (['deny', 'allow'] as const).flatMap((outcome) =>
    Array.from(domains).flatMap(([host, { value, pointer: decidedBy }]) =>
      (value === 'allow') === (outcome === 'allow')
        ? hostRule(outcome === 'deny' ? host.replace(/:\d+$/, '') : host, {
            outcome,
            reason: `${quoted(host)} has "${outcome}"`,
            decidedBy,
          })
        : [],
    ),
  )
}

/** True for a line with `rm -f`, which Codex always asks for; also for some others. */
function isForced(line: string): boolean {
  const words = [line, line.replaceAll(/['"\\]/g, '')].flatMap((text) => text.split(/[\s;|&()<>`$"'{}]+/))
  return words.some((word) => /(?:^|\/)rm$/.test(word)) && words.some((word) => /^-(?:[a-z]*f|-force$)/i.test(word))
}

/** What no answer depends on. Profiles that do not count stay whole. */
function restOf(value: JsonObject, { profiles }: CodexSandbox): JsonObject {
  const permissions = Object.entries(objectOf(value['permissions'])).flatMap(([name, profile]) => {
    if (!profiles.some((one) => one.value === profile)) return [[name, profile]]
    const network = without(objectOf(objectOf(profile)['network']), ['enabled', 'domains'])
    const others = without(objectOf(profile), ['description', 'extends', 'filesystem', 'network', 'workspace_roots'])
    return Object.keys({ ...network, ...others }).length === 0 ? [] : [[name, { ...others, network }]]
  })
  const features = objectOf(value['features'])
  return {
    ...without(value, ['approval_policy', 'sandbox_mode', 'default_permissions']),
    features: without(features, isObject(features['network_proxy']) ? ['shell_tool'] : ['shell_tool', 'network_proxy']),
    sandbox_workspace_write: without(objectOf(value['sandbox_workspace_write']), [
      'writable_roots',
      'network_access',
      'exclude_slash_tmp',
      'exclude_tmpdir_env_var',
    ]),
    permissions: Object.fromEntries(permissions),
  }
}
