import type { PlacedValue } from '../text/members.ts'
import type { Part } from './part.ts'
import { AMOUNTS, type ResourceRequest } from './request.ts'
import type { Trace } from './trace.ts'

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
