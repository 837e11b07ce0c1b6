// An invitation stands in for the DNS of a private agent (ADP/1.1 section 8.3.1): it says where the metadata is, and which key it has.
// It is worth as much as the way by which it came, which nothing here shows.

import { parse } from '../../document/parse.ts'
import { open } from '../../frame/open.ts'
import type { Source } from '../../frame/source.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { addressOf, domainOf } from '../../wellknown/invite/address.ts'
import { PROTOCOL } from '../../wellknown/protocol.ts'
import { INVITED_MISMATCH, UNINVITED } from './detour-findings.ts'
import { NO_FULL_KEY } from './findings.ts'
import { type InvalidInvitation, type InvitationClaims, invitedBy } from './invitation.ts'
import { type AgentLocation, DiscoveryStopped } from './locate.ts'
import type { FetchedMetadata } from './metadata.ts'
import type { DiscoveryContext } from './trust-report.ts'

/** Reads an invitation for what it says of its agent; `validate` of `blazon/invite` lists everything that is wrong with one. */
export function readInvitation(source: Source): InvitationClaims | InvalidInvitation {
  const { document, diagnostics } = open(parse, source, { as: 'invite', format: 'json' })
  const read = document === undefined ? diagnostics[0]!.detail : readMembers(document.value)
  return typeof read === 'string' ? { refused: { code: UNINVITED.code, detail: read } } : read
}

/** The protocol says how to read everything else, so it is checked first (section 9.4). */
function readMembers(root: unknown): InvitationClaims | string {
  if (!isObject(root)) return 'it is not a JSON object'
  const protocol = member(root, 'protocol')
  if (protocol === PROTOCOL) return invitedBy(member(root, 'invite'))
  const found = typeof protocol === 'string' ? quoted(protocol) : 'none'
  return `expected the protocol ${PROTOCOL}, found ${found}`
}

/** @throws {DiscoveryStopped} where it invites nobody, not any more, or to another agent. */
export function locateByInvitation({ asked, account }: DiscoveryContext): AgentLocation {
  const { invitation, domain, now } = asked
  const end = (detail: string, pointer = '') => new DiscoveryStopped('invitation', UNINVITED, detail, pointer)
  if (invitation === undefined || 'refused' in invitation) throw end(invitation?.refused.detail ?? 'there is none')
  const { agent, wellKnown, pubkey, expires } = invitation
  if (domainOf(agent) !== domain.ascii) throw end(`it invites to ${quoted(agent)}`, '/invite/agent')
  const last = timeOf(expires)
  if (last === undefined || last <= now.getTime()) throw end(`it ended at ${quoted(expires)}`, '/invite/expires')
  const url = addressOf(wellKnown)!
  url.hash = ''
  account.steps.passed('invitation', `until ${expires}: ${url.href}, ${pubkey}`)
  const unasked = { name: domain.ascii, quality: 'not shown', why: 'an invitation stands in for it' } as const
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
 * What the invitation says of the key is no word of the DNS: no level is reached by it.
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
    const detail = `the invitation names ${pubkey}, the metadata has ${own}`
    throw new DiscoveryStopped('invited-key', INVITED_MISMATCH, detail, (full ?? fingerprint!).pointer)
  }
  if (full === undefined) account.warn('key', 'the metadata has a fingerprint, and no key', NO_FULL_KEY)
  else {
    account.steps.passed('invited-key', own, { fingerprint: own })
    account.isKeyInvited = true
  }
  return own
}
