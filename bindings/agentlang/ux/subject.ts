import { type Reading, RootSubject } from '../../frame/subject.ts'
import { ROOT_OBJECT } from '../findings.ts'

export const UX_READING: Reading<RootSubject> = {
  kind: 'ux',
  rootObject: ROOT_OBJECT,
  subject: (document) => new RootSubject(document),
}
