// Proofs about a stream without its lines: a `.tlog-proof` of C2SP for one line, and that a stream grew.
//
//     c2sp.org/tlog-proof@v1
//     index 3
//     9t2NiCrb6fvEbcqKUHfINsZRrmOhW1QAhlTICtSAYos=
//     qlwF1ZZdx0CKl9hlhyu3y0itT+eEsTL1THQJ1fk9Jfo=
//
//     (the checkpoint)
import { parse } from '../../document/parse.ts'
import type { Proof } from '../../frame/source.ts'
import { Steps, type StepTable } from '../../frame/steps.ts'
import { decodeBase64, encodeBase64 } from '../../keys/base64.ts'
import { joinBytes, sameBytes } from '../../text/bytes.ts'
import { isObject, isText, type JsonObject, member } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from './findings.ts'
import { isLeafHash, isRemoved, LineChecker, leafOf, START } from './lines.ts'
import { type Note, readNote } from './note.ts'
import { HASH_BYTES, type Hash, isConsistent, rootOfInclusion } from './tree.ts'
import { earlierIn, findTrusted, runOf, signedCheckpoints, TRUST_STEPS, Trust, type TrustOptions } from './trust.ts'

const OBJECT = 0x7b
const LINE_FEED = 0x0a
const MOST_HASHES = 128
const TENANT = /^tenants\/[0-9a-f]{64}$/

const HEAD = 'c2sp.org/tlog-proof@v1'
const FILE =
  /^c2sp\.org\/tlog-proof@v1\n(?:extra ([A-Za-z0-9+/]+={0,2})\n)?index (0|[1-9]\d{0,15})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n/

export declare namespace writeProof {
  interface InclusionProof {
    /** The line, counted from 0. */
    readonly index: number
    readonly hashes: readonly Hash[]
    /** The signed checkpoint, as bytes. */
    readonly checkpoint: Uint8Array
  }
}

export function writeProof({ index, hashes, checkpoint }: writeProof.InclusionProof): Uint8Array<ArrayBuffer> {
  const rows = hashes.map((hash) => `${encodeBase64(hash)}\n`)
  return joinBytes([new TextEncoder().encode(`${HEAD}\nindex ${index}\n${rows.join('')}\n`), checkpoint])
}

/** True for a `.tlog-proof`, by its name or by how it begins; the line may stand before it. */
export function isLineProof(bytes: Uint8Array, file = ''): boolean {
  const start = startOf(bytes)
  return /\.tlog-proof$/i.test(file) || new TextDecoder().decode(bytes.subarray(start, start + HEAD.length)) === HEAD
}

const startOf = (source: Uint8Array) => (source[0] === OBJECT ? source.indexOf(LINE_FEED) + 1 : 0)

/** Reads a proof; undefined for another text. */
function readProof(bytes: Uint8Array): (writeProof.InclusionProof & { readonly note: Note }) | undefined {
  const text = new TextDecoder().decode(bytes)
  const [head, , index, rows] = FILE.exec(text) ?? []
  const checkpoint = head === undefined ? undefined : new TextEncoder().encode(text.slice(head.length))
  const note = checkpoint && readNote(checkpoint)
  if (note === undefined || !Number.isSafeInteger(Number(index))) return undefined
  try {
    const hashes = rows!
      .split('\n')
      .slice(0, -1)
      .map((row) => decodeBase64(row) as Hash)
    return hashes.every(({ length }) => length === HASH_BYTES)
      ? { index: Number(index), hashes, checkpoint: checkpoint!, note }
      : undefined
  } catch {
    return undefined
  }
}

const STEPS = {
  proof: ['The proof can be read', 'https://c2sp.org/tlog-proof'],
  line: ['The line is canonical and in its place', 'docs/guide/runs.md'],
  ...TRUST_STEPS,
  inclusion: ['The signed tree has the line', 'RFC 9162 section 2.1.3.2'],
  history: ['The tree begins with what was seen earlier', 'RFC 9162 section 2.1.4.2'],
} as const satisfies StepTable<string>

type ProofSteps = Steps<keyof typeof STEPS>

const remark = (rule: typeof FINDINGS.STREAM_PROOF) => ({ rule, pointer: '' })

export declare namespace verifyLine {
  interface Options extends TrustOptions {
    readonly file?: string
    /** The line, with or without its line feed. A proof that `blazon runs prove` printed has it already. */
    readonly line?: Uint8Array
  }
}

/**
 * Verifies that one line is in a stream: a `.tlog-proof` of C2SP, of a run or of the tree of a tenant.
 *
 * @example
 * (await verifyLine(proof, { line, keys: [recorder] })).verdict // 'verified'
 */
export async function verifyLine(source: Uint8Array, options: verifyLine.Options = {}): Promise<Proof> {
  const { file = 'the proof', line: given } = options
  const steps: ProofSteps = new Steps(file, STEPS)
  const start = startOf(source)
  const read = readProof(source.subarray(start))
  const [head] = read === undefined ? [] : signedCheckpoints([read.note])
  if (read === undefined || head === undefined) {
    steps.failed('proof', 'expected a .tlog-proof of C2SP', remark(FINDINGS.STREAM_PROOF))
    return steps.proof()
  }
  const { index } = read
  steps.passed('proof', `line ${index} of ${head.size}`)
  await findTrusted([head], await Trust.of(options), steps)
  const line = withoutEnd(given ?? source.subarray(0, start))
  if (line.length === 0) steps.unknown('line', 'the line was not given', remark(FINDINGS.STREAM_PROOF))
  else {
    checkLine(line, index, head.origin, steps)
    const root = rootOfInclusion(leafOf(line), index, head.size, read.hashes)
    if (root !== undefined && sameBytes(root, head.root)) steps.passed('inclusion', `of ${quoted(head.origin)}`)
    else steps.failed('inclusion', 'the line is not in the tree of the checkpoint', remark(FINDINGS.STREAM_ROOT))
  }
  const proof = steps.proof()
  const shows =
    proof.verdict === 'verified' ? [`that a trusted key signed line ${index} of ${quoted(head.origin)}`] : []
  return {
    ...proof,
    shows,
    doesNotShow: [
      'what the other lines say, and how the run ended',
      'that the agent could not read the key that signs',
    ],
  }
}

/** Checks what a hash does not show: a line that stands for removed content has only members that follow from its place. */
function checkLine(bytes: Uint8Array, index: number, origin: string, steps: ProofSteps): void {
  const runId = runOf(origin)
  if (runId !== undefined && TENANT.test(runId) && bytes[0] === OBJECT && !isRemoved(bytes)) {
    steps.passed('line', 'of the tree of a tenant')
    return
  }
  const checker = new LineChecker('the line', { ...START, size: index, runId: runId ?? '' })
  checker.take({ number: index + 1, offset: 0, bytes, hasEnd: true })
  const [fault] = checker.diagnostics
  if (fault === undefined) steps.passed('line', `line ${index} of the run ${quoted(runId ?? '')}`)
  else steps.addFinding('line', fault, 'failed')
}

const withoutEnd = (line: Uint8Array) => (line.at(-1) === LINE_FEED ? line.subarray(0, -1) : line)

export declare namespace verifyGrowth {
  interface Options extends TrustOptions {
    readonly file?: string
    /** The earlier checkpoints, of the size from which the proof goes on. */
    readonly since?: Uint8Array
  }
}

/**
 * Verifies that a stream, or the tree of a tenant, grew from what was seen earlier: the answer of
 * `GET /runs/{id}/consistency`.
 *
 * @example
 * (await verifyGrowth(answer, { since: checkpoint, keys: [server] })).verdict // 'verified'
 */
export async function verifyGrowth(source: Uint8Array, options: verifyGrowth.Options = {}): Promise<Proof> {
  const { file = 'the proof', since } = options
  const steps: ProofSteps = new Steps(file, STEPS)
  const growth = readGrowth(parse(source).document?.value)
  if (growth === undefined) {
    steps.failed('proof', 'expected from, size, proof and checkpoint', remark(FINDINGS.STREAM_PROOF))
    return steps.proof()
  }
  const { from, head, hashes } = growth
  steps.passed('proof', `from ${from} to ${head.size} lines`)
  const trust = await Trust.of(options)
  await findTrusted([head], trust, steps)
  const earlier = since === undefined ? [] : earlierIn(since)
  if (earlier === undefined || earlier.length === 0)
    steps[since === undefined ? 'unknown' : 'failed'](
      'history',
      since === undefined ? 'no earlier checkpoint was given' : 'the earlier checkpoints cannot be read',
      remark(FINDINGS.STREAM_HISTORY),
    )
  for (const one of earlier ?? []) {
    const fault =
      one.origin === head.origin && one.size === from
        ? undefined
        : `it is of ${one.size} lines of ${quoted(one.origin)}`
    const isSigned = (await trust.endorsement(one)) !== undefined
    if (fault === undefined && isSigned && isConsistent(one, head, hashes)) steps.passed('history', `${from} lines`)
    else if (fault === undefined && trust.keysOf(one.origin).length === 0)
      steps.open('history', 'no trusted key was given')
    else {
      const reason = fault ?? (isSigned ? 'its lines are others' : 'no trusted key signed it')
      steps.failed('history', `the earlier checkpoint: ${reason}`, remark(FINDINGS.STREAM_HISTORY))
    }
  }
  const proof = steps.proof()
  const shows =
    proof.verdict === 'verified' ? [`that the first ${from} lines of ${quoted(head.origin)} are unchanged`] : []
  return { ...proof, shows, doesNotShow: ['what the lines say, and the end'] }
}

function readGrowth(value: unknown) {
  if (!isGrowth(value)) return undefined
  const { from, size, proof, checkpoint } = value
  const note = readNote(new TextEncoder().encode(checkpoint as string))
  const [head] = note === undefined ? [] : signedCheckpoints([note])
  const isSound = (proof as unknown[]).length <= MOST_HASHES && (proof as unknown[]).every(isLeafHash)
  if (head === undefined || head.size !== size || !Number.isSafeInteger(from) || !isSound) return undefined
  return { from: from as number, head, hashes: (proof as string[]).map((hash) => decodeBase64(hash) as Hash) }
}

/** True for the answer of `GET /runs/{id}/consistency`: a proof that a stream grew. */
export const isGrowth = (value: unknown): value is JsonObject =>
  isObject(value) && Array.isArray(member(value, 'proof')) && isText(member(value, 'checkpoint'))
