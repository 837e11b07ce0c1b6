// Verifies a trace by judging it again.
import type { VerifyOptions as OptionsOfFrame, Verifying, VerifyTask } from '../../frame/signing.ts'
import type { Step } from '../../frame/source.ts'
import type { Steps } from '../../frame/steps.ts'
import { decodeBase64url } from '../../keys/base64.ts'
import { publicMembers } from '../../keys/key.ts'
import type { PlatformOptions } from '../../keys/platform.ts'
import { checkedTime } from '../../text/moment.ts'
import { quoted } from '../../text/words.ts'
import { agentUri, fingerprintOf, idIn } from '../../wellknown/identity.ts'
import type { TrustAnchors } from '../dns/dnssec/rdata.ts'
import { type Discovery, judge } from '../trust/discover.ts'
import { readAgentDomain } from '../trust/domain.ts'
import type { DiscoveryRequest } from '../trust/levels.ts'
import { replayWire } from '../trust/replayed.ts'
import { type Outcome, run } from '../trust/run.ts'
import { STEPS, type StepName } from '../trust/steps.ts'
import { TRACE_VERSION, type Trace } from '../trust/trace.ts'
import { TRACE_OTHER_AGENT, TRACE_RECORDER, TRACE_UNUSABLE } from './findings.ts'
import { isTrace, type RecordedDiscovery, TRACE_READING } from './specification.ts'

export interface TraceOptions extends OptionsOfFrame {
  /** Default: IANA's keys of the root. */
  readonly anchors?: TrustAnchors
  /** The moment to judge by; default that of the trace. */
  readonly now?: Date
}

const OWN_STEPS = {
  document: ['The trace can be read', 'docs/guide/discovery.md'],
  recorder: ['What only the recorder says', 'docs/guide/discovery.md'],
  expected: ['The expected agent', 'docs/guide/discovery.md'],
  ...STEPS,
} as const

type TraceSteps = Steps<keyof typeof OWN_STEPS>

/** How traces are verified. */
export const TRACE_VERIFYING: Verifying<RecordedDiscovery, keyof typeof OWN_STEPS> = {
  ...TRACE_READING,
  steps: OWN_STEPS,
  async verify(recorded, task, steps) {
    const trace = recorded.root.value as unknown
    if (!isTrace(trace))
      return steps.failed('document', 'it has errors: validate lists them', { rule: TRACE_UNUSABLE, pointer: '' })
    const { anchors, now } = task.options as TraceOptions
    const asked = replayRequest(trace, {
      subtle: task.subtle,
      ...(anchors !== undefined && { anchors }),
      ...(now !== undefined && { now }),
    })
    const outcome = await run(asked, replayWire(trace.steps), steps as unknown as Steps<StepName>)
    const isSigned = outcome.levels.every(({ quality }) => quality === 'checked')
    const itsWord = isSigned ? 'TLS, HTTP and the time' : 'answers of the DNS, TLS, HTTP and the time'
    steps.warning('recorder', itsWord, { rule: TRACE_RECORDER, pointer: '/steps' })
    checkExpected(trace, outcome, task, steps)
  },
}

function checkExpected({ domain }: Trace, { agent }: Outcome, { expect, pinned }: VerifyTask, steps: TraceSteps): void {
  const id = expect.id ?? (expect.provider && agentUri(expect.provider))
  const keys = pinned?.filter(({ kind }) => kind === 'Ed25519').map((key) => decodeBase64url(publicMembers(key)['x']!))
  if (id === undefined && keys === undefined) return
  const wrong =
    id !== undefined && idIn(id) !== agentUri(domain)
      ? `expected ${quoted(id)}, found ${agentUri(domain)}`
      : keys !== undefined && !keys.some((key) => fingerprintOf(key) === agent?.fingerprint)
        ? 'no trusted key belongs to the agent'
        : undefined
  if (wrong === undefined) steps.passed('expected', agentUri(domain))
  else steps.failed('expected', wrong, { rule: TRACE_OTHER_AGENT, pointer: '/domain' })
}

// Judges a recorded discovery again.

export declare namespace replay {
  interface Options extends PlatformOptions {
    readonly anchors?: TrustAnchors
    /** The moment to judge by; default that of the trace. */
    readonly now?: Date
    readonly onStep?: (step: Step) => void
  }
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
export async function replay(trace: Trace, options: replay.Options = {}): Promise<Discovery> {
  if (!isTrace(trace)) throw new TypeError(`trace: expected a valid trace of ${TRACE_VERSION}`)
  const judged = await judge(replayRequest(trace, options), replayWire(trace.steps), options.onStep)
  return { ...judged, trace, freshMs: 0 }
}

/** The request that a trace records. */
function replayRequest(trace: Trace, options: replay.Options): DiscoveryRequest {
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
