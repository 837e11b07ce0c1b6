import type { Reading } from '../../frame/subject.ts'
import { ROOT_OBJECT } from './findings.ts'
import { Invitation } from './invitation.ts'

/** How invitations are parsed. */
export const INVITE_READING: Reading<Invitation> = {
  kind: 'invite',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Invitation(document),
}
