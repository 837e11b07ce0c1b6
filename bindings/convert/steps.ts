// Runs several conversions as one.
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import type { JsonObject } from '../text/members.ts'
import { tellClassified } from './classified.ts'
import type { SourceFormat } from './formats.ts'
import { tellInvalid } from './invalid.ts'
import type { Job } from './job.ts'
import { countLost, join, originsOf, outOfTexts } from './join.ts'
import { Ledger, type StepRow } from './ledger.ts'
import { converterOf } from './pairs.ts'
import { type Problem, Problems } from './problems.ts'
import type { ConvertOptions, LossReport } from './types.ts'
import { boundsOf, write } from './write.ts'

/** The outcome of one route from format to format. */
export interface Journey {
  /** Undefined when a problem is an error. */
  readonly document: Document | undefined
  readonly loss: LossReport
  /** The problems, with pointers into the source. */
  readonly problems: readonly Problem[]
  readonly diagnostics: readonly Diagnostic[]
  /** The number of source values that the result lacks or has changed. */
  readonly lost: number
}

/** Runs the conversions of a route, until one fails. */
export function travel(document: Document, route: readonly SourceFormat[], options: ConvertOptions): Journey {
  let from = document
  let loss: readonly StepRow[] | undefined
  let problems: readonly Problem[] = []
  let diagnostics: readonly Diagnostic[] = []
  for (let i = 1; i < route.length; i++) {
    const step = take(from, [route[i - 1]!, route[i]!], options, i < route.length - 1)
    const before = loss
    const originOf = originsOf(before ?? [])
    const located = step.problems.map((problem) =>
      before === undefined ? problem : { ...problem, pointer: originOf(problem.pointer) },
    )
    problems = [...problems, ...located]
    diagnostics = [...diagnostics, ...step.diagnostics]
    if (step.document === undefined) return { document: undefined, loss: [], problems, diagnostics, lost: 0 }
    loss = before === undefined ? step.loss : join(document.value, before, from.value, step.loss, step.document.value)
    loss = outOfTexts(loss, step.document.value)
    from = step.document
  }
  const rows = loss!.map(({ by: _, ...row }) => row)
  return { document: from, loss: rows, problems, diagnostics, lost: countLost(document.value, rows) }
}

function take(
  document: Document,
  [from, to]: readonly [SourceFormat, SourceFormat],
  options: ConvertOptions,
  passing: boolean,
) {
  const ledger = new Ledger(document.value)
  const problems = new Problems()
  // A copy: carried values are merged into the result, which must not change the document.
  const root = { pointer: '', value: structuredClone(document.value) as JsonObject }
  const job: Job = { document, root, options, ledger, problems, passing }
  const product = converterOf(from, to)!(job)
  if (from === 'adl' && !problems.fatal) tellClassified(job)
  const bounds = boundsOf(to, passing)
  const loss = problems.fatal ? [] : ledger.close(product.baggage, product.document, bounds.depth)
  const text = problems.fatal ? undefined : write(product.document, bounds, problems)
  if (text === undefined || problems.fatal) {
    return { document: undefined, loss, problems: problems.found, diagnostics: [] }
  }
  const made = parse(text)
  if (to === 'adl' && !passing && made.document !== undefined) tellInvalid(made.document, loss, problems)
  return { document: made.document, loss, problems: problems.found, diagnostics: made.diagnostics }
}
