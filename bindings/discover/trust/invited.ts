// An invitation stands in for the DNS of a private agent (ADP/1.1 section 8.3.1): it says where the metadata is, and which key it has.
// It is worth as much as the way by which it came, which nothing here shows.
import { parse } from '../../document/parse.ts'
import { open } from '../../frame/open.ts'
import type { Source } from '../../frame/source.ts'
import { isDateTime } from '../../schema/formats/time.ts'
import { isObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { addressOf, domainOf } from '../../wellknown/invite/address.ts'
import { readPrefixed } from '../../wellknown/public-key.ts'
import type { Asked, Task } from './account.ts'
import { UNINVITED } from './findings.ts'
import { Ended, type Located } from './locate.ts'

/** What counts of an invitation. Its code is a secret, and is not among it. */
export interface Invited {
  readonly agent: string
  readonly wellKnown: string
  /** `ed25519:` and the fingerprint of the agent's key. */
  readonly pubkey: string
  readonly expires: string
}

/** A document by which nobody is invited, and why. */
export interface Uninvited {
  readonly refused: { readonly code: string; readonly detail: string }
}

/** Reads an invitation for what it says of its agent; `validate` of `blazon/invite` lists everything that is wrong with one. */
export function readInvitation(source: Source): Invited | Uninvited {
  const { document, diagnostics } = open(parse, source, { as: 'invite', format: 'json' })
  const invite = isObject(document?.value) ? member(document.value, 'invite') : undefined
  const read = document === undefined ? diagnostics[0]!.detail : invitedBy(invite)
  return typeof read === 'string' ? { refused: { code: UNINVITED.code, detail: read } } : read
}

/** What an invitation says, or why it says too little. */
export function invitedBy(invite: unknown): Invited | string {
  if (!isObject(invite)) return 'it has no object invite'
  const [agent, wellKnown, pubkey, expires, code] = ['agent', 'wellKnown', 'pubkey', 'expires', 'code'].map((name) => {
    const value = member(invite, name)
    return typeof value === 'string' ? value : ''
  }) as [string, string, string, string, string]
  if (domainOf(agent) === undefined) return 'it names no agent'
  if (addressOf(wellKnown, code) === undefined)
    return 'it has no address of metadata, at https: and a domain, without its code'
  if (readPrefixed(pubkey)?.length !== 32) return 'it has no fingerprint of a key'
  if (!isDateTime(expires)) return 'it does not say when it ends'
  return { agent, wellKnown, pubkey, expires }
}

/** The invitation of a discovery, if it was made by one. */
export const invitedIn = ({ invitation }: Asked): Invited | undefined =>
  invitation === undefined || 'refused' in invitation ? undefined : invitation

/** @throws {Ended} where it invites nobody, not any more, or to another agent. */
export function locateByInvitation({ asked, account }: Task): Located {
  const { invitation, domain, now } = asked
  const end = (detail: string, pointer = '') => new Ended('invitation', UNINVITED, detail, pointer)
  if (invitation === undefined || 'refused' in invitation) throw end(invitation?.refused.detail ?? 'there is none')
  const { agent, wellKnown, pubkey, expires } = invitation
  if (domainOf(agent) !== domain.ascii) throw end(`it invites to ${quoted(agent)}`, '/invite/agent')
  if (Date.parse(expires) <= now.getTime()) throw end(`it ended at ${quoted(expires)}`, '/invite/expires')
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
  }
}
