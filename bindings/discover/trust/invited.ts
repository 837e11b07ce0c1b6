// An invitation replaces the DNS of a private agent (ADP/1.1 section 8.3.1): it names the URL of the metadata, and the
// key. It is as trustworthy as the channel that brought it, which is not checked here.
import { parse } from '../../document/parse.ts'
import { open } from '../../frame/open.ts'
import type { Source } from '../../frame/source.ts'
import { FETCH_FAILED, FETCH_TIMEOUT } from '../../net/findings.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { PROTOCOL } from '../../wellknown/identity.ts'
import { addressOf, domainOf } from '../../wellknown/invite/specification.ts'
import { DNS_NO_ADDRESS, DNS_NOT_HERE, SVCB_PASSED_OVER } from '../dns/findings.ts'
import { readSrv, TYPES } from '../dns/message.ts'
import type { Name } from '../dns/name.ts'
import { portOf, targetOf } from '../dns/service.ts'
import { readSvcb } from '../dns/svcb.ts'
import { TRUST_INVITATION, TRUST_INVITED_KEY, TRUST_NO_KEY, TRUST_SILENT_HOST } from './findings.ts'
import { type Visit, visit } from './host.ts'
import { type InvalidInvitation, type InvitationClaims, invitedBy } from './invitation.ts'
import type { DiscoveryContext } from './levels.ts'
import { type AgentLocation, DiscoveryStopped, locate } from './locate.ts'
import type { FetchedMetadata } from './metadata.ts'

/** Reads the claims of an invitation; `validate` of `blazon/invite` lists all faults. */
export function readInvitation(source: Source): InvitationClaims | InvalidInvitation {
  const { document, diagnostics } = open(parse, source, { as: 'invite', format: 'json' })
  const read = document === undefined ? diagnostics[0]!.detail : readMembers(document.value)
  return typeof read === 'string' ? { refused: { code: TRUST_INVITATION.code, detail: read } } : read
}

/** Checks the protocol first: it says how to read everything else (section 9.4). */
function readMembers(root: unknown): InvitationClaims | string {
  if (!isObject(root)) return 'it is not a JSON object'
  const protocol = member(root, 'protocol')
  if (protocol === PROTOCOL) return invitedBy(member(root, 'invite'))
  const found = typeof protocol === 'string' ? quoted(protocol) : 'none'
  return `expected the protocol ${PROTOCOL}, found ${found}`
}

/** @throws {DiscoveryStopped} for an invalid or expired invitation, or one of another agent. */
export function locateByInvitation({ asked, account }: DiscoveryContext): AgentLocation {
  const { invitation, domain, now } = asked
  const end = (detail: string, pointer = '') => new DiscoveryStopped('invitation', TRUST_INVITATION, detail, pointer)
  if (invitation === undefined || 'refused' in invitation) throw end(invitation?.refused.detail ?? 'it is missing')
  const { agent, wellKnown, pubkey, expires } = invitation
  if (domainOf(agent) !== domain.ascii) throw end(`it is for ${quoted(agent)}`, '/invite/agent')
  const last = timeOf(expires)
  if (last === undefined || last <= now.getTime()) throw end(`it expired at ${quoted(expires)}`, '/invite/expires')
  const url = addressOf(wellKnown)!
  url.hash = ''
  account.steps.passed('invitation', `until ${expires}: ${url.href}, ${pubkey}`)
  const unasked = { name: domain.ascii, quality: 'not shown', why: 'an invitation replaces it' } as const
  return {
    svcb: { ...unasked, aliases: [], service: undefined },
    txt: { ...unasked, texts: { records: [], joined: 0 } },
    fallback: undefined,
    host: url.hostname,
    port: Number(url.port || 443),
    url: url.href,
    quality: 'not shown',
    isOneOfMany: false,
  }
}

/**
 * Compares the key with that of the invitation. The DNS is not involved, so no level is reached.
 *
 * @throws {DiscoveryStopped} for another key.
 */
export function judgeInvitedKey(
  { account }: DiscoveryContext,
  { metadata }: FetchedMetadata,
  { pubkey }: InvitationClaims,
  own: string,
): string {
  const { full, fingerprint } = metadata
  if (pubkey !== own) {
    const detail = `the invitation names ${pubkey}, but the metadata has ${own}`
    throw new DiscoveryStopped('invited-key', TRUST_INVITED_KEY, detail, (full ?? fingerprint!).pointer)
  }
  if (full === undefined) account.warn('key', 'the metadata has a fingerprint, but no key', TRUST_NO_KEY)
  else {
    account.steps.passed('invited-key', own, { fingerprint: own })
    account.isKeyInvited = true
  }
  return own
}

// Standby hosts: if the DNS names several and one is silent, the next in its order is tried (RFC 9460 section 3, RFC
// 2782), and judged like the first.

/** No address, no connection, no answer. Any answer is final: no other host is asked. */
const SILENCE = [DNS_NO_ADDRESS, FETCH_FAILED, FETCH_TIMEOUT].map(({ code }) => code)
/** Each costs three questions, and half of the remaining time. */
const MOST_SILENT = 3

/** @throws {DiscoveryStopped} the error of the last host that was tried. */
export async function visitNext(task: DiscoveryContext, first: AgentLocation, ended: DiscoveryStopped): Promise<Visit> {
  const { steps } = task.account
  const silent: string[] = []
  let located = first
  for (let fault = ended; ; ) {
    silent.push(placeOf(located))
    const mayGoOn = SILENCE.includes(fault.kind.code) && silent.length <= MOST_SILENT
    const next = mayGoOn ? await locateBesides(task, silent) : undefined
    if (next === undefined) throw fault
    task.account.warn(fault.step, `${fault.message}; the next host is tried`, TRUST_SILENT_HOST)
    steps.passed(next.fallback === undefined ? 'svcb' : 'srv', `the next: ${next.host} port ${next.port}`)
    located = next
    try {
      return await visit(task, located)
    } catch (error) {
      if (!(error instanceof DiscoveryStopped)) throw error
      fault = error
    }
  }
}

const placeOf = ({ host, port }: { readonly host: Name; readonly port: number }): string => `${host}:${port}`

/** Finds the best place that is not silent, by the records that name one. */
async function locateBesides(
  { asked, lookup }: DiscoveryContext,
  silent: readonly string[],
): Promise<AgentLocation | undefined> {
  const find = async (name: Name, type: number) => {
    const found = await lookup.find(name, type)
    const records = found.records.filter(({ rdata }) => !silent.includes(placeIn(type, rdata, found.name) ?? ''))
    // Without records it would fall back to TXT, but the DNS does have some.
    return records.length === 0 ? found : { ...found, records }
  }
  try {
    const located = await locate({ domain: asked.domain.ascii, find, draw: () => asked.lot })
    return silent.includes(placeOf(located)) ? undefined : located
  } catch (error) {
    if (error instanceof DiscoveryStopped && [SVCB_PASSED_OVER, DNS_NOT_HERE].includes(error.kind)) return undefined
    throw error
  }
}

/** The place that a record names; undefined for an alias or none. */
function placeIn(type: number, rdata: Uint8Array, owner: Name): string | undefined {
  if (type === TYPES.SRV) {
    const { target, port } = readSrv(rdata)
    return placeOf({ host: target, port })
  }
  if (type !== TYPES.SVCB) return undefined
  const record = readSvcb(rdata)
  return record.priority === 0 ? undefined : placeOf({ host: targetOf(record, owner), port: portOf(record) })
}
