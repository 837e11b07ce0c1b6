// Splits a finished record into the lines of a stream.
import { canonicalizeValue } from '../../core/value.ts'
import type { Document } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import type { FileOptions, Source } from '../../frame/source.ts'
import { ruleDiagnostic } from '../../frame/subject.ts'
import type { JsonObject } from '../../text/members.ts'
import { RUN } from '../specification.ts'
import type { Run } from '../subject.ts'
import * as FINDINGS from './findings.ts'
import type { Line, LineType } from './lines.ts'
import { membersIn } from './placement.ts'

export interface SplitOptions extends FileOptions {
  /** The certificate of the agent and its issuers: base64 of DER. */
  readonly chain?: readonly string[]
}

export interface SplitResult {
  /** Undefined when the record cannot be sealed. */
  readonly lines: readonly Uint8Array<ArrayBuffer>[] | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The lines of a finished record. `assemble` makes the same record of them.
 *
 * @example
 * split(record).lines.length // one for the start, one for each step, one for the end
 */
export function split(source: Source, { chain, file }: SplitOptions = {}): SplitResult {
  const parsed = parseAs(RUN, source, { file })
  const report = check(RUN, parsed, RUN.settings({}))
  if (!report.valid) return { lines: undefined, diagnostics: report.diagnostics }
  return splitValid(parsed.document!, report.diagnostics, chain)
}

/** The lines of a valid record, with the findings about it. */
export function splitValid(
  document: Document,
  diagnostics: readonly Diagnostic[],
  chain: SplitOptions['chain'],
): SplitResult {
  const run = RUN.subject(document)
  const faults = faultsOf(run)
  if (faults.length > 0) return { lines: undefined, diagnostics: faults }
  return { lines: linesOf(run.root.value, chain).map((line) => canonicalizeValue(line)), diagnostics }
}

function faultsOf({ document, steps }: Run): readonly Diagnostic[] {
  const fault = (rule: typeof FINDINGS.STREAM_INTEGER, pointer: string, detail: string) =>
    ruleDiagnostic(document, rule, 'error', pointer, detail)
  const integers = document.warnings
    .filter(({ rule }) => rule === 'json/unsafe-integer')
    .map(({ source, detail }) => fault(FINDINGS.STREAM_INTEGER, source.pointer, detail))
  const unordered = steps.find(({ index }, i) => i > 0 && index! <= steps[i - 1]!.index!)
  if (unordered === undefined) return integers
  return [
    ...integers,
    fault(FINDINGS.STREAM_UNORDERED, `${unordered.pointer}/index`, 'The step before has a higher index'),
  ]
}

function linesOf(record: JsonObject, chain: readonly string[] | undefined): readonly Line[] {
  const contents: readonly (readonly [LineType, JsonObject])[] = [
    ['run_started', { run: membersIn(record, 'run'), ...(chain !== undefined && { chain }) }],
    ...(record['steps'] as readonly JsonObject[]).map((step) => ['step', { step }] as const),
    ['run_completed', { end: membersIn(record, 'end') }],
  ]
  return contents.map(([type, members], seq) => ({ type, run_id: String(record['run_id']), seq, ...members }))
}
