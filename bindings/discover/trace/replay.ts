// Judges a recorded discovery again.
import type { Step } from '../../frame/source.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import { checkedTime } from '../../text/moment.ts'
import type { TrustAnchors } from '../dns/dnssec/anchors.ts'
import { type Discovery, judge } from '../trust/discover.ts'
import { readAgentDomain } from '../trust/domain.ts'
import { replayWire } from '../trust/replayed.ts'
import { TRACE_VERSION, type Trace } from '../trust/trace.ts'
import type { DiscoveryRequest } from '../trust/trust-report.ts'
import { isTrace } from './subject.ts'

export interface ReplayOptions extends PlatformOptions {
  readonly anchors?: TrustAnchors
  /** The moment to judge by; default that of the trace. */
  readonly now?: Date
  readonly onStep?: (step: Step) => void
}

/**
 * Judges a discovery again from its trace, without a network. The proof is the same, except that a level only counts if
 * signatures of the DNS prove it: the recorder could have written any other answer. Without a required level, `agent`
 * is that of the trace, and the verdict is `unverifiable`.
 *
 * @example
 * const { proof } = await replay(trace)
 *
 * @throws {TypeError} for an invalid trace: `validate` lists its faults.
 */
export async function replay(trace: Trace, options: ReplayOptions = {}): Promise<Discovery> {
  if (!isTrace(trace)) throw new TypeError(`trace: expected a valid trace of ${TRACE_VERSION}`)
  const judged = await judge(replayed(trace, options), replayWire(trace.steps), options.onStep)
  return { ...judged, trace, freshMs: 0 }
}

/** The request that a trace records. */
export function replayed(trace: Trace, options: ReplayOptions): DiscoveryRequest {
  const { need, require, requireDns, leastTls, loopback = false, descriptor = false, invitation, lot, at } = trace
  const { now = new Date(at), anchors, subtle } = options
  return {
    domain: readAgentDomain(trace.domain),
    need,
    require: require && { level: require, ...(requireDns !== undefined && { dns: requireDns }) },
    leastTls,
    loopback,
    descriptor,
    invitation,
    lot,
    now: checkedTime('now', now),
    isReplay: true,
    ...(anchors !== undefined && { anchors }),
    ...(subtle !== undefined && { subtle }),
  }
}
