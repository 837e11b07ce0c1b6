// A2A 1.0 and 0.3 as a specification of the frame.
import type { FindingKind } from '../document/finding.ts'
import type { Findings } from '../frame/collect.ts'
import type { Listener, Words } from '../frame/explain.ts'
import { severityOf } from '../frame/rule.ts'
import { type RuleSettings, ruleSettings } from '../frame/rule-settings.ts'
import type { Specification } from '../frame/specification.ts'
import { isObject } from '../text/members.ts'
import { camelCase, quoted } from '../text/words.ts'
import { type A2aCard, shapeOf } from './a2a-card.ts'
import * as FINDINGS from './findings.ts'
import { A2A_READING } from './reading.ts'
import { RULES } from './rules/index.ts'
import { replacement } from './rules/legacy.ts'
import { partOfScheme } from './rules/security.ts'

const WORDS: Words = {
  name: 'A2A cards',
  rules: new Map([
    ['missing-member', FINDINGS.A2A_MISSING_MEMBER],
    ['member-type', FINDINGS.A2A_MEMBER_TYPE],
    ['enum-value', FINDINGS.A2A_ENUM_VALUE],
    ['empty-value', FINDINGS.A2A_EMPTY_VALUE],
  ]),
  byFormat: {},
  grammar: {},
  isExtension: () => false,
  // ProtoJSON accepts proto names as well, so readers would interpret such a card differently.
  spell: camelCase,
  adviseOn: () => ({ hint: 'params of an extension in capabilities.extensions hold anything' }),
}

export const A2A: Specification<A2aCard> = {
  ...A2A_READING,
  words: WORDS,
  settings: ruleSettings,
  shapes({ root, version, schemes }) {
    const whole = { shape: shapeOf(version), value: root.value, pointer: '' }
    if (version === '1.0') return [whole]
    const parts = [...schemes.values()].flatMap(({ pointer, value }) => {
      const part = partOfScheme(value)
      return part === undefined ? [] : [{ shape: shapeOf('0.3', part), value, pointer }]
    })
    return [whole, ...parts]
  },
  listener: listenerFor,
  rules: RULES,
  names: FINDINGS.names,
  // An edit would invalidate the signatures.
  isEditable: ({ value }) => !(isObject(value) && Object.hasOwn(value, 'signatures')),
}

function listenerFor({ version }: A2aCard, findings: Findings, { ruleset, rules }: RuleSettings): Listener {
  const severity = (rule: FindingKind) => {
    const level = severityOf(rule, ruleset, rules)
    // The 0.3 schema only requires that the member is present.
    return rule === FINDINGS.A2A_EMPTY_VALUE && version === '0.3' && level === 'error' ? 'warning' : level
  }
  return {
    fault: (rule, pointer, detail, remarks) => findings.add(rule, severity(rule), pointer, detail, remarks),
    undefinedMember(pointer, name, _, remarks) {
      const hint = replacement(name)
      const detail = `${quoted(name)} is no member of A2A 1.0 here`
      if (hint === undefined)
        findings.add(FINDINGS.A2A_UNKNOWN_MEMBER, severity(FINDINGS.A2A_UNKNOWN_MEMBER), pointer, detail, remarks)
      else {
        const fix = { hint }
        findings.add(FINDINGS.A2A_LEGACY_MEMBER, severity(FINDINGS.A2A_LEGACY_MEMBER), pointer, `${detail}: ${hint}`, {
          atName: true,
          fix,
        })
      }
    },
  }
}
