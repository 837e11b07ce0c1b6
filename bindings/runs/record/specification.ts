// ADP-1 run records as a specification of the frame.

import { canonicalizeValue } from '../../core/value.ts'
import { parse } from '../../document/parse.ts'
import { check, checkSubject } from '../../frame/check.ts'
import { Findings } from '../../frame/collect.ts'
import { shapeRules, type Words } from '../../frame/explain.ts'
import { activeRules, type RuleSettings, ruleSettings } from '../../frame/rule-settings.ts'
import { hasShape } from '../../frame/shape.ts'
import { type Conformance, conformance, type DemandOutcome, type Verdict } from '../../frame/source.ts'
import type { Specification } from '../../frame/specification.ts'
import { severityOf } from '../../frame/subject.ts'
import { type JsonObject, textMember, valueAt } from '../../text/members.ts'
import { parseCapability } from '../identity/capability.ts'
import { isConsistent, VERDICT } from '../verdict/specification.ts'
import * as FINDINGS from './findings.ts'
import { FINGERPRINT, RULES } from './rules.ts'
import { RUN_READING, Run, type Step, shape } from './subject.ts'

/** A program that reads a record keeps all of it in memory. */
const MOST_STEPS = 100_000

const WORDS: Words = {
  name: 'ADP-1',
  rules: shapeRules(FINDINGS.ALL),
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

// The levels of ADP-1 section 8.1, as far as a record alone shows them.

/** Section 3.1.1. */
const RUN_PATHS = [
  '/version',
  '/run_id',
  '/tenant_id',
  '/agent/agent_id',
  '/agent/aip/cert_fingerprint',
  '/steps',
  '/status',
  '/started_at',
  '/completed_at',
]

type Answer = readonly [outcome: DemandOutcome, detail: string]

/** Every demand, and how a record meets it. A record alone shows level 1 at most: level 2 needs the certificate. */
const DEMANDS: readonly (readonly [level: number, title: string, judge: (run: Run) => Answer])[] = [
  [1, 'valid against the schema', fitsSchema],
  [1, 'required fields of the run', (run) => lacking(RUN_PATHS.filter((path) => isMissing(run.root.value, path)))],
  [1, 'required fields of every step', lackingInSteps],
  [2, 'fingerprint of an AIP-1 certificate', fingerprint],
  [2, 'capabilities from the certificate', capabilities],
  [2, 'linkage to the certificate', linkage],
  [3, 'a step for every action', everyAction],
  [3, 'reflections with uncertainty', reflections],
  [3, 'verdicts for outputs that a policy checked', verdicts],
]

/** @param linkage the verdict about the certificate; when it is `verified`, that shows what a record cannot. */
export function levelsOf(run: Run, linkage?: Verdict): Conformance {
  const demands = DEMANDS.map(([level, title, judge]) => {
    const [outcome, detail] = judge(run)
    return level === 2 && outcome === 'unknown' && linkage === 'verified'
      ? { level, title, outcome: 'met' as const, detail: 'the certificate shows it' }
      : { level, title, outcome, detail }
  })
  return conformance('ADP-1', demands)
}

const isMissing = (value: unknown, path: string) => valueAt(value, path) === undefined

/** True for a step without a member of section 3.2.1. No pointers here, which a hundred thousand steps would parse again and again. */
const lacksField = (step: Step) =>
  [
    step.value['index'],
    step.value['timestamp'],
    step.part('action')?.['type'],
    step.part('observation')?.['type'],
  ].includes(undefined)

function fitsSchema(run: Run): Answer {
  return run.fitsSchema
    ? ['met', 'types and values are those of the schema']
    : ['unmet', 'the findings say where it differs']
}

const lacking = (paths: readonly string[]): Answer =>
  paths.length === 0 ? ['met', 'all are there'] : ['unmet', `${paths.join(', ')} missing`]

function lackingInSteps({ steps }: Run): Answer {
  const without = steps.filter(lacksField)
  return without.length === 0 ? ['met', 'all are there'] : ['unmet', `${countOf(without, steps)} lack some`]
}

const countOf = (some: readonly Step[], all: readonly Step[]) => `${some.length} of ${all.length} steps`

function fingerprint({ aip }: Run): Answer {
  const text = textMember(aip, 'cert_fingerprint')?.value ?? 'none'
  if (FINGERPRINT.test(text)) return ['unknown', 'only the certificate shows whether it is its own']
  return ['unmet', text === 'none' ? 'the run had no certificate' : 'it is not a SHA-256']
}

function capabilities(run: Run): Answer {
  const texts = run.capabilities.map(({ value }) => value)
  if (texts.length === 0) return ['unmet', 'agent.aip.capabilities is missing or empty']
  if (texts.some((text) => parseCapability(text) === undefined)) return ['unmet', 'some are malformed']
  return ['unknown', 'only the certificate shows where they come from']
}

function linkage(run: Run): Answer {
  const tenant = textMember(run.aip, 'tenant_id')?.value
  if (tenant !== undefined && tenant !== run.get('tenant_id')) return ['unmet', 'the record names two tenants']
  return ['unknown', 'the reader of the record checks the certificate']
}

function everyAction({ steps }: Run): Answer {
  const indices = new Set(steps.map(({ index }) => index))
  const isComplete = steps.every((_, position) => indices.has(position))
  return isComplete
    ? ['unknown', 'a record does not show what was left out']
    : ['unmet', 'the indices of the steps have gaps']
}

function reflections({ steps }: Run): Answer {
  const without = steps.filter((step) => typeof step.part('reflection')?.['uncertainty'] !== 'number')
  return without.length === 0 ? ['met', 'every step has one'] : ['unmet', `${countOf(without, steps)} have none`]
}

function verdicts(run: Run): Answer {
  const judged = run.steps.filter(({ isVerdict }) => isVerdict)
  if (judged.length === 0) return ['unknown', 'a record does not show whether a policy checked the output']
  if (judged.some(({ isOutputRedacted }) => isOutputRedacted)) return ['unknown', 'verdicts were removed']
  const invalid = judged.filter((step) => {
    const verdict = step.verdict(run)
    return verdict === undefined || !isConsistent(verdict)
  })
  return invalid.length === 0
    ? ['met', 'the verdicts in the steps are valid']
    : ['unmet', `${invalid.length} of ${judged.length} verdicts are not valid`]
}

// What `validate` says about a part of a record: its head, one step, or its end. The rest counts as sound.

const HEAD = {
  version: 'adp-1',
  run_id: 'r',
  tenant_id: 't',
  agent: { agent_id: 'a', aip: { cert_fingerprint: 'none' } },
  started_at: '2025-01-01T00:00:00Z',
}
const END = { status: 'succeeded', completed_at: '2025-01-01T00:00:00Z' }

const documentOf = (record: JsonObject) => parse(canonicalizeValue(record))

function faultIn(record: JsonObject): string | undefined {
  const { diagnostics } = check(RUN, documentOf(record), RUN.settings({}))
  const error = diagnostics.find(({ severity }) => severity === 'error')
  return error && `${error.detail} (${error.code})`
}

/** The first error of a head, without the members that are known later. */
export const faultOfHead = (run: JsonObject) => faultIn({ ...run, steps: [], ...END })

/** The first error of an end. */
export const faultOfEnd = (end: JsonObject) => faultIn({ ...HEAD, steps: [], ...end })

/** True for members that a sound end may have. */
export const canEndWith = (members: JsonObject): boolean => faultOfEnd({ ...END, ...members }) === undefined

/** True for a step without errors of its own. Whether its parent exists only the record shows. */
export function isSoundStep(step: JsonObject): boolean {
  const parent = Number.isSafeInteger(step['parent_step_index']) && { parent_step_index: null }
  const value = { ...HEAD, steps: [{ ...step, ...parent }], ...END }
  return hasNoErrors(new Run({ pointer: '', value }, () => documentOf(value).document!))
}
