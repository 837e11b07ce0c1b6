import { shapeRules, type Words } from '../frame/explain.ts'
import { ruleSettings } from '../frame/rule-settings.ts'
import { shapeOnce } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { camelCase } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { SETTINGS_READING, type SettingsSubject } from './subject.ts'

const settingsShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'Claude Code settings',
  rules: shapeRules(FINDINGS.ALL),
  spell: camelCase,
  // A rule reports unknown members.
  isExtension: () => true,
  adviseOn: () => ({ hint: 'Claude Code ignores unknown members' }),
}

export const CLAUDE_SETTINGS: Specification<SettingsSubject> = {
  ...SETTINGS_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: settingsShape(), value: root.value, pointer: '' }],
  rules: RULES,
  names: FINDINGS.names,
}
