// PromptLang as a specification of the frame.
import { ruleSettings } from '../../frame/rule-settings.ts'
import { shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import * as FINDINGS from '../findings.ts'
import { listenerFor, WORDS } from '../words.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { PROMPT_READING, type Prompt } from './subject.ts'

const shape = shapeOnce(schema)

export const PROMPT: Specification<Prompt> = {
  ...PROMPT_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: shape(), value: root.value, pointer: '' }],
  listener: listenerFor,
  rules: RULES,
  names: FINDINGS.names,
}
