// The sandbox of Codex by one configuration: a mode, or a permission profile with those that it extends.
// https://developers.openai.com/codex/permissions, codex-rs/core/src/config/permissions.rs of github.com/openai/codex
import { normalizePath } from '../policy/path.ts'
import { depthOf, isGlob } from '../policy/sandbox.ts'
import {
  elements,
  escapeToken,
  isObject,
  isText,
  type JsonObject,
  objectMember,
  type PlacedObject,
  type PlacedValue,
  textIn,
  textMember,
  valueIn,
} from '../text/members.ts'
import { cut, quoted } from '../text/words.ts'

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
const MOST_ROOTS = 1000
/** A longer chain of profiles counts as a circle. */
const MOST_PARENTS = 16
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

interface Reach {
  readonly pointer: string
  /** By host; undefined if no proxy limits them. */
  readonly domains: ReadonlyMap<string, PlacedValue<unknown>> | undefined
  /** Why a host may still be denied. */
  readonly doubt: string | undefined
}

export interface CodexSandbox {
  /** The mode or profile; undefined if the file names none. */
  readonly chosen: PlacedValue<string> | undefined
  /** Why Codex does not start. */
  readonly fault: string | undefined
  /** Why it may ask before a command; undefined if commands run without a question. */
  readonly doubt: string | undefined
  /** False without a sandbox. */
  readonly isLimited: boolean
  /** The first one that has a path decides. */
  readonly entries: readonly Entry[]
  /** Denied patterns. */
  readonly globs: readonly PlacedValue<string>[]
  /** Denials, and limits of writing, at unknown places. */
  readonly unknown: readonly (readonly [of: 'read' | 'write', pointer: string])[]
  readonly network: Reach | undefined
  /** The profiles that count. */
  readonly profiles: readonly PlacedObject[]
}

/** Folders that some files do not say. */
interface CodexPlaces {
  readonly root: string | undefined
  readonly home: string | undefined
}

export function readCodexSandbox(root: PlacedObject, places: CodexPlaces): CodexSandbox {
  const policy = textIn(root, 'approval_policy')
  const mode = textMember(root, 'sandbox_mode')
  const chosen = mode ?? textMember(root, 'default_permissions')
  const name = mode === undefined ? chosen?.value : `:${mode.value.replace(/^workspace-write$/, 'workspace')}`
  const isLimited = name !== ':danger-full-access'
  const { profiles, fault } =
    name === undefined || !isLimited ? { profiles: [], fault: undefined } : chainOf(root, name)
  const settings = name === ':workspace' ? objectMember(root, 'sandbox_workspace_write') : undefined
  const isOn = (member: string) => valueIn(settings, member) === true
  const table = tableOf(profiles, chosen?.pointer)
  if (isOn('exclude_slash_tmp')) table.delete(':slash_tmp')
  if (isOn('exclude_tmpdir_env_var')) table.delete(':tmpdir')
  for (const place of mode === undefined ? [] : elements(settings, 'writable_roots', isText).slice(0, MOST_ROOTS))
    if (/^[/~]/.test(place.value) && !isGlob(place.value))
      table.set(place.value, new Map([['.', { ...place, value: 'write' }]]))
  const open = { pointer: chosen?.pointer ?? '', domains: undefined, doubt: undefined }
  const shared = isOn('network_access') ? { ...open, pointer: `${settings!.pointer}/network_access` } : undefined
  return {
    chosen,
    fault,
    doubt: Object.hasOwn(root.value, 'profile')
      ? 'a profile may set something else'
      : RUNS.test(policy ?? '')
        ? undefined
        : `approval_policy is ${policy === undefined ? 'not a text' : quoted(cut(policy, 40))}`,
    isLimited,
    ...(isLimited
      ? placed(table, rootsOf(profiles, places), places.home)
      : { entries: [{ folder: '', access: 'write', pointer: chosen!.pointer }], globs: [], unknown: [] }),
    network: isLimited ? (shared ?? reachOf(root, profiles)) : open,
    profiles,
  }
}

/** A profile after those that it extends. */
function chainOf(root: PlacedObject, name: string): Pick<CodexSandbox, 'profiles' | 'fault'> {
  const profiles: PlacedObject[] = []
  for (let next: string | undefined = name; next !== undefined; ) {
    const isKnown = Object.hasOwn(BUILT_IN, next)
    const profile: PlacedObject | undefined = next.startsWith(':') ? undefined : objectMember(root, 'permissions', next)
    if (isKnown) profiles.unshift({ pointer: '', value: { filesystem: BUILT_IN[next] } })
    else if (profile !== undefined && profiles.length < MOST_PARENTS) profiles.unshift(profile)
    else return { profiles: [], fault: `there is no profile ${quoted(cut(next, 100))}, or it extends itself` }
    next = isKnown ? undefined : textIn(profile, 'extends')
  }
  return { profiles, fault: undefined }
}

type Inner = Map<string, PlacedValue<unknown>>

/** The values by path, and by the path in it. Those of a profile count before those that it extends. */
function tableOf(profiles: readonly PlacedObject[], chosen = ''): Map<string, Inner> {
  const tables = new Map<string, Inner>()
  const single = new Set<string>()
  for (const profile of profiles) {
    const filesystem = objectMember(profile, 'filesystem')
    for (const [given, value] of Object.entries(filesystem?.value ?? {})) {
      if (given === 'glob_scan_max_depth') continue
      const path = given === ':project_roots' ? ':workspace_roots' : given
      const at = (inner: string) =>
        profile.pointer === '' ? chosen : `${filesystem!.pointer}/${escapeToken(given)}${inner}`
      const known = tables.get(path)
      const isReplaced = known === undefined || !isObject(value) || single.has(path)
      const inner: Inner = isReplaced ? new Map() : known
      single.delete(path)
      if (!isObject(value)) {
        single.add(path)
        inner.set('.', { value, pointer: at('') })
      } else
        for (const [name, one] of Object.entries(value))
          inner.set(name, { value: one, pointer: at(`/${escapeToken(name)}`) })
      tables.set(path, inner)
    }
  }
  return tables
}

const plainPath = (path: string) => normalizePath(path).replace(/\/$/, '')

/** The folders of the session; undefined among them for one at an unknown place. */
function rootsOf(profiles: readonly PlacedObject[], { root, home }: CodexPlaces): readonly (string | undefined)[] {
  const more = profiles.flatMap((profile) => Object.entries(objectMember(profile, 'workspace_roots')?.value ?? {}))
  return [root, ...more.flatMap(([path, isUsed]) => (isUsed === true ? [absoluteIn(path, root, home)] : []))]
}

function absoluteIn(path: string, root: string | undefined, home: string | undefined): string | undefined {
  if (path.startsWith('/')) return path
  if (/^~(?:\/|$)/.test(path)) return home === undefined ? undefined : home + path.slice(1)
  return root === undefined ? undefined : `${root}/${path}`
}

/** Each value at the folders that its path stands for. */
function placed(
  tables: ReadonlyMap<string, Inner>,
  roots: readonly (string | undefined)[],
  home: string | undefined,
): Pick<CodexSandbox, 'entries' | 'globs' | 'unknown'> {
  const entries: Entry[] = []
  const globs: PlacedValue<string>[] = []
  const unknown: ['read' | 'write', string][] = []
  const lose = (access: Entry['access'], pointer: string) => {
    if (access === 'deny') unknown.push(['read', pointer])
    if (access !== 'write') unknown.push(['write', pointer])
  }
  const bases = (path: string): readonly (string | undefined)[] => {
    if (path === ':root') return ['']
    if (path === ':slash_tmp') return ['/tmp']
    if (path === ':workspace_roots') return roots
    return /^[~/]/.test(path) ? [absoluteIn(path, undefined, home)] : [path]
  }
  for (const [path, inner] of tables)
    for (const [name, { value, pointer }] of inner) {
      const access = value === 'read' || value === 'write' ? value : 'deny'
      const plain = access === 'deny' ? name : name.replace(/(?:^|\/)\*\*$/, '') || '.'
      const outer = access === 'deny' ? path : path.replace(/\/\*\*$/, '')
      const hasGlob = isGlob(outer + plain)
      // Codex refuses the whole file for such a path.
      const isWrong = !/^[:~/]/.test(path) || (plain !== '.' && plain.split('/').some((part) => /^\.{0,2}$/.test(part)))
      if (isWrong || (hasGlob && (access !== 'deny' || !/^(?:[~/]|:workspace_roots$)/.test(path)))) {
        lose('deny', pointer)
        continue
      }
      for (const base of bases(outer)) {
        const whole = base === undefined || plain === '.' ? base : `${base}/${plain}`
        if (whole === undefined) {
          // What is protected there may be anywhere.
          const names = access === 'write' ? PROTECTED : PROTECTED.filter((one) => access === 'read' && one === plain)
          globs.push(...names.map((one) => ({ value: `/**/${one}`, pointer })))
          if (names.length === 0) lose(access, pointer)
        } else if (hasGlob) globs.push({ value: plainPath(whole), pointer })
        else if (whole.startsWith(':')) {
          entries.push({ folder: whole, access, pointer })
          if (outer !== ':minimal' || access === 'deny') lose(access, pointer)
        } else entries.push({ folder: plainPath(whole), access, pointer })
      }
    }
  const guarded = entries.flatMap(({ folder, access, pointer }) =>
    access !== 'write' || folder === ''
      ? []
      : PROTECTED.map((name): Entry => ({ folder: `${folder}/${name}`, access: 'read', pointer, isImplied: true })),
  )
  const order = ({ folder, access }: Entry) => depthOf(folder) * RANKS.length + RANKS.indexOf(access)
  const all = [...entries, ...guarded].map((entry) => [order(entry), entry] as const)
  return { entries: all.sort(([a], [b]) => b - a).map(([, entry]) => entry), globs, unknown }
}

/** The hosts of profiles. Without the proxy of Codex, domains limit nothing. */
function reachOf(root: PlacedObject, profiles: readonly PlacedObject[]): Reach | undefined {
  const networks = profiles.flatMap((profile) => objectMember(profile, 'network') ?? [])
  const last = (name: string) => networks.findLast(({ value }) => Object.hasOwn(value, name))
  const enabled = last('enabled')
  if (enabled?.value['enabled'] !== true) return undefined
  const proxy = valueIn(objectMember(root, 'features'), 'network_proxy')
  const mode = last('mode')?.value['mode'] ?? 'full'
  const isProxied = proxy !== undefined && proxy !== false
  const tables = networks.flatMap((network) => objectMember(network, 'domains') ?? [])
  const domains = tables.flatMap(({ value, pointer }) =>
    Object.entries(value).map(
      ([host, one]) => [host, { value: one, pointer: `${pointer}/${escapeToken(host)}` }] as const,
    ),
  )
  return {
    pointer: `${enabled.pointer}/enabled`,
    domains: isProxied ? new Map(domains) : undefined,
    doubt:
      mode !== 'full' ? 'mode is not full' : isProxied && proxy !== true ? 'network_proxy has settings' : undefined,
  }
}
