import { quoted } from '../text/words.ts'
import type { Part } from './part.ts'
import { foldBroadly, PatternList } from './pattern-list.ts'
import type { EnvironmentRequest, System } from './request.ts'
import type { Trace } from './trace.ts'

/** In UTF-16 units; the limit of Windows, far above real names. */
const LONGEST = 32_767

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
      trace?.denied('environment', `${quoted(variable)} is no name of a variable`)
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
