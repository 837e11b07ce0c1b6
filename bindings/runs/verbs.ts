import { canonicalizeValue } from '../core/value.ts'
import type { Diagnostic } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { Source, ValidationReport } from '../frame/source.ts'
import { type ValidateOptions, validateAs } from '../frame/verbs.ts'
import { valueAt } from '../text/members.ts'
import { RUN } from './record/specification.ts'
import { RUN_READING, type Run } from './record/subject.ts'

export declare namespace validate {
  type Options = ValidateOptions
}

/**
 * Validates a run record: its members, the order of its steps, and the verdicts in them. The report has the level of
 * ADP-1 that the record shows.
 *
 * @example
 * validate(record).conformance.level // 1
 *
 * @throws {TypeError} or {RangeError} for wrong arguments; never for the content of a record.
 */
export function validate(source: Source, options: ValidateOptions = {}): ValidationReport {
  return validateAs(RUN, source, options)
}

// Finds the step where two runs part. Times, costs and reflections always differ, so they are not compared.

/** In the order in which a step happens. */
const COMPARED = [
  '/parent_step_index',
  '/action/type',
  '/action/name',
  '/action/input',
  '/observation/type',
  '/observation/output',
  '/observation/error',
]
const ENDS = ['/final_output', '/status', '/error', '/cancellation']

interface RunDifference {
  /** The position of the step; undefined when all steps are alike and the runs end differently. */
  readonly step: number | undefined
  /** The value that differs. */
  readonly pointer: string
  /** Undefined when only the other run has it. */
  readonly a: unknown
  readonly b: unknown
}

export declare namespace diffRuns {
  interface Result {
    /** Undefined when both runs did the same, and when one cannot be read. */
    readonly difference: RunDifference | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
}

/**
 * The first step where two runs part.
 *
 * @example
 * diffRuns(monday, tuesday).difference // { step: 3, pointer: '/steps/3/action/name', a: 'search', b: 'read_file' }
 */
export function diffRuns(a: Source, b: Source): diffRuns.Result {
  const [first, second] = [readAs(RUN_READING, a), readAs(RUN_READING, b)]
  const [left, right] = [first.subject, second.subject]
  const difference = left && right && (differenceOfSteps(left, right) ?? differenceOf(left, right, '', ENDS))
  return { difference, diagnostics: [...first.diagnostics, ...second.diagnostics] }
}

function differenceOfSteps(a: Run, b: Run): RunDifference | undefined {
  const [stepsOfA, stepsOfB] = [a, b].map((run) => run.steps.length) as [number, number]
  for (let step = 0; step < Math.max(stepsOfA, stepsOfB); step++) {
    const pointer = `/steps/${step}`
    const isShared = step < Math.min(stepsOfA, stepsOfB)
    const found = differenceOf(a, b, pointer, isShared ? COMPARED : [''])
    if (found !== undefined) return { ...found, step }
  }
  return undefined
}

function differenceOf(a: Run, b: Run, pointer: string, paths: readonly string[]): RunDifference | undefined {
  for (const path of paths) {
    const [left, right] = [a, b].map((run) => valueAt(run.root.value, pointer + path))
    if (canonicalText(left) !== canonicalText(right))
      return { step: undefined, pointer: pointer + path, a: left, b: right }
  }
  return undefined
}

const decoder = new TextDecoder()

/** Absent and null say the same. */
const canonicalText = (value: unknown) => (value == null ? '' : decoder.decode(canonicalizeValue(value)))
