// Where each member of a record stands in a stream. Everything that splits, assembles, redacts or stores lines asks here.
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { isStep } from '../specification.ts'
import { isLeafHash, type Line, type LineType } from './lines.ts'

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
