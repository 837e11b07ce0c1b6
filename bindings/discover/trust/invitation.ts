// What counts of an invitation for who follows it.
import { isDateTime } from '../../schema/formats/time.ts'
import { isObject, member } from '../../text/members.ts'
import { addressOf, domainOf } from '../../wellknown/invite/address.ts'
import { readPrefixed } from '../../wellknown/public-key.ts'

/** What counts of an invitation. Its code is a secret, and is not among it. */
export interface InvitationClaims {
  readonly agent: string
  readonly wellKnown: string
  /** `ed25519:` and the fingerprint of the agent's key. */
  readonly pubkey: string
  readonly expires: string
}

/** A document by which nobody is invited, and why. */
export interface InvalidInvitation {
  readonly refused: { readonly code: string; readonly detail: string }
}

/** What an invitation says, or why it says too little. */
export function invitedBy(invite: unknown): InvitationClaims | string {
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
