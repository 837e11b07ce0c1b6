// A stream: a run record as lines, each written when it happens and never changed. Every line is canonical JSON.
import { parse } from '../../document/parse.ts'
import { decodeBase64 } from '../../keys/base64.ts'
import { sameBytes } from '../../text/bytes.ts'
import { isText } from '../../text/members.ts'
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
