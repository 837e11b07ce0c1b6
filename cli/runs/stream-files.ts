// The files of a stream: RUN.ndjson, and next to it its checkpoints and the values that it commits to.
import { resolve } from 'node:path'
import { isPlaceOf } from '../../bindings/runs/record/redaction.ts'
import { openingLines, readOpenings } from '../../bindings/runs/stream/openings.ts'
import { parsePointer } from '../../bindings/text/members.ts'
import { answer, type Outcome, type Tools, UsageError } from '../command.ts'
import { counted } from '../report/report.ts'
import { save } from '../save.ts'

/** The name of a file next to a stream. */
export const nextTo = (stream: string, ending: 'checkpoints' | 'salts') =>
  `${stream.replace(/\.ndjson$/i, '')}.${ending}`

export const isStreamName = (name: string): boolean => /\.ndjson$/i.test(name)

/** The bytes of a file, or undefined for a missing file. */
export async function bytesIfThere({ host, reader }: Tools, name: string): Promise<Uint8Array | undefined> {
  return host.stamp(resolve(host.cwd, name)) === undefined ? undefined : (await reader.bytes(name)).bytes
}

// Removes values that a stream only commits to. They lie in a file of their own, so the stream stays as it is.

interface StreamRedaction {
  /** The places to remove; none means all. */
  readonly pointer: readonly string[]
  /** The only places to keep. */
  readonly keep: readonly string[]
  readonly out: string | undefined
  readonly mode: string | undefined
  readonly salts: string | undefined
}

export async function redactStream(stream: string, options: StreamRedaction, tools: Tools): Promise<Outcome> {
  const { pointer, keep, out, mode, salts } = options
  if ([mode, salts].some((value) => value !== undefined) || (keep.length > 0 && pointer.length > 0))
    throw new UsageError('wrong-arguments', 'for a stream, give --pointer or --keep', 'see blazon runs redact --help')
  const file = nextTo(stream, 'salts')
  const bytes = await bytesIfThere(tools, file)
  const rows = bytes && readOpenings(bytes)
  if (rows === undefined)
    throw new UsageError(
      'wrong-arguments',
      `${file}: expected values that the stream commits to, found none`,
      'seal with --commit; blazon runs retain removes whole lines',
    )
  const [gone, stays] = [pointer.map(patternOf), keep.map(patternOf)]
  const isIn = (patterns: readonly (readonly string[])[], place: string) =>
    patterns.some((pattern) => isPlaceOf(pattern, parsePointer(place) ?? []))
  const left = rows.filter((row) =>
    stays.length > 0 ? isIn(stays, row.pointer) : gone.length > 0 && !isIn(gone, row.pointer),
  )
  const to = out ?? file
  await save(tools.host, to, openingLines(left), { mode: 0o600, over: to })
  const redacted = { removed: rows.length - left.length, kept: left.length }
  return {
    results: [answer({ file: stream, kind: 'stream', values: redacted })],
    notes: [`${counted(redacted.removed, 'value')} removed, ${redacted.kept} kept in ${to}`],
  }
}

function patternOf(text: string): readonly string[] {
  const tokens = parsePointer(text)
  if (tokens !== undefined && tokens.length > 0) return tokens
  throw new UsageError('invalid-value', `expected a JSON Pointer, got "${text}"`, 'as in /steps/3/action/input')
}
