// Makes one record of the lines of a stream.
import { canonicalizeValue } from '../../core/value.ts'
import { parse } from '../../document/parse.ts'
import type { JsonObject } from '../../text/members.ts'
import type { Line } from './lines.ts'
import { faultOfLine } from './placement.ts'

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
