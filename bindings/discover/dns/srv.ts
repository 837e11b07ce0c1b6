// Chooses an SRV record (RFC 2782).
import { DnsError } from './error.ts'
import { DNS_NOT_HERE } from './findings.ts'
import { compareNames, type Name, ROOT } from './name.ts'
import type { Srv } from './rdata.ts'
import type { Draw } from './service.ts'

/**
 * Chooses the record to follow: of the lowest priority, at random in proportion to the weights.
 *
 * @throws {DnsError} DNS-123 if the only record points to the root.
 */
export function chooseSrv(records: readonly Srv[], owner: Name, draw: Draw): Srv {
  const [first] = records
  if (records.length === 1 && first!.target === ROOT) {
    throw new DnsError(DNS_NOT_HERE, `${owner}: its SRV record says that the service does not exist`)
  }
  const least = Math.min(...records.map(({ priority }) => priority))
  const equals = records.filter(({ priority, target }) => priority === least && target !== ROOT)
  if (equals.length === 0) throw new DnsError(DNS_NOT_HERE, `${owner}: its first SRV record has no target`)
  const [only] = equals
  return equals.length === 1 ? only! : byWeight(equals, draw)
}

/** Puts records of weight 0 first, so that they are rarely drawn if there are others. */
function byWeight(records: readonly Srv[], draw: Draw): Srv {
  const ordered = records.toSorted((a, b) => a.weight - b.weight || compareNames(a.target, b.target) || a.port - b.port)
  const all = ordered.reduce((sum, { weight }) => sum + weight, 0)
  // From 0 to the sum, both included.
  const drawn = Math.floor(draw() * (all + 1))
  let sum = 0
  for (const record of ordered) {
    sum += record.weight
    if (sum >= drawn) return record
  }
  return ordered.at(-1)!
}
