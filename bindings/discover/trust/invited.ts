// An invitation replaces the DNS of a private agent (ADP/1.1 section 8.3.1): it names the URL of the metadata, and the
// key. It is as trustworthy as the channel that brought it, which is not checked here.

import { parse } from '../../document/parse.ts'
import { open } from '../../frame/open.ts'
import type { Source } from '../../frame/source.ts'
import { timeOf } from '../../schema/times.ts'
import { isObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { PROTOCOL } from '../../wellknown/identity.ts'
import { addressOf, domainOf } from '../../wellknown/invite/specification.ts'
import { TRUST_INVITATION, TRUST_INVITED_KEY, TRUST_NO_KEY } from './findings.ts'
import { type InvalidInvitation, type InvitationClaims, invitedBy } from './invitation.ts'
import { type AgentLocation, DiscoveryStopped } from './locate.ts'
import type { FetchedMetadata } from './metadata.ts'
import type { DiscoveryContext } from './trust-report.ts'

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
