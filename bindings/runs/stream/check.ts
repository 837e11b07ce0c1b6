// Checks the lines of a stream one after the other, in the memory of one line and of the steps that are open or out of
// order.
import { diagnoseLine } from '../../document/diagnose.ts'
import type { FindingKind } from '../../document/finding.ts'
import { splitLines } from '../../document/split-lines.ts'
import type { Diagnostic, SourceLine } from '../../document/types.ts'
import { rowOf } from '../../kinds.ts'
import { isObject, type JsonObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { Fault, isCanonicalBytes } from '../../wasm/json.ts'
import { faultOfEnd, faultOfHead, isSoundStep } from '../specification.ts'
import { digestOf } from '../subject.ts'
import * as FINDINGS from './findings.ts'
import { STREAM_RECORD, STREAM_REMOVED } from './findings.ts'
import { announced, faultOfLine, type Line } from './lines.ts'
import { type Hash, leafHash } from './tree.ts'

/** Nesting of a line: the members of a record are one level deeper in it. */
const MOST_DEPTH = rowOf('run').bounds.depth + 1
/** A step is one level deeper in a record than in its line. */
const DEPTH_OF_STEPS = rowOf('run').bounds.depth - 1
/** Findings of one stream; a broken one has one in each line. */
const MOST_FINDINGS = 100

const decoder = new TextDecoder()

/** Where a stream stands, without its lines. */
export interface StreamPosition {
  /** How many lines it has. */
  readonly size: number
  readonly runId: string | undefined
  readonly isComplete: boolean
  /** True for the index of a step that has ended. */
  hasStep(index: number): boolean
  /** The intent of a step. */
  intentOf(index: number): JsonObject | undefined
}

/** Before the first line. */
export const START: StreamPosition = {
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
    this.#others.add(index)
    while (this.#others.delete(this.#end)) this.#end++
  }
}

/** What the lines of a stream are so far. */
export class LineChecker {
  readonly diagnostics: Diagnostic[] = []
  readonly #file: string
  readonly #start: StreamPosition
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
    const index = indexOf(value)
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

const digestOfIntent = (step: JsonObject | undefined) => step && digestOf(announced(step))

function indexOf(step: unknown): number | undefined {
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
export function checkLines(lines: readonly HashedLine[], start?: StreamPosition): CheckedLines {
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
