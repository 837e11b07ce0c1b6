import { type JsonObject, member, objectOf } from '../../../text/members.ts'

/** Undefined means unlimited. */
export interface ExecutionLimits {
  readonly max_turns: number | undefined
  readonly max_delegation_depth: number
  readonly timeout: number | undefined
  readonly disk_quota: number | undefined
  readonly max_exec_time: number | undefined
}

/** The limits of `constraints`; those of a child are at most its parent's. 0 and absent mean unlimited. */
export function limitsOf(constraints: JsonObject, parent?: ExecutionLimits): ExecutionLimits {
  const [limits, sandbox] = ['limits', 'sandbox'].map((name) => objectOf(member(constraints, name)))
  const least = (of: JsonObject | undefined, name: keyof ExecutionLimits) => {
    const given = [member(of, name), parent?.[name]].filter((value) => typeof value === 'number' && value > 0)
    return given.length === 0 ? undefined : Math.min(...(given as number[]))
  }
  return {
    max_turns: least(limits, 'max_turns'),
    max_delegation_depth: least(limits, 'max_delegation_depth') ?? 3,
    timeout: least(limits, 'timeout'),
    disk_quota: least(sandbox, 'disk_quota'),
    max_exec_time: least(sandbox, 'max_exec_time'),
  }
}
