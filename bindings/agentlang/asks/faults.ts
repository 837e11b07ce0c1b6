// What is wrong with the permissions and protocols of an agent, for its rules.
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
import { oneOf, quoted, shown } from '../../text/words.ts'
import { parseRange } from '../versions/range.ts'
import { CAPABILITIES, modesOf, wakeSchedules } from './capabilities.ts'
import { parseSchedule } from './cron.ts'
import * as FINDINGS from './findings.ts'
import { unknownCapability } from './host.ts'

export interface PermissionFault {
  readonly rule: FindingKind
  readonly pointer: string
  readonly detail: string
}

type Report = (rule: FindingKind, pointer: string, detail: string) => void

const CUSTOM = 'custom/'

/** The faults of the permissions and the protocols of an agent's document. Values of other types are ignored. */
export function permissionFaults(agent: unknown): PermissionFault[] {
  const faults: PermissionFault[] = []
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
