// A2A 1.0 and 0.3 as a specification of the frame.

import { type FindingKind, namesOf } from '../document/finding.ts'
import type { Findings } from '../frame/collect.ts'
import type { Listener, Words } from '../frame/explain.ts'
import { CARD_OTHER_ID, CARD_SIGNATURE_INTEGER } from '../frame/findings.ts'
import { type RuleSettings, ruleSettings } from '../frame/rule-settings.ts'
import type { Specification } from '../frame/specification.ts'
import { severityOf } from '../frame/subject.ts'
import { isObject } from '../text/members.ts'
import { camelCase, quoted } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import { partOfScheme, RULES } from './rules.ts'
import { A2A_READING, type A2aCard, shapeOf } from './subject.ts'

const WORDS: Words = {
  name: 'A2A cards',
  rules: new Map([
    ['missing-member', FINDINGS.A2A_MISSING_MEMBER],
    ['member-type', FINDINGS.A2A_MEMBER_TYPE],
    ['enum-value', FINDINGS.A2A_ENUM_VALUE],
    ['empty-value', FINDINGS.A2A_EMPTY_VALUE],
  ]),
  isExtension: () => false,
  // ProtoJSON accepts proto names as well, so readers would interpret such a card differently.
  spell: camelCase,
  adviseOn: () => ({ hint: 'params of an extension in capabilities.extensions hold anything' }),
}

/** Members of 0.3 and earlier, with their replacement in 1.0. */
const IN_CURRENT: Readonly<Record<string, string>> = {
  url: '1.0 says it as supportedInterfaces[].url; a server gives each client its version by the header A2A-Version',
  preferredTransport: '1.0 says it as protocolBinding of the first of supportedInterfaces',
  additionalInterfaces: '1.0 lists every interface in supportedInterfaces',
  protocolVersion: '1.0 says it as supportedInterfaces[].protocolVersion',
  transport: '1.0 calls it protocolBinding',
  security: '1.0 calls it securityRequirements: [{"schemes": {"name": {"list": ["scope"]}}}]',
  supportsAuthenticatedExtendedCard: '1.0 says it as capabilities.extendedAgentCard',
  stateTransitionHistory: '1.0 has taken it out',
  authentication: '1.0 says it by securitySchemes and securityRequirements',
  protocol: '1.0 says it as supportedInterfaces[].protocolVersion',
  endpoints: '1.0 lists them in supportedInterfaces',
  type: '1.0 has one member instead, such as apiKeySecurityScheme, httpAuthSecurityScheme, oauth2SecurityScheme',
  in: '1.0 calls it location',
}

/** The replacement in 1.0 of a member of 0.3. Undefined for other names. */
function replacement(name: string): string | undefined {
  return Object.hasOwn(IN_CURRENT, name) ? IN_CURRENT[name] : undefined
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
  names: () => [...FINDINGS.names(), ...namesOf([CARD_OTHER_ID, CARD_SIGNATURE_INTEGER])],
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
