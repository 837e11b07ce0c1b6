import { type JsonObject, member, objectOf } from '../../../text/members.ts'

/** The part of `constraints` that has each limit. */
export const LIMIT_PARTS = {
  max_turns: 'limits',
  max_delegation_depth: 'limits',
  timeout: 'limits',
  disk_quota: 'sandbox',
  max_exec_time: 'sandbox',
} as const

/** An absent limit is unlimited. */
export type ExecutionLimits = Readonly<Partial<Record<keyof typeof LIMIT_PARTS, number>>>

/** The limits of `constraints`; those of a child are at most its parent's. 0 means unlimited; the depth is 3 by default. */
export function limitsOf(
  constraints: JsonObject,
  parent: ExecutionLimits = {},
): ExecutionLimits & { readonly max_delegation_depth: number } {
  const limits = (Object.keys(LIMIT_PARTS) as (keyof typeof LIMIT_PARTS)[]).flatMap((name) => {
    const given = [member(objectOf(member(constraints, LIMIT_PARTS[name])), name), parent[name]]
    const least = Math.min(...given.filter((limit): limit is number => typeof limit === 'number' && limit > 0))
    return least === Number.POSITIVE_INFINITY ? [] : [[name, least]]
  })
  return { max_delegation_depth: 3, ...Object.fromEntries(limits) }
}
