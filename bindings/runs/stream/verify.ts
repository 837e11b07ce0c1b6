// Verifies a stream: every line, the checkpoints over them, and who signed and saw these.
import { canonicalizeValue } from '../../core/value.ts'
import type { Document } from '../../document/parse.ts'
import { splitLines } from '../../document/split-lines.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import type { Proof } from '../../frame/source.ts'
import { Steps, type StepTable } from '../../frame/steps.ts'
import { sameBytes } from '../../text/bytes.ts'
import type { JsonObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { RunLinkOptions } from '../identity/link.ts'
import { hasNoErrors, isStep, levelsOf, RUN } from '../record/specification.ts'
import { Run } from '../record/subject.ts'
import * as FINDINGS from './findings.ts'
import { STREAM_RECORD } from './findings.ts'
import { type Line, LineChecker, type LineType, leafOf, recordOf } from './lines.ts'
import { type Checkpoint, notesIn } from './note.ts'
import { countCommitted, isOpened, readOpenings } from './openings.ts'
import { Frontier, type Hash } from './tree.ts'
import {
  type Endorsement,
  earlierIn,
  findTrusted,
  linkStream,
  MOST_RENEWALS,
  runOf,
  type SignedCheckpoint,
  signedCheckpoints,
  TRUST_STEPS,
  Trust,
  type TrustOptions,
} from './trust.ts'

const STEPS = {
  lines: ['Every line is canonical and in its place', 'docs/guide/runs.md'],
  record: ['The lines make a valid record', 'ADP-1 section 8.1'],
  end: ['The run has ended', 'docs/guide/runs.md'],
  checkpoint: ['A checkpoint covers all lines, and each one fits', 'docs/guide/runs.md'],
  ...TRUST_STEPS,
  content: ['The values that were shown are those that it commits to', 'docs/guide/runs.md'],
  history: ['It begins with what was seen earlier', 'RFC 6962 section 2.1.2'],
} as const satisfies StepTable<string>

type StreamSteps = Steps<keyof typeof STEPS>

const DOES_NOT_SHOW = [
  'that the outputs are true, and that the recorder saw everything',
  'when it happened: a witness with a clock shows that',
  'that the agent could not read the key that signs',
]

/** What remains of a stream when its lines were read: its size and root, and the roots at the sizes in question. */
interface StreamState extends linkStream.Identity {
  readonly size: number
  readonly runId: string | undefined
  readonly last: LineType | undefined
  readonly roots: ReadonlyMap<number, Hash>
  /** The record that the lines make; undefined when there is no valid one, and for a large one. */
  readonly whole: Run | undefined
  /** Lines whose content was removed. */
  readonly removed: number
}

export declare namespace verifyStream {
  interface Options extends TrustOptions {
    readonly file?: string
    /** The checkpoints of the stream, one note behind the other. Each must be of this run, and fit. */
    readonly checkpoints: Uint8Array
    /** Values that the stream commits to, as `seal` wrote them: all, or only some. */
    readonly openings?: Uint8Array
    /** Links the stream to the certificate of its agent, in its lines or here, whose key may then sign it as well. */
    readonly agent?: Omit<RunLinkOptions, 'file'>
    /** Earlier checkpoints by a trusted key: the stream must begin with the lines that each covers. */
    readonly since?: Uint8Array
    /** Lines after the last trusted checkpoint make the verdict `unverifiable` instead of `failed`. */
    readonly partial?: boolean
  }
}

/**
 * Verifies a stream. It is `verified` only if a trusted key signed all lines to the end of the run. The verdict is
 * `unverifiable` without a key or a policy, because a key that only the stream names proves nothing, and for a run
 * without an end.
 *
 * @example
 * (await verifyStream(bytes, { checkpoints, keys: [recorder] })).verdict // 'verified'
 */
export async function verifyStream(
  source: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options: verifyStream.Options,
): Promise<Proof> {
  const { file = 'the stream' } = options
  const steps: StreamSteps = new Steps(file, STEPS)
  const checkpoints = signedCheckpoints(notesIn(options.checkpoints))
  const since = options.since === undefined ? [] : earlierIn(options.since)
  const heads = [...checkpoints, ...(since ?? [])]
  const state = await readLines(source instanceof Uint8Array ? [source] : source, heads, file, steps)
  checkEnd(state, steps)
  const hidden = checkContent(state, options, steps)
  const linked = options.agent && (await linkStream(state, { ...options.agent, file }))
  const trust = await Trust.of(options, linked?.key)
  const trusted = await checkCheckpoints(checkpoints, state, trust, options, steps)
  if (options.since !== undefined) await checkHistory(since, state, trust, steps)
  const { shows = [], doesNotShow = [] } = trusted?.isByAgent ? { shows: [BY_AGENT] } : (linked ?? {})
  const proof = conclude([steps.proof(), linked], shows, [
    ...openQuestions(hidden, state, options),
    ...doesNotShow.slice(0, 1),
  ])
  if (proof.verdict === 'unverifiable' && options.partial && trusted !== undefined)
    return { ...proof, shows: [`that nobody changed the first ${trusted.size} of ${state.size} lines ${SIGNED}`] }
  const { whole } = state
  if (proof.verdict === 'failed' || whole === undefined) return proof
  return { ...proof, conformance: levelsOf(whole, linked?.verdict) }
}

const SIGNED = 'after a trusted key signed them'
const BY_AGENT = 'that the agent of the certificate signed them: its authority is one that you trust'

/** One proof of the stream and of its agent. */
function conclude(
  proofs: readonly (Proof | undefined)[],
  shown: readonly string[],
  doesNotShow: readonly string[],
): Proof {
  const verdicts = proofs.map((proof) => proof?.verdict)
  const verdict = (['failed', 'unverifiable'] as const).find((one) => verdicts.includes(one)) ?? 'verified'
  const shows = verdict === 'verified' ? [`that nobody changed the lines ${SIGNED}`, ...shown] : []
  return { verdict, steps: proofs.flatMap((proof) => proof?.steps ?? []), shows, doesNotShow }
}

function openQuestions(hidden: number, { removed }: StreamState, { policy }: verifyStream.Options): readonly string[] {
  return [
    ...(removed > 0 ? [`the content of ${removed} lines, which was removed`] : []),
    ...(hidden > 0 ? [`${hidden} values that the stream only commits to`] : []),
    ...(policy === undefined || policy.quorum === 'none'
      ? ['that its signer showed everybody the same stream: witnesses do']
      : []),
    ...DOES_NOT_SHOW,
  ]
}

async function readLines(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  heads: readonly Checkpoint[],
  file: string,
  steps: StreamSteps,
): Promise<StreamState> {
  const checker = new LineChecker(file)
  const tree = new Frontier()
  const wanted = new Set(heads.map(({ size }) => size))
  const roots = new Map<number, Hash>([[0, tree.root]])
  const record = new StreamRecord()
  let runId: string | undefined
  let last: LineType | undefined
  for await (const line of splitLines(source, { isRaw: true })) {
    const value = checker.take(line)
    runId ??= value && String(value.run_id)
    last = value?.type
    if (value !== undefined) record.take(value, line.bytes!.length)
    if (value?.type === 'removed') tree.append(leafOf(line.bytes!))
    else tree.appendLeaf(line.bytes ?? new Uint8Array())
    if (wanted.has(tree.size)) roots.set(tree.size, tree.root)
  }
  checker.finish()
  roots.set(tree.size, tree.root)
  for (const diagnostic of checker.diagnostics)
    steps.addFinding('lines', diagnostic, diagnostic.severity === 'error' ? 'failed' : 'warning')
  if (checker.diagnostics.length === 0) steps.passed('lines', `${tree.size} lines`)
  return {
    size: tree.size,
    runId,
    last,
    roots,
    whole: record.check(checker.isDeep, steps),
    removed: record.removed,
    ...record.identity,
  }
}

const remark = (rule: typeof FINDINGS.STREAM_ROOT) => ({ rule, pointer: '' })

/** Anybody can cut a run at a checkpoint, or say that its last line was removed: neither shows that it ended there. */
function checkEnd({ last }: StreamState, steps: StreamSteps): void {
  if (last === 'run_completed') steps.passed('end', 'with run_completed')
  else if (last === 'removed')
    steps.open('end', 'nothing shows that the last line, whose content was removed, is the end')
  else steps.open('end', 'the run goes on, or somebody cut the stream')
}

/** Why a checkpoint is not one of this stream. */
function misfitOf({ origin, size, root }: Checkpoint, state: StreamState): string | undefined {
  if (runOf(origin) !== state.runId) return `${quoted(origin)} is the name of another run`
  if (size > state.size) return `it covers ${size} lines, found ${state.size}`
  return sameBytes(state.roots.get(size)!, root) ? undefined : `the first ${size} lines are not those that were signed`
}

const mostLines = (heads: readonly Checkpoint[]) => heads.reduce((most, { size }) => Math.max(most, size), 0)

/** Returns the largest trusted checkpoint that fits. */
async function checkCheckpoints(
  checkpoints: readonly SignedCheckpoint[],
  state: StreamState,
  trust: Trust,
  { partial = false }: verifyStream.Options,
  steps: StreamSteps,
): Promise<Endorsement | undefined> {
  if (checkpoints.length === 0) {
    steps.unknown('checkpoint', 'the stream has no checkpoint', remark(FINDINGS.STREAM_UNCOVERED))
    return undefined
  }
  const fitting = checkpoints.filter((one) => misfitOf(one, state) === undefined)
  const wrong = checkpoints.find((one) => misfitOf(one, state) !== undefined)
  const trusted = await findTrusted(fitting.length > 0 ? fitting : checkpoints, trust, steps)
  const covered = trusted?.size ?? mostLines(fitting)
  if (wrong !== undefined) {
    const isSigned = (await trust.endorsement(wrong)) !== undefined
    const detail = `${misfitOf(wrong, state)}${isSigned ? ': a trusted key signed another history' : ''}`
    steps.failed('checkpoint', detail, remark(FINDINGS.STREAM_ROOT))
  } else if (covered === state.size) steps.passed('checkpoint', `${covered} lines`)
  else {
    const detail = `the first ${covered} of ${state.size} lines ${partial && trusted !== undefined ? 'verified' : 'are covered'}`
    const data = { covered, lines: state.size }
    steps[partial ? 'unknown' : 'failed']('checkpoint', detail, remark(FINDINGS.STREAM_UNCOVERED), data)
  }
  return wrong === undefined ? trusted : undefined
}

/** Compares the values that were given with their commitments; returns how many others there are. */
function checkContent({ whole }: StreamState, { openings }: verifyStream.Options, steps: StreamSteps): number {
  const record = whole?.root.value
  const committed = countCommitted(record)
  const opened = openings === undefined ? [] : readOpenings(openings)
  const isRight = opened?.every((opening) => record !== undefined && isOpened(record, opening)) === true
  if (record === undefined && opened !== undefined && opened.length > 0)
    steps.open('content', 'the record is not complete, or too large to compare values with')
  else if (openings === undefined) steps.skipped('content', `${committed} values are only committed to`)
  else if (isRight) steps.passed('content', `${opened.length} of ${committed} values`)
  else steps.failed('content', 'a value is not the one that the stream commits to', remark(FINDINGS.STREAM_CONTENT))
  return committed - (isRight ? opened.length : 0)
}

async function checkHistory(
  since: readonly SignedCheckpoint[] | undefined,
  state: StreamState,
  trust: Trust,
  steps: StreamSteps,
): Promise<void> {
  const refuse = (detail: string) => steps.failed('history', detail, remark(FINDINGS.STREAM_HISTORY))
  if (since === undefined) return refuse('the earlier checkpoints cannot be read')
  for (const one of since) {
    const wrong = misfitOf(one, state)
    if (wrong !== undefined) return refuse(`of the earlier checkpoint: ${wrong}`)
    if (trust.keysOf(one.origin).length === 0) return steps.open('history', 'no trusted key was given')
    if ((await trust.endorsement(one)) === undefined)
      return refuse(`no trusted key signed the earlier checkpoint of ${one.size} lines`)
  }
  steps.passed('history', `${mostLines(since)} lines`)
}

// The record that the lines of a stream make, in bounded memory.

/** Up to this size, the record is checked as a whole. Beyond, each step by itself, so that memory stays small. */
const WHOLE_RECORD = 8 << 20

/** The record that the lines make, as far as it is kept. */
class StreamRecord {
  #lines: Line[] = []
  #bytes = 0
  #steps = 0
  #invalid = 0
  removed = 0
  readonly #renewed: unknown[] = []

  take(line: Line, bytes: number): void {
    this.#bytes += bytes
    if (line.type === 'step') this.#steps++
    if (line.type === 'removed') this.removed++
    // One more than allowed is enough to refuse them.
    if (line.type === 'certificate' && this.#renewed.length <= MOST_RENEWALS) this.#renewed.push(line['chain'])
    if (this.#bytes <= WHOLE_RECORD) {
      this.#lines.push(line)
      return
    }
    // Before, there were more than two lines. The first and the last one make a record without steps.
    if (this.#lines.length > 2) for (const one of this.#lines.splice(1)) this.#judge(one)
    this.#judge(line)
    this.#lines[1] = line
  }

  #judge({ type, step }: Line): void {
    if (type === 'step' && !isStep(step)) this.#invalid++
  }

  get identity(): linkStream.Identity {
    const [first] = this.#lines
    if (first?.type !== 'run_started') return { record: undefined, chain: undefined, renewed: this.#renewed }
    const record = recordOf([first, this.#lines.at(-1)!])
    return { record, chain: first['chain'], renewed: this.#renewed }
  }

  /** @param isDeep whether a step may be nested too deeply for a record. */
  check(isDeep: boolean, steps: Steps<'record'>): Run | undefined {
    if (this.removed > 0) {
      steps.warning('record', `content of ${this.removed} lines was removed, so it was not checked`)
      return undefined
    }
    if (this.#lines.at(-1)?.type !== 'run_completed') {
      steps.warning('record', 'the run has no end yet')
      return undefined
    }
    const record = recordOf(this.#lines)
    const invalid = this.#invalid === 0 ? undefined : `${this.#invalid} of ${this.#steps} steps do not fit the schema`
    const run = runOfRecord(record)
    const fault = (!isDeep && hasNoErrors(run) ? undefined : faultOf(record)) ?? invalid
    if (fault === undefined) steps.passed('record', `${this.#steps} steps`)
    else steps.failed('record', fault, { rule: STREAM_RECORD, pointer: '' })
    return fault === undefined && this.#bytes <= WHOLE_RECORD ? run : undefined
  }
}

/** Lines are canonical already, so a record is read again only to say what is wrong, and for its verdicts. */
function runOfRecord(record: JsonObject): Run {
  let document: Document | undefined
  return new Run({ pointer: '', value: record }, () => {
    document ??= documentOf(record).document!
    return document
  })
}

const documentOf = (record: JsonObject) => parseAs(RUN, canonicalizeValue(record))

/** The first error of a record. */
function faultOf(record: JsonObject): string | undefined {
  const { diagnostics } = check(RUN, documentOf(record), RUN.settings({}))
  const first = diagnostics.find(({ severity }) => severity === 'error')
  return first && `${first.detail} (${first.code})`
}
