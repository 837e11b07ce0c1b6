import type { Document } from '../document/document.ts'
import { explain, type Listener } from '../document/explain.ts'
import { Findings } from '../document/findings.ts'
import { withoutEdits } from '../document/fixes.ts'
import { isObject } from '../document/members.ts'
import type { ValidationReport } from '../document/report.ts'
import { severityOf } from '../document/rule.ts'
import { activeRules, type RuleOptions, type RuleSettings, ruleSettings } from '../document/rule-settings.ts'
import type { Diagnostic } from '../document/types.ts'
import { Card } from './card.ts'
import { ROOT_OBJECT } from './rules/document.ts'
import { RULES } from './rules/index.ts'
import { matchesSchema } from './schema-check.ts'
import { cardShape } from './shape.ts'
import { checkOctets } from './size.ts'
import { AGENT_CARD } from './specification.ts'

const active = activeRules(RULES)

/**
 * Checks an Agent Card that was read: the schema, and every rule of the draft.
 *
 * @example
 * checkCard(parse('{"id": "agent://scout"}').document).diagnostics[0].code // 'CARD-103'
 *
 * @param before what reading it found.
 * @throws {TypeError} or {RangeError} for wrong options; never for what a card holds.
 */
export function checkCard(
  document: Document,
  options: RuleOptions = {},
  before: readonly Diagnostic[] = [],
): ValidationReport {
  const settings = ruleSettings(options)
  const findings = new Findings(settings.maxDiagnostics)
  if (isObject(document.value)) check(new Card(document), findings, settings)
  else findings.add(ROOT_OBJECT, 'error', '', 'Expected a JSON object')
  const diagnostics = findings.diagnostics(document, before.map(ofSeq)).map(isSigned(document) ? withoutEdits : asItIs)
  return { valid: !diagnostics.some(({ severity }) => severity === 'error'), kind: 'card', diagnostics }
}

function check(card: Card, findings: Findings, settings: RuleSettings): void {
  checkOctets(card.document, findings)
  checkMembers(card, findings, settings)
  findings.judge(active(settings), card, { now: settings.now })
}

/** What schema.json demands. A card without a fault is looked at once. */
function checkMembers({ document, root }: Card, findings: Findings, { ruleset, rules }: RuleSettings): void {
  if (matchesSchema(root.value)) return
  const listener: Listener = {
    fault: (rule, pointer, detail, remarks) =>
      findings.add(rule, severityOf(rule, ruleset, rules), pointer, detail, remarks),
    // Whatever else a card holds is ignored (section 3.1).
    undefinedMember() {},
  }
  explain({ document, specification: AGENT_CARD, listener }, cardShape(), root.value, '')
}

/** An edit would take the signature its validity: whoever mends such a card signs it again, and has to mean to. */
function isSigned({ value }: Document): boolean {
  return isObject(value) && Object.hasOwn(value, 'signature')
}

/** Other integers that large belong into strings; of seq there is the advice to stay below (section 3.1: uint64). */
function ofSeq(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.source.pointer !== '/seq' || diagnostic.rule !== 'json/unsafe-integer') return diagnostic
  return { ...diagnostic, fix: { hint: 'count from a lower number: signatures cover a seq up to 9007199254740991' } }
}

const asItIs = (diagnostic: Diagnostic) => diagnostic
