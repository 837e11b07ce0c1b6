import type { Reading } from '../../frame/subject.ts'
import { Invitation } from './invitation.ts'
import { rootObject } from './rules/protocol.ts'

/** Makes a document into an invitation that rules can read. */
export const INVITE_READING: Reading<Invitation> = {
  kind: 'invite',
  rootObject,
  subject: (document) => new Invitation(document),
}
