// A stream: a run record as lines, each written when it happens and never changed. Every line is canonical JSON.
import { canonicalizeValue } from '../../core/value.ts'
import type { Document } from '../../document/document.ts'
import { parse } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import { ruleDiagnostic } from '../../frame/rule.ts'
import type { FileOptions, Source } from '../../frame/source.ts'
import { decodeBase64 } from '../../keys/base64.ts'
import { sameBytes } from '../../text/bytes.ts'
import { isText, type JsonObject } from '../../text/members.ts'
import { RUN } from '../specification.ts'
import type { Run } from '../subject.ts'
import * as FINDINGS from './findings.ts'
import { type Hash, leafHash } from './tree.ts'

/** Members of a record that are known at its end only. */
const AT_THE_END = ['status', 'final_output', 'error', 'cancellation', 'completed_at', 'metadata']

/** `removed` stands for a line whose content was removed. */
export type LineType = 'run_started' | 'step_started' | 'step' | 'certificate' | 'run_completed' | 'removed'

/** A line as a value. The other members depend on its type. */
export interface Line {
  readonly type: LineType
  readonly run_id: string
  /** Counts the lines from 0. */
  readonly seq: number
  readonly [member: string]: unknown
}

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
  const entries = Object.entries(record)
  const head = entries.filter(([name]) => name !== 'steps' && !AT_THE_END.includes(name))
  const end = entries.filter(([name]) => AT_THE_END.includes(name))
  const contents: readonly (readonly [LineType, JsonObject])[] = [
    ['run_started', { run: Object.fromEntries(head), ...(chain !== undefined && { chain }) }],
    ...(record['steps'] as readonly JsonObject[]).map((step) => ['step', { step }] as const),
    ['run_completed', { end: Object.fromEntries(end) }],
  ]
  return contents.map(([type, members], seq) => ({ type, run_id: String(record['run_id']), seq, ...members }))
}

/** The record that the lines of a stream make; without an end, it lacks the members that are known at the end. */
export function recordOf(lines: readonly Line[]): JsonObject {
  const steps = lines.flatMap(({ type, step }) => (type === 'step' ? [step as JsonObject] : []))
  const [start, end] = [lines[0]?.['run'], lines.at(-1)?.['end']] as (JsonObject | undefined)[]
  return { ...start, steps: steps.sort((a, b) => Number(a['index']) - Number(b['index'])), ...end }
}

const REMOVED = new TextEncoder().encode('{"leaf":"')

/** The leaf of a valid line: that of the line before its content was removed, if it was. */
export function leafOf(line: Uint8Array): Hash {
  // Only a line of type removed begins with this member, and its base64 follows.
  if (!sameBytes(line.subarray(0, REMOVED.length), REMOVED)) return leafHash(line)
  const value = parse(line).document?.value as Line | undefined
  return value?.type === 'removed' && isLeafHash(value['leaf']) ? decodeBase64(value['leaf']) : leafHash(line)
}

/** True for 32 bytes in base64. */
export const isLeafHash = (value: unknown): value is string =>
  isText(value) && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value)

/**
 * The canonical bytes of the record that lines make.
 *
 * @throws {TypeError} for lines that are not JSON: verify the stream first.
 */
export function assemble(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return canonicalizeValue(recordOf(lines.map((line) => parse(line).document!.value as Line)))
}
