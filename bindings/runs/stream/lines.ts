// A stream: a run record as lines, each written when it happens and never changed. Every line is canonical JSON.
//
//     {"run":{"agent":{"agent_id":"invoice-checker",...},...},"run_id":"5b8f1f52-...","seq":0,"type":"run_started"}
//     {"run_id":"5b8f1f52-...","seq":1,"step":{"action":{"name":"read_file",...},"index":0,...},"type":"step"}
//     {"end":{"status":"succeeded",...},"run_id":"5b8f1f52-...","seq":4,"type":"run_completed"}
import { canonicalizeValue } from '../../core/value.ts'
import { diagnoseLine } from '../../document/diagnose.ts'
import type { FindingKind } from '../../document/finding.ts'
import { parse } from '../../document/parse.ts'
import { splitLines } from '../../document/split-lines.ts'
import type { Diagnostic, SourceLine } from '../../document/types.ts'
import { decodeBase64 } from '../../keys/base64.ts'
import { rowOf } from '../../kinds.ts'
import { sameBytes } from '../../text/bytes.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { Fault, isCanonicalBytes } from '../../wasm/json.ts'
import { faultOfEnd, faultOfHead, isSoundStep, isStep } from '../record/specification.ts'
import { digestOf } from '../record/subject.ts'
import * as FINDINGS from './findings.ts'
import { STREAM_RECORD, STREAM_REMOVED } from './findings.ts'
import { type Hash, leafHash } from './tree.ts'

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

const REMOVED = new TextEncoder().encode('{"leaf":"')

/** True for what may be a line of type removed: only these begin with this member, and its base64 follows. */
export const isRemoved = (line: Uint8Array): boolean => sameBytes(line.subarray(0, REMOVED.length), REMOVED)

/** The leaf of a valid line: that of the line before its content was removed, if it was. */
export function leafOf(line: Uint8Array): Hash {
  if (!isRemoved(line)) return leafHash(line)
  const value = parse(line).document?.value as Line | undefined
  return value?.type === 'removed' && isLeafHash(value['leaf']) ? decodeBase64(value['leaf']) : leafHash(line)
}

/** True for 32 bytes in base64. */
export const isLeafHash = (value: unknown): value is string =>
  isText(value) && /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(value)

// Where each member of a record stands in a stream. Everything that splits, assembles, redacts or stores lines asks here.

/** Members of a record that are known at its end only. */
const AT_THE_END: readonly string[] = ['status', 'final_output', 'error', 'cancellation', 'completed_at', 'metadata']
/** Members of an intent; the step repeats the first four. */
const INTENT: readonly string[] = ['index', 'timestamp', 'action', 'parent_step_index', 'metadata']
const ENVELOPE: readonly string[] = ['type', 'run_id', 'seq']

/** The members of each type of line: the first one, which it must have, and others that it may have. */
const CONTENTS: Readonly<Record<LineType, readonly [name: string, isValid: (value: unknown) => boolean, ...string[]]>> =
  {
    run_started: ['run', isObject, 'chain'],
    step_started: ['intent', isObject],
    step: ['step', isObject],
    certificate: ['chain', Array.isArray],
    run_completed: ['end', isObject],
    removed: ['leaf', isLeafHash],
  }

/** The member of a line that holds a member of the record: each stands in one place. */
const partOf = (name: string): 'run' | 'step' | 'end' =>
  name === 'steps' ? 'step' : AT_THE_END.includes(name) ? 'end' : 'run'

/** The members of a record that stand in one part of its stream. */
export const membersIn = (record: JsonObject, part: 'run' | 'end'): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => partOf(name) === part))

/** The place in the line of a place in the record: `/end/status`. Of a step, the line is that of the step. */
export function placeInLine([root, ...below]: readonly string[]): readonly string[] {
  if (root === undefined) return ['run']
  return root === 'steps' ? ['step', ...below.slice(1)] : [partOf(root), root, ...below]
}

/** What a step and its intent must have in common, as a value. */
const announcedCalls = (step: JsonObject): readonly unknown[] =>
  INTENT.slice(0, -1).map((name) => member(step, name) ?? null)

/** What is wrong with a value as a line of a stream, whatever stands around it. Undefined for a sound line. */
export function faultOfLine(value: unknown): string | undefined {
  const type = isObject(value) ? member(value, 'type') : undefined
  if (!isText(type) || !Object.hasOwn(CONTENTS, type)) return 'Expected a line of a known type'
  const line = value as Line
  const [name, isValid, ...others] = CONTENTS[line.type]
  if (!isValid(member(line, name))) return `Expected the member ${name} in a line of type ${type}`
  const other = Object.keys(line).find((own) => own !== name && !ENVELOPE.includes(own) && !others.includes(own))
  if (other !== undefined) return `A line of type ${type} has no member ${quoted(other)}`
  return type === 'step' ? undefined : faultOfContent(line)
}

function faultOfContent({ type, run_id, ...line }: Line): string | undefined {
  const [run, intent, end] = ['run', 'intent', 'end'].map((name) => line[name] as JsonObject)
  if (type === 'run_started') {
    const other = Object.keys(run!).find((name) => partOf(name) !== 'run')
    if (other !== undefined) return `The member ${quoted(other)} does not stand in the first line`
    return run!['run_id'] === run_id ? undefined : 'The record in the line is of another run_id'
  }
  if (type === 'run_completed') {
    const other = Object.keys(end!).find((name) => partOf(name) !== 'end')
    return other && `The member ${quoted(other)} does not stand in the last line`
  }
  if (type !== 'step_started') return undefined
  const other = Object.keys(intent!).find((name) => !INTENT.includes(name))
  if (other !== undefined) return `An intent has no member ${quoted(other)}`
  return isStep({ ...intent, observation: { type: 'none' } }) ? undefined : 'The intent does not fit the schema'
}

// Makes one record of the lines of a stream.

/**
 * The record that checked lines make: the first one, the steps, and the end. Without an end, it lacks the members that
 * are known at the end.
 */
export function recordOf(lines: readonly Line[]): JsonObject {
  const steps: JsonObject[] = []
  for (const { type, step } of lines) if (type === 'step') steps.push(step as JsonObject)
  const [first, last] = [lines[0], lines.at(-1)]
  return {
    ...(first?.type === 'run_started' && (first['run'] as JsonObject)),
    steps: steps.sort((a, b) => Number(a['index']) - Number(b['index'])),
    ...(last?.type === 'run_completed' && (last['end'] as JsonObject)),
  }
}

/** The record that any values make as lines, or what is wrong with them. */
export function recordIn(lines: readonly unknown[]): JsonObject | string {
  const [first] = lines as readonly Line[]
  for (const [i, value] of lines.entries()) {
    const { type, run_id } = value as Line
    const fault =
      faultOfLine(value) ??
      (type === 'removed' ? 'The content of the line was removed' : undefined) ??
      ((type === 'run_started') === (i === 0) ? undefined : 'Expected run_started as the first line, once') ??
      (type === 'run_completed' && i < lines.length - 1 ? 'Expected run_completed as the last line' : undefined) ??
      (run_id === first!.run_id ? undefined : 'The line is of another run')
    if (fault !== undefined) return `line ${i + 1}: ${fault}`
  }
  return recordOf(lines as readonly Line[])
}

/**
 * The canonical bytes of the record that lines make.
 *
 * @throws {TypeError} for lines that are not those of one run, and for members in the wrong line.
 */
export function assemble(lines: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const record = recordIn(lines.map((line) => parse(line).document?.value))
  if (typeof record === 'string') throw new TypeError(record)
  return canonicalizeValue(record)
}

// Checks the lines of a stream one after the other, in the memory of one line and of the steps that are open or out of
// order.

/** Nesting of a line: the members of a record are one level deeper in it. */
const MOST_DEPTH = rowOf('run').bounds.depth + 1
/** A step is one level deeper in a record than in its line. */
const DEPTH_OF_STEPS = rowOf('run').bounds.depth - 1
/** Findings of one stream; a broken one has one in each line. */
const MOST_FINDINGS = 100

const decoder = new TextDecoder()

export declare namespace checkLines {
  /** Where a stream stands, without its lines. */
  interface Position {
    /** How many lines it has. */
    readonly size: number
    readonly runId: string | undefined
    readonly isComplete: boolean
    /** True for the index of a step that has ended. */
    hasStep(index: number): boolean
    /** The intent of a step. */
    intentOf(index: number): JsonObject | undefined
  }
}

/** Before the first line. */
export const START: checkLines.Position = {
  size: 0,
  runId: undefined,
  isComplete: false,
  hasStep: () => false,
  intentOf: () => undefined,
}

/** Indices of steps. Those that follow each other from 0 take no memory. */
class IndexSet {
  /** All indices below are in the set. */
  #end = 0
  readonly #others = new Set<number>()

  has(index: number): boolean {
    return (index >= 0 && index < this.#end) || this.#others.has(index)
  }

  add(index: number): void {
    if (this.has(index)) return
    // An entry that comes and goes makes a new table each time.
    if (index === this.#end) this.#end++
    else this.#others.add(index)
    while (this.#others.delete(this.#end)) this.#end++
  }
}

/** What the lines of a stream are so far. */
export class LineChecker {
  readonly diagnostics: Diagnostic[] = []
  readonly #file: string
  readonly #start: checkLines.Position
  /** The digests of intents whose step has not ended. */
  readonly #open = new Map<number, string>()
  readonly #ended = new IndexSet()
  #runId: string | undefined
  #count: number
  #last: SourceLine | undefined
  #isComplete: boolean
  /** True when the last line is the end of the run, or may have been. */
  #hasEnd: boolean
  #removed = 0
  #isDeep = false

  /** @param start the lines before; by default there are no such lines. */
  constructor(file: string, start = START) {
    this.#file = file
    this.#start = start
    this.#runId = start.runId
    this.#count = start.size
    this.#isComplete = start.isComplete
    this.#hasEnd = start.isComplete
  }

  /** True when a step may be nested too deeply for a record. */
  get isDeep(): boolean {
    return this.#isDeep
  }

  /** Takes the next line; returns its value, or undefined for a line that has none. */
  take(line: SourceLine): Line | undefined {
    const value = this.#read(line)
    if (value !== undefined) this.#place(line, value)
    this.#count++
    this.#last = line
    return value
  }

  /** What is missing when no line follows. */
  finish(): void {
    const line = this.#last ?? { number: 1, offset: 0, bytes: undefined, hasEnd: true }
    if (this.#count === 0) this.#report(line, FINDINGS.STREAM_ORDER, 'Expected run_started, found nothing')
    else if (!this.#hasEnd) this.#report(line, FINDINGS.STREAM_END, 'Expected run_completed as the last line')
    // The end of a step may be in a line whose content was removed.
    if (this.#removed > 0) {
      this.#report(line, FINDINGS.STREAM_REMOVED, `The content of ${this.#removed} lines was removed`)
      return
    }
    for (const index of this.#open.keys())
      this.#report(line, FINDINGS.STREAM_INTENT, `Step ${index} began and did not end`)
  }

  #report(line: SourceLine, rule: FindingKind, detail: string): void {
    if (this.diagnostics.length < MOST_FINDINGS) this.diagnostics.push(diagnoseLine(line, rule, detail, this.#file))
  }

  #read(line: SourceLine): Line | undefined {
    const { bytes, hasEnd } = line
    const refuse = (found: string) =>
      this.#report(line, FINDINGS.STREAM_LINE, `Expected canonical JSON, found ${found}`)
    if (bytes === undefined) {
      refuse('more than 1,000,000 bytes')
      return undefined
    }
    if (!hasEnd) refuse('a line without a line feed')
    let canonical = isCanonicalBytes(bytes, DEPTH_OF_STEPS)
    if (canonical instanceof Fault) {
      this.#isDeep = true
      canonical = isCanonicalBytes(bytes, MOST_DEPTH)
    }
    if (canonical instanceof Fault) {
      refuse('text that is not JSON')
      return undefined
    }
    if (!canonical) refuse('another form')
    const value: unknown = JSON.parse(decoder.decode(bytes))
    const fault = faultOfLine(value)
    if (fault === undefined) return value as Line
    this.#report(line, FINDINGS.STREAM_MEMBER, fault)
    return undefined
  }

  #place(line: SourceLine, value: Line): void {
    const order = (detail: string) => this.#report(line, FINDINGS.STREAM_ORDER, detail)
    const isFirst = this.#count === 0
    const isRemoved = value.type === 'removed'
    if (!isRemoved && isFirst !== (value.type === 'run_started'))
      order(isFirst ? `Expected run_started, found ${value.type}` : 'A run starts once, in the first line')
    if (this.#isComplete) order('The run was completed before this line')
    if (value.seq !== this.#count) order(`Expected seq ${this.#count}, found ${String(value.seq).slice(0, 20)}`)
    this.#runId ??= String(value.run_id)
    if (value.run_id !== this.#runId) order(`The line is of the run ${quoted(String(value.run_id))}`)
    this.#isComplete ||= value.type === 'run_completed'
    this.#hasEnd = this.#isComplete || isRemoved
    this.#removed += Number(isRemoved)
    this.#countStep(line, value)
  }

  #countStep(line: SourceLine, { type, intent, step }: Line): void {
    const value = (type === 'step_started' ? intent : type === 'step' ? step : undefined) as JsonObject | undefined
    const index = stepIndex(value)
    if (value === undefined || index === undefined) return
    const before = this.#open.get(index) ?? digestOfIntent(this.#start.intentOf(index))
    const isThere = this.#ended.has(index) || this.#start.hasStep(index) || (type === 'step_started' && before)
    if (isThere) this.#report(line, FINDINGS.STREAM_STEP, `Step ${index} is there already`)
    else if (type === 'step_started') this.#open.set(index, digestOfIntent(value)!)
    else if (before !== undefined && before !== digestOfIntent(value))
      this.#report(line, FINDINGS.STREAM_ANNOUNCED, `Step ${index} is not what its intent announced`)
    if (type !== 'step') return
    this.#ended.add(index)
    this.#open.delete(index)
  }
}

const digestOfIntent = (step: JsonObject | undefined) => step && digestOf(announcedCalls(step))

function stepIndex(step: unknown): number | undefined {
  const index = isObject(step) ? (step as JsonObject)['index'] : undefined
  return Number.isSafeInteger(index) ? (index as number) : undefined
}

// Lines that a sender adds to a stream: the server that keeps it checks them like those before.

/** The name of the source in diagnostics. */
const BODY = 'the body'

/** A line and its hash in the tree. */
export interface HashedLine extends SourceLine {
  readonly leaf: Hash
}

/** No valid line is shorter: it has a type, a run, a number and a member. */
const LEAST_BYTES = 32

/** The lines of a body, to the first one that is too short: the checks refuse that one. */
export async function hashLines(bytes: Uint8Array): Promise<readonly HashedLine[]> {
  const lines: HashedLine[] = []
  for await (const line of splitLines([bytes], { isRaw: true })) {
    lines.push({ ...line, leaf: leafHash(line.bytes ?? new Uint8Array()) })
    if (line.bytes !== undefined && line.bytes.length < LEAST_BYTES) break
  }
  return lines
}

interface CheckedLines {
  /** One for each line, unless there are diagnostics. */
  readonly values: readonly Line[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks lines that follow others. */
export function checkLines(lines: readonly HashedLine[], start?: checkLines.Position): CheckedLines {
  const checker = new LineChecker(BODY, start)
  const values: (Line | undefined)[] = []
  for (const line of lines) {
    if (checker.diagnostics.length >= MOST_FINDINGS) break
    const value = checker.take(line)
    const fault = value && faultOfPart(value)
    if (fault !== undefined) checker.diagnostics.push(diagnoseLine(line, STREAM_RECORD, fault, BODY))
    // Only a stream that was signed may lose its content.
    if (value?.type === 'removed')
      checker.diagnostics.push(
        diagnoseLine(line, { ...STREAM_REMOVED, severity: 'error' }, 'Expected the content', BODY),
      )
    values.push(value)
  }
  return { values: values.filter((value) => value !== undefined), diagnostics: checker.diagnostics }
}

/** What `validate` says about the part of the record in a line. */
function faultOfPart({ type, run, step, end }: Line): string | undefined {
  if (type === 'run_started') return faultOfHead(run as JsonObject)
  if (type === 'run_completed') return faultOfEnd(end as JsonObject)
  return type === 'step' && !isSoundStep(step as JsonObject) ? 'The step is not valid' : undefined
}
