import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { textMember } from '../text/members.ts'
import * as FINDINGS from './findings.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { CODEX_READING, type CodexSubject } from './subject.ts'

const fileShape = shapeOnce(schema)
const policyShape = shapeOnce(schema.$defs.policy)

const WORDS: Words = {
  name: 'configurations of Codex',
  rules: shapeRules(FINDINGS.ALL),
  spell: (name) => name,
  // A rule reports unknown members.
  isExtension: () => true,
  adviseOn: () => ({ hint: 'Codex ignores unknown keys' }),
}

export const CODEX_CONFIG: Specification<CodexSubject> = {
  ...CODEX_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root, holders }) => [
    { shape: fileShape(), value: root.value, pointer: '' },
    // A policy may also be a table.
    ...holders.flatMap((holder) => {
      const policy = textMember(holder, 'approval_policy')
      return policy === undefined ? [] : [{ shape: policyShape(), ...policy }]
    }),
  ],
  rules: RULES,
  names: FINDINGS.names,
}
