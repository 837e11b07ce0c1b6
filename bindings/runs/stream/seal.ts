// Seals a finished record: its lines, and signed checkpoints over them.

import { canonicalizeValue } from '../../core/value.ts'
import { type Document, parse } from '../../document/parse.ts'
import { splitLines } from '../../document/split-lines.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import type { FileOptions, Source } from '../../frame/source.ts'
import { ruleDiagnostic } from '../../frame/subject.ts'
import { encodeBase64 } from '../../keys/base64.ts'
import type { KeySource } from '../../keys/read.ts'
import { joinLines } from '../../text/bytes.ts'
import { type JsonObject, valueAt } from '../../text/members.ts'
import { redactRun } from '../record/redact-run.ts'
import { SENSITIVE } from '../record/redaction.ts'
import { RUN } from '../record/specification.ts'
import { isHidden, moment, type Run } from '../record/subject.ts'
import * as FINDINGS from './findings.ts'
import { type Line, LineChecker, type LineType, membersIn } from './lines.ts'
import { joinNotes, originOf, signCheckpoint } from './note.ts'
import { writeOpenings } from './openings.ts'
import { Frontier, leafHash } from './tree.ts'

export declare namespace seal {
  interface Options extends split.Options {
    /** The key of the recorder: Ed25519, or the P-256 key of the agent's certificate. */
    readonly key: KeySource
    /** The domain of the recorder, so that others can find out whose key it is. */
    readonly domain?: string
    /** Commits to the values at these pointers, in which `*` stands for each element. They can be removed later. */
    readonly commit?: readonly string[]
    /** A checkpoint after this many lines. Default: one at the end. */
    readonly every?: number
  }

  interface Result {
    /** Undefined when the record cannot be sealed. */
    readonly stream: Uint8Array<ArrayBuffer> | undefined
    readonly checkpoints: Uint8Array<ArrayBuffer> | undefined
    /** The values that the lines commit to, with `commit`. */
    readonly openings: Uint8Array<ArrayBuffer> | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
}

/**
 * Seals a finished record: its lines as a stream, and signed checkpoints over them.
 *
 * @example
 * const { stream, checkpoints } = await seal(record, { key })
 *
 * @throws {KeyError} for a key that cannot sign.
 */
export async function seal(source: Source, options: seal.Options): Promise<seal.Result> {
  const { lines, openings, diagnostics } =
    options.commit === undefined
      ? { ...split(source, options), openings: undefined }
      : commitTo(source, options.commit, options)
  if (lines === undefined) return { stream: undefined, checkpoints: undefined, openings: undefined, diagnostics }
  const { run_id: runId } = parse(lines[0]!).document!.value as Line
  const origin = originOf(runId, options.domain)
  const { every = Number.POSITIVE_INFINITY } = options
  const tree = new Frontier()
  const notes: Uint8Array[] = []
  for (const line of lines) {
    tree.appendLeaf(line)
    const isDue = tree.size % every === 0 || tree.size === lines.length
    if (isDue) notes.push(await signCheckpoint({ origin, size: tree.size, root: tree.root }, options.key))
  }
  return { stream: joinLines(lines), checkpoints: joinNotes(notes), openings, diagnostics }
}

/** The lines of a record with commitments instead of values, and these values. Redacting checks the record. */
function commitTo(source: Source, commit: readonly string[], { file, chain }: seal.Options) {
  const named = file === undefined ? {} : { file }
  const original = parseAs(RUN, source, named).document
  const policy = { pointers: commit, mode: 'digest', secrets: false, ...named } as const
  const { document, salts, diagnostics } = redactRun(original ?? source, policy)
  if (document === undefined || original === undefined) return { lines: undefined, openings: undefined, diagnostics }
  return { ...splitValid(document, diagnostics, chain), openings: writeOpenings(original, salts) }
}

// Splits a finished record into the lines of a stream.

export declare namespace split {
  interface Options extends FileOptions {
    /** The certificate of the agent and its issuers: base64 of DER. */
    readonly chain?: readonly string[]
  }

  interface Result {
    /** Undefined when the record cannot be sealed. */
    readonly lines: readonly Uint8Array<ArrayBuffer>[] | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
}

/**
 * The lines of a finished record. `assemble` makes the same record of them.
 *
 * @example
 * split(record).lines.length // one for the start, one for each step, one for the end
 */
export function split(source: Source, { chain, file }: split.Options = {}): split.Result {
  const parsed = parseAs(RUN, source, { file })
  const report = check(RUN, parsed, RUN.settings({}))
  if (!report.valid) return { lines: undefined, diagnostics: report.diagnostics }
  return splitValid(parsed.document!, report.diagnostics, chain)
}

/** The lines of a valid record, with the findings about it. */
function splitValid(
  document: Document,
  diagnostics: readonly Diagnostic[],
  chain: split.Options['chain'],
): split.Result {
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

// Retention: the content of a stream goes, and a hash stands for each line that had some, so that the rest still
// verifies.

export interface RetainedStream {
  readonly runId: string
  /** When the run was completed, in milliseconds; undefined for a run without an end. */
  readonly endedAt: number | undefined
  /** How many lines lost their content. */
  readonly removed: number
  readonly stream: Uint8Array<ArrayBuffer>
  readonly diagnostics: readonly Diagnostic[]
}

/** Removes what ADP-1 section 7.2 calls sensitive from a stream, except commitments. */
export async function retainStream(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  file: string,
): Promise<RetainedStream> {
  const checker = new LineChecker(file)
  const lines: Uint8Array[] = []
  let [runId, removed] = ['', 0]
  let endedAt: number | undefined
  for await (const { bytes = new Uint8Array(), ...line } of splitLines(source, { isRaw: true })) {
    const value = checker.take({ ...line, bytes })
    if (value?.type === 'run_completed') endedAt = moment(value['end'] as JsonObject, 'completed_at')
    runId = value?.run_id ?? runId
    const hides = value !== undefined && hasContent(value)
    if (hides) removed++
    lines.push(hides ? removedLine(value, bytes) : bytes.slice())
  }
  checker.finish()
  return { runId, endedAt, removed, stream: joinLines(lines), diagnostics: checker.diagnostics }
}

/** True for a line with a sensitive value for which no digest or mark stands. */
function hasContent({ run, step, intent, end }: Line): boolean {
  const part = { ...(run as JsonObject), ...(end as JsonObject), steps: [step ?? intent] }
  return SENSITIVE.some((pointer) => !isHidden(valueAt(part, pointer.replace('*', '0'))))
}

const removedLine = ({ run_id, seq }: Line, bytes: Uint8Array): Uint8Array =>
  canonicalizeValue({ type: 'removed', run_id, seq, leaf: encodeBase64(leafHash(bytes)) })
