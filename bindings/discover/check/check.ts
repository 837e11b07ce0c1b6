// `checkDns`: all that a domain says of its agent, each part held against the others, with what mends it.
import { UNANSWERED } from '../dns/findings.ts'
import { SILENT_HOST } from '../trust/detour-findings.ts'
import type { AgentDomain } from '../trust/domain.ts'
import { readAgentDomain } from '../trust/domain.ts'
import type { DiscoveryProof } from '../trust/run.ts'
import { dnssecThing, tlsaThing, tlsThing } from './dane.ts'
import { aidThing, dnsAidThing } from './dns-aid.ts'
import { a2aThing, catalogsThing, signingThing } from './documents.ts'
import { srvThing, svcbThing, txtThing } from './records.ts'
import { type CheckOptions, type Survey, survey } from './survey.ts'
import { type CheckedThing, thing } from './things.ts'

export interface CheckedDomain {
  readonly domain: AgentDomain
  /** In one order, always all. */
  readonly things: readonly CheckedThing[]
  /** Of the discovery that stood behind it. */
  readonly proof: DiscoveryProof
}

/** Steps of the discovery whose findings another line has. */
const ELSEWHERE: readonly string[] = ['svcb', 'txt', 'srv', 'tlsa', 'tls', 'key']

const HAVE_IT_ANSWER = 'have each host that the DNS names answer, or take its record away'

/**
 * Looks at all that a domain says of its agent: whether it is there, valid, of this time, and agrees with the rest on key and
 * address. Asks what `discover` asks, and the domain for what else it publishes; connects once more to see if TLS 1.2 is taken.
 *
 * @example
 * const { things } = await checkDns('alice.example.com', { resolver: udpResolver(), fetch: guardedFetch() })
 * for (const { title, state, detail } of things) console.log(state, title, detail)
 *
 * @throws {TypeError} for what is no domain, {RangeError} for an option that is none.
 */
export async function checkDns(domain: string, options: CheckOptions): Promise<CheckedDomain> {
  const read = readAgentDomain(domain)
  const seen = await survey(read.ascii, options)
  const records = [svcbThing(seen), txtThing(seen), srvThing(seen)]
  const others = await Promise.all([
    dnsAidThing(seen),
    aidThing(seen),
    a2aThing(seen),
    catalogsThing(seen),
    signingThing(seen),
    dnssecThing(seen),
    tlsaThing(seen),
    tlsThing(seen),
  ])
  const things = [adpThing(seen, [...records, ...others]), ...records, ...others]
  return { domain: read, things, proof: seen.discovery.proof }
}

/** What the discovery says in one line; its finding stands here unless another line has one. */
function adpThing({ domain, discovery: { agent, proof } }: Survey, others: readonly CheckedThing[]): CheckedThing {
  const last = proof.steps.at(-1)!
  const reached = proof.levels.map(({ level, quality }) => `${level} (${quality})`).join(', ')
  if (agent !== undefined) {
    const silent = proof.steps.filter(({ diagnostic }) => diagnostic?.code === SILENT_HOST.code)
    const detail = [reached || 'none', ...silent.map((step) => step.detail)].join('; ')
    const mending = silent.length === 0 ? {} : { kind: SILENT_HOST, hint: HAVE_IT_ANSWER }
    return thing(domain, 'adp', proof.verdict === 'verified' ? 'valid' : 'unknown', detail, mending)
  }
  const { code = '' } = last.diagnostic ?? {}
  const state = code === 'DNS-132' ? 'absent' : UNANSWERED.includes(code) ? 'unknown' : 'wrong'
  const said = thing(domain, 'adp', state, `${last.title}: ${last.detail}`)
  const isTold = others.some(
    ({ name, diagnostic }) => diagnostic?.severity === 'error' && (name === 'tls' || ELSEWHERE.includes(last.name)),
  )
  return { ...said, diagnostic: isTold ? undefined : last.diagnostic }
}
