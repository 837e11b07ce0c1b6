// The capabilities that an agent may ask for, with their risks and modes.

import type { FindingKind } from '../../document/finding.ts'
import {
  elements,
  escapeToken,
  isObject,
  isText,
  member,
  objectMember,
  objectOf,
  type PlacedObject,
} from '../../text/members.ts'
import { oneOf, quoted, shown, suggest } from '../../text/words.ts'
import type { Fault } from '../files.ts'
import { parseRange, parseVersion } from '../lock/range.ts'
import * as FINDINGS from './findings.ts'
import presets from './hosts.json' with { type: 'json' }

type Risk = 'low' | 'medium' | 'high' | 'critical'

/** Permission Modes: in their order, and `scheduled`, which is next to them. */
export type Mode = 'user_triggered' | 'on_demand' | 'continuous' | 'scheduled'

/** Capability Categories, from the lowest risk to the highest. */
export const CATEGORIES: readonly { name: string; risk: Risk; capabilities: readonly string[] }[] = [
  { name: 'network', risk: 'low', capabilities: ['network', 'websocket', 'p2p'] },
  { name: 'storage', risk: 'medium', capabilities: ['storage', 'filesystem', 'keychain'] },
  { name: 'sensors', risk: 'high', capabilities: ['microphone', 'camera', 'screen_capture', 'location'] },
  { name: 'system', risk: 'high', capabilities: ['background', 'notifications', 'clipboard', 'shell'] },
  { name: 'identity', risk: 'critical', capabilities: ['oauth', 'wallet', 'signing'] },
]

export const CAPABILITIES: readonly string[] = CATEGORIES.flatMap(({ capabilities }) => capabilities)

export const MODES: readonly Mode[] = ['user_triggered', 'on_demand', 'continuous', 'scheduled']
const BACKGROUND_MODES: readonly Mode[] = ['scheduled', 'continuous']

const isMode = (value: unknown): value is Mode => MODES.some((mode) => mode === value)

/** The modes that a capability can have, the lowest first. */
export const modesOf = (capability: string) => (capability === 'background' ? BACKGROUND_MODES : MODES)

/** The modes that a host may grant for a mode, the highest first. Nothing replaces a schedule. */
export function grantable(capability: string, mode: Mode): readonly Mode[] {
  const modes = modesOf(capability)
  return mode === 'scheduled' ? [mode] : modes.slice(0, modes.indexOf(mode) + 1).reverse()
}

/** The schedules of `wake_triggers`. */
export const wakeSchedules = (triggers: unknown): readonly unknown[] =>
  Array.isArray(triggers) ? triggers.map((trigger) => objectOf(trigger)['schedule']) : []

// Host files: which capabilities a host grants in which modes, and which protocols it has.

const STATES = ['accepted', 'deprecated', 'removed'] as const

/** The versions of a protocol, by what a host does with them. */
type HostProtocol = Readonly<Record<(typeof STATES)[number], readonly string[]>>

export interface Host {
  readonly name: string
  /** The modes of each capability. A capability that is absent is never granted. */
  readonly capabilities: ReadonlyMap<string, readonly Mode[]>
  /** The capabilities for which the host prompts the user. */
  readonly asks: ReadonlySet<string>
  /** Undefined for a host that does not say which protocols it has. */
  readonly protocols: ReadonlyMap<string, HostProtocol> | undefined
}

export declare namespace readHost {
  interface Result {
    /** Undefined when there are faults. */
    readonly host: Host | undefined
    readonly faults: readonly { readonly pointer: string; readonly detail: string }[]
  }
}

/**
 * Reads a host file: `{ name, capabilities: { camera: ['on_demand'], shell: false }, asks: ['camera'], protocols: { a2a:
 * { accepted: ['2.0.0'], deprecated: ['1.0.0'] } } }`. `asks` may be true, for all capabilities.
 */
export function readHost(value: unknown): readHost.Result {
  const faults: { pointer: string; detail: string }[] = []
  const expect = (isMet: boolean, pointer: string, wanted: string, found: unknown) => {
    if (!isMet) faults.push({ pointer, detail: `Expected ${wanted}, found ${shown(found)}` })
  }
  const { name, capabilities: granted, asks = [], protocols } = objectOf(value)
  expect(isText(name) && name !== '', '/name', 'a name', name)
  expect(isObject(granted), '/capabilities', 'an object', granted)
  const capabilities = new Map<string, readonly Mode[]>()
  for (const [capability, modes] of Object.entries(objectOf(granted))) {
    const pointer = `/capabilities/${escapeToken(capability)}`
    if (!CAPABILITIES.includes(capability)) faults.push({ pointer, detail: unknownCapability(capability) })
    else if (Array.isArray(modes) && modes.every(isMode)) capabilities.set(capability, modes)
    else expect(modes === false, pointer, `false, or a list of ${oneOf(MODES)}`, modes)
  }
  const areListed = Array.isArray(asks) && asks.every((one) => CAPABILITIES.includes(one))
  expect(asks === true || areListed, '/asks', 'true, or a list of capabilities', asks)
  expect(protocols === undefined || isObject(protocols), '/protocols', 'an object', protocols)
  const versions = Object.entries(objectOf(protocols)).map(([protocol, states]) => {
    const lists = STATES.map((state) => {
      const list = member(objectOf(states), state) ?? []
      const areVersions = Array.isArray(list) && list.every((one) => parseVersion(one) !== undefined)
      expect(areVersions, `/protocols/${escapeToken(protocol)}/${state}`, 'a list of versions', list)
      return [state, list] as const
    })
    return [protocol, Object.fromEntries(lists) as HostProtocol] as const
  })
  if (faults.length > 0) return { host: undefined, faults }
  const host: Host = {
    name: name as string,
    capabilities,
    asks: new Set(asks === true ? CAPABILITIES : (asks as string[])),
    protocols: protocols === undefined ? undefined : new Map(versions),
  }
  return { host, faults }
}

function unknownCapability(name: string): string {
  const meant = suggest(name, CAPABILITIES)
  return `${quoted(name)} is not a capability${meant === undefined ? '' : `; did you mean '${meant}'?`}`
}

/** The hosts of Host Responsibility. The text does not say which protocols they have. */
export const HOSTS: readonly Host[] = presets.map((file) => readHost(file).host!)

// The five fields of cron: whether they are valid, and whether there is such a day.

interface Field {
  readonly from: number
  readonly to: number
  /** Short names of the values, in order. */
  readonly names?: readonly string[]
}

const FIELDS: readonly Field[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  // Sunday is 0 and 7.
  { from: 0, to: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const LONGEST = 256

interface Schedule {
  /** Equal for schedules with the same values in each field. */
  readonly key: string
  /** False when no year has such a day. */
  readonly fires: boolean
}

/**
 * Reads a schedule of five fields. Returns undefined for an invalid one.
 *
 * @example
 * parseSchedule('0 0 31 2 *') // { key: ..., fires: false }
 */
export function parseSchedule(text: unknown): Schedule | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  const parts = text.trim().toLowerCase().split(/\s+/)
  if (parts.length !== FIELDS.length) return undefined
  const fields = FIELDS.map((field, i) => valuesOf(parts[i]!, field))
  if (!fields.every((values) => values !== undefined)) return undefined
  const [minutes, hours, days, months, weekdays] = fields as [number[], number[], number[], number[], number[]]
  const week = sortedOnce(weekdays.map((day) => day % 7))
  // If both fields are given, cron takes the days of either. A field that begins with a star is not given.
  const isEither = !parts[2]!.startsWith('*') && !parts[4]!.startsWith('*')
  const exists = months.some((month) => days.some((day) => day <= DAYS[month - 1]!))
  return { key: [minutes, hours, days, months, week, isEither].join(' '), fires: isEither || exists }
}

/** The values of a field such as `1,10-20`. */
function valuesOf(text: string, field: Field): number[] | undefined {
  const values = text.split(',').map((part) => valuesOfPart(part, field))
  return values.every((list) => list !== undefined) ? sortedOnce(values.flat()) : undefined
}

function valuesOfPart(text: string, field: Field): number[] | undefined {
  const [, first, last, step = '1'] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (first === undefined || (first === '*' && last !== undefined)) return undefined
  const isOne = first !== '*' && last === undefined
  const from = first === '*' ? field.from : numberOf(first, field)
  const to = first === '*' ? field.to : isOne ? from : numberOf(last!, field)
  // A step needs values to skip.
  if (!(from <= to) || Number(step) === 0 || (isOne && text.includes('/'))) return undefined
  return Array.from({ length: Math.floor((to - from) / Number(step)) + 1 }, (_, i) => from + i * Number(step))
}

/** NaN for anything else than a value of the field. */
function numberOf(text: string, { from, to, names = [] }: Field): number {
  const value = names.includes(text) ? names.indexOf(text) + from : /^\d\d?$/.test(text) ? Number(text) : Number.NaN
  return value >= from && value <= to ? value : Number.NaN
}

const sortedOnce = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b)

// What is wrong with the permissions and protocols of an agent, for its rules.

type Report = (rule: FindingKind, pointer: string, detail: string) => void

const CUSTOM = 'custom/'

/** The faults of the permissions and the protocols of an agent's document. Values of other types are ignored. */
export function permissionFaults(agent: unknown): Fault[] {
  const faults: Fault[] = []
  const report: Report = (rule, pointer, detail) => faults.push({ rule, pointer, detail })
  const root = { pointer: '', value: objectOf(agent) }
  const permissions = objectMember(root, 'permissions')
  if (permissions !== undefined) {
    const declared = checkLists(permissions, report)
    checkSettings(permissions, declared, report)
    checkSchedules(permissions, declared, report)
  }
  for (const protocol of elements(root, 'protocols', isObject)) checkProtocol(protocol, root, report)
  return faults
}

/** Returns the declared capabilities. */
function checkLists(permissions: PlacedObject, report: Report): ReadonlySet<string> {
  const required = elements(permissions, 'required', isText)
  const optional = elements(permissions, 'optional', isText)
  const names = new Set(required.map(({ value }) => value))
  for (const { value, pointer } of optional)
    if (names.has(value)) report(FINDINGS.CAPABILITY_IN_BOTH_LISTS, pointer, `${quoted(value)} is required as well`)
  for (const { value, pointer } of [...required, ...optional]) {
    if (!CAPABILITIES.includes(value)) report(FINDINGS.UNKNOWN_CAPABILITY, pointer, unknownCapability(value))
    names.add(value)
  }
  return names
}

function checkSettings({ pointer: base, value }: PlacedObject, declared: ReadonlySet<string>, report: Report): void {
  for (const [name, settings] of Object.entries(value)) {
    if (name === 'required' || name === 'optional') continue
    const pointer = `${base}/${escapeToken(name)}`
    if (!declared.has(name)) {
      const isKnown = CAPABILITIES.includes(name)
      const detail = isKnown ? `${quoted(name)} is neither required nor optional` : unknownCapability(name)
      report(isKnown ? FINDINGS.UNDECLARED_CAPABILITY : FINDINGS.UNKNOWN_CAPABILITY, pointer, detail)
    }
    const mode = member(objectOf(settings), 'mode')
    const modes = modesOf(name)
    if (mode !== undefined && !modes.some((one) => one === mode))
      report(FINDINGS.UNKNOWN_MODE, `${pointer}/mode`, `Expected ${oneOf(modes)}, found ${shown(mode)}`)
    const isScheduled = mode === 'scheduled' && name !== 'background'
    if (isScheduled && !declared.has('background'))
      report(FINDINGS.SCHEDULED_WITHOUT_BACKGROUND, `${pointer}/mode`, "A schedule needs the capability 'background'")
  }
}

function checkSchedules({ pointer, value }: PlacedObject, declared: ReadonlySet<string>, report: Report): void {
  const triggers = wakeSchedules(member(objectOf(member(value, 'background')), 'wake_triggers'))
  const wakes = triggers.map((schedule, i) => [`${pointer}/background/wake_triggers/${i}/schedule`, schedule] as const)
  const own = [...declared].map((name) => {
    const schedule = name === 'background' ? undefined : member(objectOf(member(value, name)), 'schedule')
    return [`${pointer}/${escapeToken(name)}/schedule`, schedule] as const
  })
  const [wakeKeys, ownKeys] = [keysOf(wakes, report), keysOf(own, report)]
  if (ownKeys.size === 0 || !declared.has('background')) return
  for (const [key, place] of wakeKeys)
    if (!ownKeys.has(key)) report(FINDINGS.UNMATCHED_SCHEDULE, place, 'No capability has this schedule')
  for (const [key, place] of ownKeys)
    if (!wakeKeys.has(key))
      report(FINDINGS.UNMATCHED_SCHEDULE, place, "No wake trigger of 'background' has this schedule")
}

/** The first place of each schedule, by its key. */
function keysOf(schedules: readonly (readonly [place: string, schedule: unknown])[], report: Report) {
  const keys = new Map<string, string>()
  for (const [place, text] of schedules) {
    if (!isText(text)) continue
    const schedule = parseSchedule(text)
    if (schedule === undefined)
      report(FINDINGS.INVALID_CRON, place, `Expected five fields such as 0 * * * *, found ${quoted(text)}`)
    else if (!schedule.fires) report(FINDINGS.CRON_NEVER_FIRES, place, `No month has the day of ${quoted(text)}`)
    else if (!keys.has(schedule.key)) keys.set(schedule.key, place)
  }
  return keys
}

function checkProtocol({ value: { name, version }, pointer }: PlacedObject, root: PlacedObject, report: Report): void {
  if (version !== undefined && parseRange(version) === undefined)
    report(FINDINGS.PROTOCOL_RANGE, `${pointer}/version`, `Expected a range such as ^1.0.0, found ${shown(version)}`)
  if (!isText(name) || name === 'a2a' || name === 'mcp') return
  const definition = name.slice(CUSTOM.length)
  if (!name.startsWith(CUSTOM))
    report(FINDINGS.UNKNOWN_PROTOCOL, `${pointer}/name`, `Expected a2a, mcp or ${CUSTOM}NAME, found ${quoted(name)}`)
  else if (member(objectMember(root, 'x-protocols')?.value, definition) === undefined)
    report(FINDINGS.UNDEFINED_PROTOCOL, `${pointer}/name`, `'x-protocols' has no entry ${quoted(definition)}`)
}
