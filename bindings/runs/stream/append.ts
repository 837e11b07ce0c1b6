// Lines that a sender adds to a stream: the server that keeps it checks them like those before.
import { diagnoseLine } from '../../document/diagnose.ts'
import { type SourceLine, splitLines } from '../../document/split-lines.ts'
import type { Diagnostic } from '../../document/types.ts'
import type { JsonObject } from '../../text/members.ts'
import { faultOfEnd, faultOfHead, isSoundStep } from '../part.ts'
import { LineChecker, MOST_FINDINGS, type StreamPosition } from './check.ts'
import { STREAM_RECORD, STREAM_REMOVED } from './findings.ts'
import type { Line } from './lines.ts'
import { type Hash, leafHash } from './tree.ts'

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
