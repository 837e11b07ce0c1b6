// Retention: the content of a stream goes, and a hash stands for each line that had some, so that the rest still
// verifies.
import { canonicalizeValue } from '../../core/value.ts'
import { splitLines } from '../../document/split-lines.ts'
import type { Diagnostic } from '../../document/types.ts'
import { encodeBase64 } from '../../keys/base64.ts'
import { joinLines } from '../../text/bytes.ts'
import { type JsonObject, valueAt } from '../../text/members.ts'
import { isHidden } from '../digest.ts'
import { SENSITIVE } from '../redaction.ts'
import { moment } from '../subject.ts'
import { LineChecker } from './check.ts'
import type { Line } from './lines.ts'
import { leafHash } from './tree.ts'

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

function removedLine({ run_id, seq }: Line, bytes: Uint8Array): Uint8Array {
  return canonicalizeValue({ type: 'removed', run_id, seq, leaf: encodeBase64(leafHash(bytes)) })
}
