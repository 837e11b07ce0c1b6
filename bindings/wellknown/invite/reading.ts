import type { Reading } from '../../frame/subject.ts'
import { Invitation } from './invitation.ts'
import { rootObject } from './rules/protocol.ts'

/** How invitations are parsed. */
export const INVITE_READING: Reading<Invitation> = {
  kind: 'invite',
  rootObject,
  subject: (document) => new Invitation(document),
}
