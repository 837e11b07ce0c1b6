// Verifies a stream: every line, the checkpoints over them, and who signed and saw these.

import { splitLines } from '../../document/split-lines.ts'
import type { Proof } from '../../frame/proof.ts'
import { Steps, type StepTable } from '../../frame/steps.ts'
import { importKey } from '../../keys/import.ts'
import type { Key } from '../../keys/key.ts'
import type { KeySource } from '../../keys/read.ts'
import { sameBytes } from '../../text/bytes.ts'
import type { JsonObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { RunLinkOptions } from '../aip/link.ts'
import { LineChecker } from './check.ts'
import * as FINDINGS from './findings.ts'
import { leafOf } from './lines.ts'
import { linkStream, type StreamIdentity } from './linkage.ts'
import {
  type Checkpoint,
  type Note,
  type NoteKey,
  noteKey,
  notesIn,
  readCheckpoint,
  readNote,
  type VerifiedSignature,
  verifyNote,
} from './note.ts'
import { countCommitted, isOpened, readOpenings } from './openings.ts'
import { isQuorum, type WitnessPolicy } from './policy.ts'
import { StreamRecord } from './stream-record.ts'
import { Frontier, type Hash, leafHash } from './tree.ts'

const STEPS = {
  lines: ['Every line is canonical and in its place', 'docs/guide/runs.md'],
  record: ['The lines make a valid record', 'ADP-1 section 8.1'],
  checkpoint: ['The last checkpoint covers all lines', 'docs/guide/runs.md'],
  signature: ['A trusted key signed it', 'https://c2sp.org/tlog-checkpoint'],
  content: ['The values that were shown are those that it commits to', 'docs/guide/runs.md'],
  history: ['It begins with what was seen earlier', 'RFC 6962 section 2.1.2'],
  witnesses: ['Enough witnesses saw it', 'https://c2sp.org/tlog-policy'],
} as const satisfies StepTable<string>

type StreamSteps = Steps<keyof typeof STEPS>

export interface VerifyStreamOptions {
  readonly file?: string
  /** The checkpoints of the stream, one note behind the other. */
  readonly checkpoints: Uint8Array
  /** Keys that the caller trusts to sign this stream. */
  readonly keys?: readonly KeySource[]
  /** Trusted logs and witnesses. */
  readonly policy?: WitnessPolicy
  /** Values that the stream commits to, as `seal` wrote them: all, or only some. */
  readonly openings?: Uint8Array
  /** Links the stream to the certificate of its agent, in its lines or here, whose key may then sign it as well. */
  readonly agent?: Omit<RunLinkOptions, 'file'>
  /** An earlier checkpoint: the stream must begin with the lines that it covers. */
  readonly since?: Uint8Array
}

const DOES_NOT_SHOW = [
  'that the outputs are true, and that the recorder saw everything',
  'when it happened: a witness with a clock shows that',
  'that the agent could not read the key that signs',
]

/** What remains of a stream when its lines were read: its size and root, and the roots at the sizes in question. */
interface StreamState extends StreamIdentity {
  readonly size: number
  readonly roots: ReadonlyMap<number, Hash>
  /** The record that the lines make; undefined when there is no valid one, and for a large one. */
  readonly whole: JsonObject | undefined
  /** Lines whose content was removed. */
  readonly removed: number
}

/**
 * Verifies a stream. The verdict is `unverifiable` without a key or a policy: a key that only the stream names proves
 * nothing.
 *
 * @example
 * (await verifyStream(bytes, { checkpoints, keys: [recorder] })).verdict // 'verified'
 */
export async function verifyStream(
  source: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options: VerifyStreamOptions,
): Promise<Proof> {
  const { file = 'the stream' } = options
  const steps: StreamSteps = new Steps(file, STEPS)
  const notes = notesIn(options.checkpoints)
  const since = options.since && readNote(options.since)
  const heads = [...notes, since].flatMap((note) => (note && readCheckpoint(note.text)) ?? [])
  const state = await readLines(source instanceof Uint8Array ? [source] : source, heads, file, steps)
  const last = notes.at(-1)
  const head = last && readCheckpoint(last.text)
  checkHead(head, state, steps)
  const hidden = checkContent(state, options, steps)
  const linked = options.agent && (await linkStream(state, { ...options.agent, file }))
  let isByAgent = false
  if (last !== undefined && head !== undefined) {
    isByAgent = await checkSignature(last, head, options, linked?.key, steps)
    await checkWitnesses(last, options, steps)
  }
  if (options.since !== undefined) checkHistory(since, state, steps)
  const { shows = [], doesNotShow = [] } = isByAgent ? { shows: [BY_AGENT] } : (linked ?? {})
  return conclude([steps.proof(), linked], shows, [
    ...openQuestions(hidden, state, options),
    ...doesNotShow.slice(0, 1),
  ])
}

const BY_AGENT = 'that the agent of the certificate signed them: its authority is one that you trust'

/** One proof of the stream and of its agent. */
function conclude(
  proofs: readonly (Proof | undefined)[],
  shown: readonly string[],
  doesNotShow: readonly string[],
): Proof {
  const verdicts = proofs.map((proof) => proof?.verdict)
  const verdict = (['failed', 'unverifiable'] as const).find((one) => verdicts.includes(one)) ?? 'verified'
  const shows =
    verdict === 'verified' ? ['that nobody changed the lines after a trusted key signed them', ...shown] : []
  return { verdict, steps: proofs.flatMap((proof) => proof?.steps ?? []), shows, doesNotShow }
}

function openQuestions(hidden: number, { removed }: StreamState, { policy }: VerifyStreamOptions): readonly string[] {
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
  for await (const line of splitLines(source, { isRaw: true })) {
    const value = checker.take(line)
    if (value !== undefined) record.take(value, line.bytes!.length)
    tree.append(value === undefined ? leafHash(line.bytes ?? new Uint8Array()) : leafOf(line.bytes!))
    if (wanted.has(tree.size)) roots.set(tree.size, tree.root)
  }
  checker.finish()
  roots.set(tree.size, tree.root)
  for (const diagnostic of checker.diagnostics)
    steps.found('lines', diagnostic, diagnostic.severity === 'error' ? 'failed' : 'warning')
  if (checker.diagnostics.length === 0) steps.passed('lines', `${tree.size} lines`)
  return {
    size: tree.size,
    roots,
    whole: record.check(checker.isDeep, steps),
    removed: record.removed,
    ...record.identity,
  }
}

const remark = (rule: typeof FINDINGS.STREAM_ROOT) => ({ rule, pointer: '' })

function checkHead(head: Checkpoint | undefined, { size, roots }: StreamState, steps: StreamSteps): void {
  if (head === undefined) steps.unknown('checkpoint', 'the stream has no checkpoint', remark(FINDINGS.STREAM_UNCOVERED))
  else if (head.size > size)
    steps.failed('checkpoint', `it covers ${head.size} lines, found ${size}`, remark(FINDINGS.STREAM_ROOT))
  else if (!sameBytes(roots.get(head.size)!, head.root))
    steps.failed(
      'checkpoint',
      `the first ${head.size} lines are not those that were signed`,
      remark(FINDINGS.STREAM_ROOT),
    )
  else if (head.size < size)
    steps.warning('checkpoint', `the last ${size - head.size} lines are not covered`, remark(FINDINGS.STREAM_UNCOVERED))
  else steps.passed('checkpoint', `${size} lines`)
}

/** Compares the values that were given with their commitments; returns how many others there are. */
function checkContent({ whole: record }: StreamState, { openings }: VerifyStreamOptions, steps: StreamSteps): number {
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

/** Returns whether the key of the agent's certificate signed. */
async function checkSignature(
  note: Note,
  head: Checkpoint,
  options: VerifyStreamOptions,
  agent: Key | undefined,
  steps: StreamSteps,
): Promise<boolean> {
  const own = agent?.kind === 'P-256' || agent?.kind === 'Ed25519' ? [noteKey(head.origin, agent)] : []
  const keys = [...(await trustedKeys(head.origin, options)), ...own]
  const verified = (await verifyNote(note, keys)) ?? []
  const isByAgent = verified.some(({ key }) => own.includes(key))
  if (keys.length === 0) steps.unknown('signature', 'no trusted key was given', remark(FINDINGS.STREAM_KEY))
  else if (verified.length === 0)
    steps.failed('signature', 'none of the trusted keys signed it', remark(FINDINGS.STREAM_SIGNATURE))
  else steps.passed('signature', `${quoted(head.origin)}${isByAgent ? ', by the key of the certificate' : ''}`)
  return isByAgent
}

/** Pinned keys, and those of logs in the policy whose name is the origin. */
async function trustedKeys(origin: string, { keys = [], policy }: VerifyStreamOptions): Promise<readonly NoteKey[]> {
  const pinned = await Promise.all(keys.map(async (key) => noteKey(origin, await importKey(key))))
  return [...pinned, ...(policy?.logs.filter(({ name }) => name === origin) ?? [])]
}

async function checkWitnesses(note: Note, { policy }: VerifyStreamOptions, steps: StreamSteps): Promise<void> {
  if (policy === undefined || policy.quorum === 'none') {
    steps.skipped('witnesses', 'no witness is required')
    return
  }
  const keys = Array.from(policy.witnesses.values()).filter((key) => key !== undefined)
  const verified: readonly VerifiedSignature[] = (await verifyNote(note, keys)) ?? []
  const seenBy = new Set(verified.map(({ key }) => key))
  if (isQuorum(policy, seenBy)) steps.passed('witnesses', `${seenBy.size} saw it`)
  else steps.failed('witnesses', `${seenBy.size} saw it, which is too few`, remark(FINDINGS.STREAM_WITNESSES))
}

function checkHistory(since: Note | undefined, { roots }: StreamState, steps: StreamSteps): void {
  const head = since && readCheckpoint(since.text)
  const root = head && roots.get(head.size)
  if (head === undefined)
    steps.failed('history', 'the earlier checkpoint cannot be read', remark(FINDINGS.STREAM_HISTORY))
  else if (root !== undefined && sameBytes(root, head.root)) steps.passed('history', `${head.size} lines`)
  else steps.failed('history', `the first ${head.size} lines are others than before`, remark(FINDINGS.STREAM_HISTORY))
}
