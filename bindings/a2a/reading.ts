import type { Reading } from '../frame/subject.ts'
import { A2aCard } from './a2a-card.ts'
import { A2A_MEMBER_TYPE } from './findings.ts'

/** How A2A cards are parsed. */
export const A2A_READING: Reading<A2aCard> = {
  kind: 'a2a',
  rootObject: A2A_MEMBER_TYPE,
  subject: (document) => new A2aCard(document),
}
