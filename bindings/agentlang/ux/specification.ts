import { type Reading, RootSubject } from '../../frame/subject.ts'
import { ROOT_OBJECT } from '../findings.ts'
import { hiddenText, literalSecret, specificationOf } from '../words.ts'
import schema from './schema.json' with { type: 'json' }

export const UX_READING: Reading<RootSubject> = {
  kind: 'ux',
  rootObject: ROOT_OBJECT,
  subject: (document) => new RootSubject(document),
}

export const UX = specificationOf(UX_READING, schema, [literalSecret, hiddenText])
