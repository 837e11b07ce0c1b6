import { hiddenText, literalSecret, specificationOf } from '../words.ts'
import schema from './schema.json' with { type: 'json' }
import { UX_READING } from './subject.ts'

export const UX = specificationOf(UX_READING, schema, [literalSecret, hiddenText])
