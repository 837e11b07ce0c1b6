import { specificationOf } from '../words.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { PROMPT_READING } from './subject.ts'

export const PROMPT = specificationOf(PROMPT_READING, schema, RULES)
