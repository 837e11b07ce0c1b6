import type { Document } from '../../document/document.ts'
import { explain, type Listener, type Specification } from '../../document/explain.ts'
import { Findings } from '../../document/findings.ts'
import { withoutEdits } from '../../document/fixes.ts'
import { isObject } from '../../document/members.ts'
import type { ValidationReport } from '../../document/report.ts'
import { type RuleInfo, severityOf } from '../../document/rule.ts'
import { activeRules, type RuleOptions, type RuleSettings, ruleSettings } from '../../document/rule-settings.ts'
import type { Diagnostic } from '../../document/types.ts'
import { quoted } from '../../document/words.ts'
import { A2aCard, camelCase, shapeOf } from './a2a-card.ts'
import { RULES } from './rules/index.ts'
import { legacyMember, replacement } from './rules/legacy.ts'
import { emptyValue, enumValue, memberType, missingMember, unknownMember } from './rules/schema.ts'
import { partOfScheme } from './rules/security.ts'

const active = activeRules(RULES)

const A2A: Specification = {
  name: 'A2A cards',
  rules: new Map([
    ['missing-member', missingMember],
    ['member-type', memberType],
    ['enum-value', enumValue],
    ['empty-value', emptyValue],
  ]),
  byFormat: {},
  grammar: {},
  isExtension: () => false,
  // ProtoJSON reads the names of proto, too; what this card says is then two things to two readers.
  spell: camelCase,
  adviseOn: () => ({ hint: 'params of an extension in capabilities.extensions hold anything' }),
}

/**
 * Checks an Agent Card of A2A 1.0 or 0.3 that was read. A card is of 1.0 when it has `supportedInterfaces`.
 *
 * @example
 * checkA2aCard(parse('{"supportedInterfaces": []}').document).diagnostics[0].code // 'CARD-180'
 *
 * @param before what reading it found.
 * @throws {TypeError} or {RangeError} for wrong options; never for what a card holds.
 */
export function checkA2aCard(
  document: Document,
  options: RuleOptions = {},
  before: readonly Diagnostic[] = [],
): ValidationReport {
  const settings = ruleSettings(options)
  const findings = new Findings(settings.maxDiagnostics)
  if (isObject(document.value)) check(new A2aCard(document), findings, settings)
  else findings.add(memberType, severityOf(memberType, settings.ruleset, settings.rules), '', 'Expected a JSON object')
  const found = findings.diagnostics(document, before)
  // An edit would take the signatures their validity.
  const diagnostics =
    isObject(document.value) && Object.hasOwn(document.value, 'signatures') ? found.map(withoutEdits) : found
  return { valid: !diagnostics.some(({ severity }) => severity === 'error'), kind: 'a2a', diagnostics }
}

function check(card: A2aCard, findings: Findings, settings: RuleSettings): void {
  const { document, root, version, schemes } = card
  const listener = listenerFor(card, findings, settings)
  const telling = { document, specification: A2A, listener }
  explain(telling, shapeOf(version), root.value, '')
  if (version === '0.3') {
    for (const { pointer, value } of schemes.values()) {
      const part = partOfScheme(value)
      if (part !== undefined) explain(telling, shapeOf('0.3', part), value, pointer)
    }
  }
  findings.judge(active(settings), card, { now: settings.now })
}

function listenerFor({ version }: A2aCard, findings: Findings, { ruleset, rules }: RuleSettings): Listener {
  const severity = (rule: RuleInfo) => {
    const level = severityOf(rule, ruleset, rules)
    // The schema of 0.3 asks for no more than that the member is there.
    return rule === emptyValue && version === '0.3' && level === 'error' ? 'warning' : level
  }
  return {
    fault: (rule, pointer, detail, remarks) => findings.add(rule, severity(rule), pointer, detail, remarks),
    undefinedMember(pointer, name, _, remarks) {
      const hint = replacement(name)
      const detail = `${quoted(name)} is no member of A2A 1.0 here`
      if (hint === undefined) findings.add(unknownMember, severity(unknownMember), pointer, detail, remarks)
      else {
        const fix = { hint }
        findings.add(legacyMember, severity(legacyMember), pointer, `${detail}: ${hint}`, { atName: true, fix })
      }
    },
  }
}
