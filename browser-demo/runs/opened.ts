// Reads a run: a record as a whole, a stream line by line. A stream of any size needs the memory of its rows only.
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { parse } from '../../bindings/document/parse.ts'
import { splitLines } from '../../bindings/document/split-lines.ts'
import type { ProofSource } from '../../bindings/frame/signing.ts'
import type { Proof } from '../../bindings/frame/source.ts'
import { rowOf } from '../../bindings/kinds.ts'
import { STREAM_PROVING } from '../../bindings/runs/proving.ts'
import {
  BeginOrder,
  Timeline,
  type TimelineStep,
  type TimelineSummary,
  timelineOf,
} from '../../bindings/runs/record/timeline.ts'
import { type Line, LineChecker, recordOf } from '../../bindings/runs/stream/lines.ts'
import { type Opening, readOpenings } from '../../bindings/runs/stream/openings.ts'
import { isGrowth, isLineProof } from '../../bindings/runs/stream/proof-file.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import { plural } from '../dom.ts'
import * as engine from '../engine.ts'
import type { Examination } from '../examine.ts'
import { turn } from '../turn.ts'

const { bytes: MOST_BYTES } = rowOf('run').bounds
const CHUNK = 1 << 20
/** A proof has one line at most. */
const MOST_PROOF = 2 << 20
/** Lines after which other work of the page may run. */
const OFTEN = 500

/** A run as the page shows it. */
export interface OpenedRun {
  readonly rows: readonly TimelineStep[]
  readonly summary: TimelineSummary
  /** The record, with its findings; undefined for a stream that is larger than records may be. */
  readonly examination: Examination | undefined
  /** For a run that was converted: from what. */
  readonly origin?: string
  /** The step of a row. */
  stepOf(row: TimelineStep): Promise<unknown>
  /** Values that the stream commits to, by pointer; `verify` tells whether they are the right ones. */
  readonly openings: readonly Opening[]
  /** Undefined for a record: nothing in it is signed. */
  readonly verify?: Verify
}

/** What the reader trusts, and whether a part of the lines is enough. */
interface ReaderTrust {
  readonly keys: readonly string[]
  readonly partial: boolean
}

export type Verify = (trust: ReaderTrust) => Promise<Proof>

/** A stream or a proof about one, with the files that its verification needs, by their names there. */
export interface RunFiles {
  readonly main: Blob
  readonly needs: Readonly<Record<string, Blob>>
}

/** Verifies a proof about a stream: of one line, or that it grew; undefined for another file. */
export async function proofIn(name: string, files: RunFiles): Promise<Verify | undefined> {
  if (files.main.size > MOST_PROOF) return undefined
  const bytes = await bytesOf(files.main)
  const isProof = isLineProof(bytes, name) || isGrowth(parse(bytes).document?.value)
  return isProof ? (trust) => prove(bytes, files, trust) : undefined
}

/** The source is a stream, or a proof about one: STREAM_PROVING tells which. */
async function prove(source: ProofSource, { needs }: RunFiles, { keys, partial }: ReaderTrust): Promise<Proof> {
  const given = Object.entries(needs).map(async ([name, file]) => [name, { file: name, bytes: await bytesOf(file) }])
  const own = await STREAM_PROVING.optionsOf!({ partial, ...Object.fromEntries(await Promise.all(given)) })
  return STREAM_PROVING.prove(source, { expect: { keys }, ...own })
}

/** Reads a record, a trace or a session. Gives the examination of any other text. */
export async function openRecord(bytes: Uint8Array, file: string): Promise<OpenedRun | Examination> {
  const examination = engine.examine(bytes)
  await turn()
  const { document, kind } = examination
  if (document === undefined || kind !== 'run') return (await openForeign(bytes, file)) ?? examination
  const record = document.value as JsonObject
  const { steps: rows, summary } = timelineOf(record)
  const values = (record['steps'] as readonly unknown[] | undefined)?.filter((step) => typeof step === 'object')
  return { rows, summary, examination, openings: [], stepOf: async (row) => values?.[rows.indexOf(row)] }
}

/** The first run of a trace or a session; undefined for another text. */
async function openForeign(bytes: Uint8Array, file: string): Promise<OpenedRun | undefined> {
  const { readRuns } = await import('../../bindings/convert/run/convert-runs.ts')
  const { runs, from } = readRuns(bytes, { file })
  const [first] = runs
  if (first === undefined || from === 'run') return undefined
  const run = await openRecord(canonicalizeValue(first), '')
  return 'rows' in run
    ? { ...run, origin: `converted from ${from}, the first of ${plural(runs.length, 'run')}` }
    : undefined
}

/** True for a file that begins as a stream does. */
export async function isStream(file: Blob): Promise<boolean> {
  const [line = ''] = (await file.slice(0, CHUNK).text()).split('\n', 1)
  return line.includes('"type":"run_started"')
}

/** Reads a stream; `tell` takes the number of lines so far. */
export async function openStream(files: RunFiles, tell: (lines: number) => void): Promise<OpenedRun> {
  const { main, needs } = files
  const { values } = needs
  const openings = (values && readOpenings(await bytesOf(values))) ?? []
  const revealed = new Map(openings.map(({ pointer, value }) => [pointer, value]))
  const timeline = new Timeline((pointer) => revealed.get(pointer))
  const [checker, order] = [new LineChecker('the stream'), new BeginOrder()]
  const places = new Map<TimelineStep, readonly [from: number, to: number]>()
  const [rows, lines]: [TimelineStep[], Line[]] = [[], []]
  for await (const line of splitLines(chunksOf(main), { isRaw: true })) {
    const value = checker.take(line)
    if (value === undefined) continue
    if (main.size <= MOST_BYTES) lines.push(value)
    const row = timeline.take(value)
    if (row !== undefined) {
      places.set(row, [line.offset, line.offset + line.bytes!.length])
      for (const one of order.take(row)) rows.push(one)
    }
    if (line.number % OFTEN === 0) {
      tell(line.number)
      await turn()
    }
  }
  for (const one of order.rest()) rows.push(one)
  return {
    rows,
    summary: timeline.summary,
    examination: lines.length === 0 ? undefined : engine.examine(canonicalizeValue(recordOf(lines))),
    async stepOf(row) {
      const { step, intent } = parse(await bytesOf(main.slice(...places.get(row)!))).document!.value as unknown as Line
      return step ?? intent
    },
    openings,
    verify: (trust) => prove(chunksOf(main), files, trust),
  }
}

/** The bytes of a file, a part at a time. Not every browser can iterate over its stream. */
async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < file.size; from += CHUNK) yield bytesOf(file.slice(from, from + CHUNK))
}

export const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())
