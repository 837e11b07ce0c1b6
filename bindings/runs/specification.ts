// ADP-1 run records as a specification of the frame.
import { checkSubject, Findings } from '../frame/check.ts'
import { shapeRules, type Words } from '../frame/explain.ts'
import { activeRules, type RuleSettings, ruleSettings } from '../frame/rule-settings.ts'
import { hasShape } from '../frame/shape.ts'
import type { Specification } from '../frame/specification.ts'
import { severityOf } from '../frame/subject.ts'
import * as FINDINGS from './findings.ts'
import { levelsOf } from './levels.ts'
import { RULES } from './rules.ts'
import { RUN_READING, type Run, shape } from './subject.ts'
import { VERDICT } from './verdict/specification.ts'

/** A program that reads a record keeps all of it in memory. */
const MOST_STEPS = 100_000

const WORDS: Words = {
  name: 'ADP-1',
  rules: shapeRules([
    FINDINGS.MISSING_MEMBER,
    FINDINGS.MEMBER_TYPE,
    FINDINGS.EMPTY_VALUE,
    FINDINGS.ENUM_VALUE,
    FINDINGS.NUMBER_RANGE,
    FINDINGS.RUN_TIME,
  ]),
  byFormat: { 'iso-8601': 'run-time' },
  grammar: { 'iso-8601': 'a time such as 2025-12-10T19:00:00Z' },
  // Readers ignore members that they do not know, and writers keep them.
  isExtension: () => false,
  adviseOn: () => ({ hint: 'members that are not known are ignored' }),
}

/** True when a step has the shape that the schema requires. */
export const isStep = (step: unknown): boolean => hasShape(shape().members!.get('steps')!.items!, step, () => false)

export const RUN: Specification<Run> = {
  ...RUN_READING,
  words: WORDS,
  settings: ruleSettings,
  gate,
  shapes: ({ fitsSchema, root }) => (fitsSchema ? [] : [{ shape: shape(), value: root.value, pointer: '' }]),
  check: checkVerdicts,
  rules: RULES,
  names: FINDINGS.names,
  conformance: (run) => (refusalOf(run) === undefined ? levelsOf(run) : undefined),
}

function refusalOf(run: Run) {
  const other = RUN_READING.otherVersion?.(run)
  if (other !== undefined) return other
  const steps = run.get('steps')
  return Array.isArray(steps) && steps.length > MOST_STEPS
    ? {
        rule: FINDINGS.RUN_SIZE,
        pointer: '/steps',
        detail: `Expected at most ${MOST_STEPS} steps, found ${steps.length}`,
      }
    : undefined
}

function gate(run: Run, findings: Findings, { ruleset, rules }: RuleSettings): boolean {
  const refusal = refusalOf(run)
  if (refusal === undefined) return true
  findings.add(refusal.rule, severityOf(refusal.rule, ruleset, rules), refusal.pointer, refusal.detail)
  return false
}

/** Checks the verdicts in the steps, each like a document of its own. */
function checkVerdicts(run: Run, findings: Findings, settings: RuleSettings): void {
  for (const step of run.steps) {
    const verdict = step.verdict(run)
    if (verdict !== undefined) checkSubject(VERDICT, run.document, verdict, findings, settings)
  }
}

/** True only for a record without errors. Needs no document unless the record has verdicts. */
export function hasNoErrors(run: Run): boolean {
  const settings = ruleSettings({})
  const findings = new Findings(1)
  if (!gate(run, findings, settings) || !run.fitsSchema) return false
  checkVerdicts(run, findings, settings)
  const rules = activeRules(RULES, settings).filter(([, severity]) => severity === 'error')
  findings.judge(rules, run, settings)
  return !findings.hasErrors
}
