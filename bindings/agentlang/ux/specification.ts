// ux.yaml as a specification of the frame.
import { ruleSettings } from '../../frame/rule-settings.ts'
import { shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import * as FINDINGS from '../findings.ts'
import { hiddenText, listenerFor, literalSecret, WORDS } from '../words.ts'
import schema from './schema.json' with { type: 'json' }
import { UX_READING, type UxHints } from './subject.ts'

const shape = shapeOnce(schema)

export const UX: Specification<UxHints> = {
  ...UX_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: shape(), value: root.value, pointer: '' }],
  listener: listenerFor,
  rules: [literalSecret, hiddenText],
  names: FINDINGS.names,
}
