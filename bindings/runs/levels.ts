// The levels of ADP-1 section 8.1, as far as a record alone shows them.

import type { Verdict } from '../frame/source.ts'
import { type Conformance, conformance, type DemandOutcome } from '../frame/verbs.ts'
import { textMember, valueAt } from '../text/members.ts'
import { parseCapability } from './capability.ts'
import { FINGERPRINT } from './rules.ts'
import type { Run, Step } from './subject.ts'
import { isConsistent } from './verdict/specification.ts'

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

function lacking(paths: readonly string[]): Answer {
  return paths.length === 0 ? ['met', 'all are there'] : ['unmet', `${paths.join(', ')} missing`]
}

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
