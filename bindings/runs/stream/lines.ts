// A stream: a run record as lines, each written when it happens and never changed. Every line is canonical JSON.

import { canonicalizeValue } from '../../core/value.ts'
import { parse } from '../../document/parse.ts'
import { decodeBase64 } from '../../keys/base64.ts'
import { sameBytes } from '../../text/bytes.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { isStep } from '../specification.ts'
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
function partOf(name: string): 'run' | 'step' | 'end' {
  return name === 'steps' ? 'step' : AT_THE_END.includes(name) ? 'end' : 'run'
}

/** The members of a record that stand in one part of its stream. */
export const membersIn = (record: JsonObject, part: 'run' | 'end'): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([name]) => partOf(name) === part))

/** The place in the line of a place in the record: `/end/status`. Of a step, the line is that of the step. */
export function placeInLine([root, ...below]: readonly string[]): readonly string[] {
  if (root === undefined) return ['run']
  return root === 'steps' ? ['step', ...below.slice(1)] : [partOf(root), root, ...below]
}

/** What a step and its intent must have in common, as a value. */
export const announced = (step: JsonObject): readonly unknown[] =>
  INTENT.slice(0, -1).map((name) => member(step, name) ?? null)

/** What is wrong with a value as a line of a stream, whatever stands around it. Undefined for a sound line. */
export function faultOfLine(value: unknown): string | undefined {
  const type = isObject(value) ? member(value, 'type') : undefined
  if (!isText(type) || !Object.hasOwn(CONTENTS, type)) return 'Expected a line of a known type'
  const line = value as Line
  const [name, isValid, ...others] = CONTENTS[line.type]
  if (!isValid(member(line, name))) return `Expected the member ${name} in a line of type ${type}`
  const known = [...ENVELOPE, name, ...others]
  const other = Object.keys(line).find((own) => !known.includes(own))
  if (other !== undefined) return `A line of type ${type} has no member ${quoted(other)}`
  return faultOfContent(line)
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
  const steps = lines.flatMap(({ type, step }) => (type === 'step' ? [step as JsonObject] : []))
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
