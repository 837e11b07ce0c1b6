import type { Document } from '../../document/document.ts'
import { objectAtRoot } from '../../frame/subject.ts'
import { objectMember, type PlacedObject, type PlacedValue, textMember } from '../../text/members.ts'

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
