// Seals a finished record: its lines, and signed checkpoints over them.
import { parse } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import type { Source } from '../../frame/source.ts'
import type { KeySource } from '../../keys/read.ts'
import { joinLines } from '../../text/bytes.ts'
import { redactRun } from '../redact.ts'
import { RUN } from '../specification.ts'
import { originOf, signCheckpoint } from './checkpoint.ts'
import type { Line } from './lines.ts'
import { joinNotes } from './note.ts'
import { writeOpenings } from './openings.ts'
import { type SplitOptions, split, splitValid } from './split.ts'
import { Frontier, leafHash } from './tree.ts'

export interface SealOptions extends SplitOptions {
  /** The key of the recorder: Ed25519, or the P-256 key of the agent's certificate. */
  readonly key: KeySource
  /** The domain of the recorder, so that others can find out whose key it is. */
  readonly domain?: string
  /** Commits to the values at these pointers, in which `*` stands for each element. They can be removed later. */
  readonly commit?: readonly string[]
  /** A checkpoint after this many lines. Default: one at the end. */
  readonly every?: number
}

export interface SealedStream {
  /** Undefined when the record cannot be sealed. */
  readonly stream: Uint8Array<ArrayBuffer> | undefined
  readonly checkpoints: Uint8Array<ArrayBuffer> | undefined
  /** The values that the lines commit to, with `commit`. */
  readonly openings: Uint8Array<ArrayBuffer> | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Seals a finished record: its lines as a stream, and signed checkpoints over them.
 *
 * @example
 * const { stream, checkpoints } = await seal(record, { key })
 *
 * @throws {KeyError} for a key that cannot sign.
 */
export async function seal(source: Source, options: SealOptions): Promise<SealedStream> {
  const { lines, openings, diagnostics } =
    options.commit === undefined
      ? { ...split(source, options), openings: undefined }
      : committed(source, options.commit, options)
  if (lines === undefined) return { stream: undefined, checkpoints: undefined, openings: undefined, diagnostics }
  const { run_id: runId } = parse(lines[0]!).document!.value as Line
  const origin = originOf(runId, options.domain)
  const { every = Number.POSITIVE_INFINITY } = options
  const tree = new Frontier()
  const notes: Uint8Array[] = []
  for (const line of lines) {
    tree.append(leafHash(line))
    const isDue = tree.size % every === 0 || tree.size === lines.length
    if (isDue) notes.push(await signCheckpoint({ origin, size: tree.size, root: tree.root }, options.key))
  }
  return {
    stream: joinLines(lines),
    checkpoints: joinNotes(notes),
    openings,
    diagnostics,
  }
}

/** The lines of a record with commitments instead of values, and these values. Redacting checks the record. */
function committed(source: Source, commit: readonly string[], { file, chain }: SealOptions) {
  const named = file === undefined ? {} : { file }
  const original = parseAs(RUN, source, named).document
  const policy = { pointers: commit, mode: 'digest', secrets: false, ...named } as const
  const { document, salts, diagnostics } = redactRun(original ?? source, policy)
  if (document === undefined || original === undefined) return { lines: undefined, openings: undefined, diagnostics }
  return { ...splitValid(document, diagnostics, chain), openings: writeOpenings(original, salts) }
}
