import type { Document } from '../../document/parse.ts'
import { objectAtRoot, type Reading } from '../../frame/subject.ts'
import { isDomain } from '../../text/host-name.ts'
import { objectMember, type PlacedObject, type PlacedValue, textMember } from '../../text/members.ts'
import { ROOT_OBJECT } from './findings.ts'

/** An invitation as rules and verbs read it: only the members that are present and have the right type. */
export class Invitation {
  readonly document: Document
  readonly root: PlacedObject
  readonly protocol: PlacedValue<string> | undefined
  readonly invite: PlacedObject | undefined
  readonly code: PlacedValue<string> | undefined
  readonly agent: PlacedValue<string> | undefined
  readonly wellKnown: PlacedValue<string> | undefined
  readonly pubkey: PlacedValue<string> | undefined
  readonly expires: PlacedValue<string> | undefined
  readonly signature: PlacedValue<string> | undefined

  /** @throws {TypeError} when the document is not a JSON object. */
  constructor(document: Document) {
    const root = objectAtRoot(document)
    const invite = objectMember(root, 'invite')
    this.document = document
    this.root = root
    this.protocol = textMember(root, 'protocol')
    this.invite = invite
    this.code = textMember(invite, 'code')
    this.agent = textMember(invite, 'agent')
    this.wellKnown = textMember(invite, 'wellKnown')
    this.pubkey = textMember(invite, 'pubkey')
    this.expires = textMember(invite, 'expires')
    this.signature = textMember(root, 'signature')
  }
}

/** How invitations are parsed. */
export const INVITE_READING: Reading<Invitation> = {
  kind: 'invite',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Invitation(document),
}

/** Returns the domain in lower case. Undefined for text that is not an agent URI. */
export function domainOf(agent: string): string | undefined {
  const domain = /^agent:(.*)$/i.exec(agent)?.[1]?.toLowerCase()
  return domain !== undefined && isDomain(domain) ? domain : undefined
}

/** A shorter code may occur in any address by chance, and gives no protection anyway. */
const LEAST_CODE = 8

/**
 * Returns an address from which metadata may be fetched. Undefined for others. The address must not contain the code,
 * because addresses are logged and recorded in traces.
 */
export function addressOf(text: string, code = ''): URL | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined
  if (code.length >= LEAST_CODE && text.includes(code)) return undefined
  const address = new URL(text)
  return isDomain(address.hostname) && address.username === '' && address.password === '' ? address : undefined
}
