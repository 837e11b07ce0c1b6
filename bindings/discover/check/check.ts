// `checkDns`: compares everything that a domain publishes about its agent, and shows how to fix it.
import { UNANSWERED } from '../dns/error.ts'
import type { AgentDomain } from '../trust/domain.ts'
import { readAgentDomain } from '../trust/domain.ts'
import { TRUST_SILENT_HOST } from '../trust/findings.ts'
import type { DiscoveryProof } from '../trust/run.ts'
import { dnssecThing, tlsaThing, tlsThing } from './dane.ts'
import { aidThing, dnsAidThing } from './dns-aid.ts'
import { a2aThing, catalogsThing, signingThing } from './documents.ts'
import { srvThing, svcbThing, txtThing } from './records.ts'
import { type CheckOptions, type Survey, survey } from './survey.ts'
import { type CheckedThing, thing } from './things.ts'

export interface CheckedDomain {
  readonly domain: AgentDomain
  /** Always all of them, in the same order. */
  readonly things: readonly CheckedThing[]
  /** The proof of the discovery that the check is based on. */
  readonly proof: DiscoveryProof
}

/** Steps of the discovery whose findings belong to other lines. */
const ELSEWHERE: readonly string[] = ['svcb', 'txt', 'srv', 'tlsa', 'tls', 'key']

const HAVE_IT_ANSWER = 'make each host that the DNS names answer, or remove its record'

/**
 * Checks everything that a domain publishes about its agent: whether it exists, is valid and current, and agrees on key
 * and URL. Sends the requests of `discover`, asks the domain for other documents, and connects once more to test for
 * TLS 1.2.
 *
 * @example
 * const { things } = await checkDns('alice.example.com', { resolver: udpResolver(), fetch: guardedFetch() })
 * for (const { title, state, detail } of things) console.log(state, title, detail)
 *
 * @throws {TypeError} for an invalid domain, {RangeError} for an invalid option.
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

/** The result of the discovery in one line, with its finding unless another line has it. */
function adpThing({ domain, discovery: { agent, proof } }: Survey, others: readonly CheckedThing[]): CheckedThing {
  const last = proof.steps.at(-1)!
  const reached = proof.levels.map(({ level, quality }) => `${level} (${quality})`).join(', ')
  if (agent !== undefined) {
    const silent = proof.steps.filter(({ diagnostic }) => diagnostic?.code === TRUST_SILENT_HOST.code)
    const detail = [reached || 'none', ...silent.map((step) => step.detail)].join('; ')
    const mending = silent.length === 0 ? {} : { kind: TRUST_SILENT_HOST, hint: HAVE_IT_ANSWER }
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
