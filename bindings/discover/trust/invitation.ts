// The claims of an invitation.
import { isDateTime } from '../../schema/formats/time.ts'
import { isObject, member } from '../../text/members.ts'
import { readPrefixed } from '../../wellknown/identity.ts'
import { addressOf, domainOf } from '../../wellknown/invite/specification.ts'

/** The claims of an invitation, without its code, which is a secret. */
export interface InvitationClaims {
  readonly agent: string
  readonly wellKnown: string
  /** `ed25519:` and the fingerprint of the agent's key. */
  readonly pubkey: string
  readonly expires: string
}

/** The fault of a document that is not a valid invitation. */
export interface InvalidInvitation {
  readonly refused: { readonly code: string; readonly detail: string }
}

/** Reads the claims of an invitation, or says what is missing. */
export function invitedBy(invite: unknown): InvitationClaims | string {
  if (!isObject(invite)) return 'it has no object invite'
  const [agent, wellKnown, pubkey, expires, code] = ['agent', 'wellKnown', 'pubkey', 'expires', 'code'].map((name) => {
    const value = member(invite, name)
    return typeof value === 'string' ? value : ''
  }) as [string, string, string, string, string]
  if (domainOf(agent) === undefined) return 'it names no agent'
  if (addressOf(wellKnown, code) === undefined)
    return 'it has no https URL of metadata at a domain, or the URL contains the code'
  if (readPrefixed(pubkey)?.length !== 32) return 'it has no fingerprint of a key'
  if (!isDateTime(expires)) return 'it does not say when it expires'
  return { agent, wellKnown, pubkey, expires }
}
