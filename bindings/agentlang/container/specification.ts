// Containers of AgentLang as a specification of the frame.
import { shapeRules, type Words } from '../../frame/explain.ts'
import { ruleSettings } from '../../frame/rule-settings.ts'
import { shapeOnce } from '../../frame/shape.ts'
import type { Specification } from '../../frame/specification.ts'
import { severityOf } from '../../frame/subject.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from './findings.ts'
import { RULES } from './rules.ts'
import schema from './schema.json' with { type: 'json' }
import { CONTAINER_READING, type Container } from './subject.ts'

export const containerShape = shapeOnce(schema)

const WORDS: Words = {
  name: 'containers',
  rules: shapeRules([
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.VALUE_PATTERN,
    FINDINGS.ENUM_VALUE,
    FINDINGS.NUMBER_RANGE,
    FINDINGS.EMPTY_VALUE,
  ]),
  byFormat: {},
  grammar: {},
  isExtension: () => false,
  adviseOn: () => ({ hint: 'build the container again: a manifest has no other members' }),
}

export const CONTAINER: Specification<Container> = {
  ...CONTAINER_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes: ({ root }) => [{ shape: containerShape(), value: root.value, pointer: '' }],
  listener: (_, findings, { ruleset, rules }) => ({
    undefinedMember(pointer, name, _place, remarks) {
      const severity = severityOf(FINDINGS.MANIFEST_MEMBER, ruleset, rules)
      findings.add(FINDINGS.MANIFEST_MEMBER, severity, pointer, `Member ${quoted(name)} is not defined`, remarks)
    },
  }),
  rules: RULES,
  names: FINDINGS.names,
  // An edit would invalidate the signature.
  isEditable: () => false,
}
