import type { PlacedValue } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { foldBroadly, type ListOptions, type Part, PatternList } from './part.ts'
import { commandNames, hidesPrograms, isLine, launches, namesShell, needsShell, spellWindowsPattern } from './path.ts'
import {
  AMOUNTS,
  type EnvironmentRequest,
  type ExecutionRequest,
  type ResourceRequest,
  type System,
  type Trace,
} from './request.ts'

/** In UTF-16 units. */
const LONGEST = 32_767

export interface Execution {
  readonly allowed: PatternList
  /**
   * The patterns that grant shell command lines. In a line, a wildcard could stand for more than characters of a
   * command's name (ADL 4.4).
   */
  readonly lines: PatternList
  readonly denied: PatternList
  readonly allowShell: PlacedValue<boolean> | undefined
}

export function readExecution(part: Part, { ignoreCase, windows }: System): Execution {
  const options: ListOptions = { ignoreCase, spell: windows ? spellWindowsPattern : undefined }
  const allowed = part.texts('allowed_commands')
  const whole = allowed?.value.filter(({ value }) => value === '*' || !value.includes('*'))
  return {
    allowed: new PatternList('command', allowed, options),
    lines: new PatternList('command', allowed && { ...allowed, value: whole! }, options),
    denied: new PatternList('command', part.texts('denied_commands'), options),
    allowShell: part.flag('allow_shell'),
  }
}

export function judgeExecution({ allowed, lines, denied, allowShell }: Execution, { windows, ignoreCase }: System) {
  return ({ command: program, args = '', shell }: ExecutionRequest, trace: Trace | undefined): boolean => {
    const line = args === '' ? program : `${program} ${args}`
    // What a launcher starts is in its arguments, so these have to be granted as well.
    const command = shell === true || launches(program, args) ? line : program
    if (program === '' || line.length > LONGEST || line.includes('\0') || /^\S*[/\\]$/.test(program)) {
      trace?.denied('execution', `${quoted(command)} names no program`)
      return false
    }
    const { granted, base, denied: names } = commandNames(command, windows)
    const others = args === '' ? [] : [program, line].flatMap((one) => commandNames(one, windows).denied)
    for (const name of [...names, ...others]) {
      const refused = denied.find(ignoreCase ? foldBroadly(name) : name, trace === undefined)
      if (refused === undefined) continue
      trace?.denied('execution', `${quoted(name)} matches ${quoted(refused.value)} of denied_commands`, refused.pointer)
      return false
    }
    if (denied.pointer !== undefined) {
      trace?.passed('execution', `no pattern of denied_commands matches ${quoted(line)}`, denied.pointer)
    }
    const takesShell = shell === true || needsShell(program, windows) || namesShell(args)
    if (takesShell && allowShell?.value !== true) {
      trace?.denied('execution', `${quoted(line)} takes a shell, and allow_shell is not true`, allowShell?.pointer)
      return false
    }
    // A line that the definition spells out hides nothing from its author.
    const isHidden = (pattern: string) =>
      takesShell && denied.pointer !== undefined && pattern !== line && hidesPrograms(line)
    const granting = (takesShell || command !== program) && isLine(command, windows) ? lines : allowed
    for (const name of granted) {
      const found = granting.find(name, trace === undefined)
      if (found === undefined) continue
      trace?.granted('execution', `${quoted(name)} matches ${quoted(found.value)} of allowed_commands`, found.pointer)
      if (trace !== undefined && isHidden(found.value)) trace.oblige('resolve-command')
      return true
    }
    const found = base === undefined ? undefined : granting.find(base, trace === undefined)
    if (found === undefined) {
      trace?.denied('execution', `no pattern of allowed_commands matches ${quoted(command)}`, allowed.pointer)
      return false
    }
    trace?.granted(
      'execution',
      `the name ${quoted(base!)} matches ${quoted(found.value)} of allowed_commands`,
      found.pointer,
    )
    trace?.oblige('resolve-command')
    return true
  }
}

export interface Environment {
  readonly allowed: PatternList
  readonly denied: PatternList
}

export function readEnvironment(part: Part, { ignoreCase }: System): Environment {
  return {
    allowed: new PatternList('env', part.texts('allowed_variables'), { ignoreCase }),
    denied: new PatternList('env', part.texts('denied_variables'), { ignoreCase }),
  }
}

export function judgeEnvironment({ allowed, denied }: Environment, { ignoreCase }: System) {
  return ({ variable }: EnvironmentRequest, trace: Trace | undefined): boolean => {
    if (variable === '' || variable.includes('=') || variable.includes('\0') || variable.length > LONGEST) {
      trace?.denied('environment', `${quoted(variable)} is not the name of a variable`)
      return false
    }
    const refused = denied.find(ignoreCase ? foldBroadly(variable) : variable, trace === undefined)
    if (refused !== undefined) {
      trace?.denied(
        'environment',
        `${quoted(variable)} matches ${quoted(refused.value)} of denied_variables`,
        refused.pointer,
      )
      return false
    }
    if (denied.pointer !== undefined) {
      trace?.passed('environment', `no pattern of denied_variables matches ${quoted(variable)}`, denied.pointer)
    }
    const found = allowed.find(variable, trace === undefined)
    if (found === undefined) {
      trace?.denied('environment', `no pattern of allowed_variables matches ${quoted(variable)}`, allowed.pointer)
      return false
    }
    trace?.granted(
      'environment',
      `${quoted(variable)} matches ${quoted(found.value)} of allowed_variables`,
      found.pointer,
    )
    return true
  }
}

/** Members of requests and of resource_limits, with the least and the greatest valid limit. */
export const LIMITS = {
  memoryMb: ['max_memory_mb', 0, Number.POSITIVE_INFINITY],
  cpuPercent: ['max_cpu_percent', 0, 100],
  durationSec: ['max_duration_sec', 0, Number.POSITIVE_INFINITY],
  concurrent: ['max_concurrent', 1, Number.POSITIVE_INFINITY],
} as const

export type ResourceLimits = Readonly<Record<keyof typeof LIMITS, PlacedValue<number> | undefined>>

export function readResourceLimits(part: Part): ResourceLimits {
  const limits = AMOUNTS.map((name) => {
    const [member, least, most] = LIMITS[name]
    return [name, part.number(member, least, most)]
  })
  return Object.fromEntries(limits) as ResourceLimits
}

export function judgeResource(limits: ResourceLimits) {
  return (request: ResourceRequest, trace: Trace | undefined): boolean => {
    for (const name of AMOUNTS) {
      const asked = request[name]
      const limit = limits[name]
      if (asked === undefined) continue
      const [member] = LIMITS[name]
      if (limit === undefined) trace?.granted('resource', `there is no ${member}`, '/permissions/resource_limits')
      else if (asked > limit.value) {
        trace?.denied('resource', `${asked} is more than ${member}, ${limit.value}`, limit.pointer)
        return false
      } else trace?.granted('resource', `${asked} is within ${member}, ${limit.value}`, limit.pointer)
    }
    return true
  }
}
