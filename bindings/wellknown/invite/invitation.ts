import type { Document } from '../../document/document.ts'
import { objectAtRoot } from '../../frame/subject.ts'
import { objectMember, type Placed, type PlacedObject, textMember } from '../../text/members.ts'

/** An invitation as rules and verbs read it: only the members that are present and have the right type. */
export class Invitation {
  readonly document: Document
  readonly root: PlacedObject
  readonly protocol: Placed<string> | undefined
  readonly invite: PlacedObject | undefined
  readonly code: Placed<string> | undefined
  readonly agent: Placed<string> | undefined
  readonly wellKnown: Placed<string> | undefined
  readonly pubkey: Placed<string> | undefined
  readonly expires: Placed<string> | undefined
  readonly signature: Placed<string> | undefined

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
