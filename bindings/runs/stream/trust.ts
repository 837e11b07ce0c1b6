// Which checkpoint may be trusted: signed by a key of the caller, and seen by enough witnesses.
import type { Steps, StepTable } from '../../frame/steps.ts'
import type { Key } from '../../keys/key.ts'
import { importKey } from '../../keys/platform.ts'
import type { KeySource } from '../../keys/read.ts'
import { sameBytes } from '../../text/bytes.ts'
import { isDomain } from '../../text/host-name.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from './findings.ts'
import {
  type Checkpoint,
  isNoteName,
  joinNotes,
  type Note,
  type NoteKey,
  noteKey,
  notesIn,
  readCheckpoint,
  verifyNote,
  writeNote,
} from './note.ts'
import { isQuorum, type WitnessPolicy } from './policy.ts'

export const TRUST_STEPS = {
  signature: ['A trusted key signed it', 'https://c2sp.org/tlog-checkpoint'],
  witnesses: ['Enough witnesses saw it', 'https://c2sp.org/tlog-policy'],
} as const satisfies StepTable<string>

/** Only the signatures of the largest checkpoints are checked. */
const MOST_JUDGED = 1000

export interface TrustOptions {
  /** Keys that the caller trusts to sign checkpoints. */
  readonly keys?: readonly KeySource[]
  /** Trusted logs and witnesses. */
  readonly policy?: WitnessPolicy
}

/** A note whose text is a checkpoint. */
export interface SignedCheckpoint extends Checkpoint {
  readonly note: Note
}

/** Who signed a checkpoint. */
export interface Endorsement extends SignedCheckpoint {
  readonly isByAgent: boolean
  /** How many trusted witnesses saw it, and whether these are enough. */
  readonly seenBy: number
  readonly isSeen: boolean
}

export const signedCheckpoints = (notes: readonly Note[]): readonly SignedCheckpoint[] =>
  notes.flatMap((note) => {
    const head = readCheckpoint(note.text)
    return head === undefined ? [] : [{ ...head, note }]
  })

/** The checkpoints of an earlier time; undefined for a file that has anything else. */
export function earlierIn(bytes: Uint8Array): readonly SignedCheckpoint[] | undefined {
  const notes = notesIn(bytes)
  const [read, whole] = [signedCheckpoints(notes), joinNotes(notes.map(writeNote))]
  const isWhole = read.length === notes.length && sameBytes(trimmed(whole), trimmed(bytes))
  return isWhole && read.length > 0 ? read : undefined
}

/** Without line feeds at the end. */
function trimmed(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0x0a) end--
  return bytes.subarray(0, end)
}

/** The run that a checkpoint is of, by its name; undefined for another name. */
export function runOf(origin: string): string | undefined {
  const [domain, ...rest] = origin.split('/adp/')
  return rest.length > 0 && isDomain(domain!) ? rest.join('/adp/') : undefined
}

/** The keys and witnesses that a caller trusts. */
export class Trust {
  readonly #keys: readonly Key[]
  readonly #agent: Key | undefined
  readonly #policy: WitnessPolicy | undefined

  private constructor(keys: readonly Key[], agent: Key | undefined, policy: WitnessPolicy | undefined) {
    this.#keys = keys
    this.#agent = agent?.kind === 'P-256' || agent?.kind === 'Ed25519' ? agent : undefined
    this.#policy = policy
  }

  /** @param agent the key of a certificate that is linked to the run. */
  static async of({ keys = [], policy }: TrustOptions, agent?: Key): Promise<Trust> {
    return new Trust(await Promise.all(keys.map((key) => importKey(key))), agent, policy)
  }

  /** True when witnesses are required. */
  get wantsWitnesses(): boolean {
    return this.#policy !== undefined && this.#policy.quorum !== 'none'
  }

  /** The key of the agent, pinned keys, and those of logs in the policy whose name is the origin. */
  keysOf(origin: string): readonly NoteKey[] {
    if (!isNoteName(origin)) return []
    const logs = this.#policy?.logs.filter(({ name }) => name === origin) ?? []
    const own = this.#agent === undefined ? [] : [this.#agent]
    return [...[...own, ...this.#keys].map((key) => noteKey(origin, key)), ...logs]
  }

  /** Undefined when no trusted key signed the checkpoint. */
  async endorsement(checkpoint: SignedCheckpoint): Promise<Endorsement | undefined> {
    const { note, origin } = checkpoint
    const keys = this.keysOf(origin)
    const signed = (await verifyNote(note, keys)) ?? []
    if (signed.length === 0) return undefined
    const isByAgent = this.#agent !== undefined && signed.some(({ key }) => key === keys[0])
    if (!this.wantsWitnesses) return { ...checkpoint, isByAgent, seenBy: 0, isSeen: true }
    const policy = this.#policy!
    const witnesses = Array.from(policy.witnesses.values()).filter((key) => key !== undefined)
    const seenBy = new Set(((await verifyNote(note, witnesses)) ?? []).map(({ key }) => key))
    return { ...checkpoint, isByAgent, seenBy: seenBy.size, isSeen: isQuorum(policy, seenBy) }
  }
}

/** Adds the steps about signatures; returns the largest checkpoint that is trusted. */
export async function findTrusted(
  checkpoints: readonly SignedCheckpoint[],
  trust: Trust,
  steps: Steps<keyof typeof TRUST_STEPS>,
): Promise<Endorsement | undefined> {
  let best: Endorsement | undefined
  const judged = [...checkpoints].sort((a, b) => b.size - a.size).slice(0, MOST_JUDGED)
  for (const one of judged) {
    const found = await trust.endorsement(one)
    if (best === undefined || found?.isSeen) best = found
    if (best?.isSeen) break
  }
  const remark = (rule: typeof FINDINGS.STREAM_KEY) => ({ rule, pointer: '' })
  if (best !== undefined)
    steps.passed('signature', `${quoted(best.origin)}${best.isByAgent ? ', by the key of the certificate' : ''}`)
  else if (judged.every(({ origin }) => trust.keysOf(origin).length === 0))
    steps.unknown('signature', 'no trusted key was given', remark(FINDINGS.STREAM_KEY))
  else steps.failed('signature', 'none of the trusted keys signed it', remark(FINDINGS.STREAM_SIGNATURE))
  if (!trust.wantsWitnesses) steps.skipped('witnesses', 'no witness is required')
  else if (best === undefined) steps.open('witnesses', 'no trusted key signed what they saw')
  else if (best.isSeen) steps.passed('witnesses', `${best.seenBy} saw the first ${best.size} lines`)
  else steps.failed('witnesses', `${best.seenBy} saw it, which is too few`, remark(FINDINGS.STREAM_WITNESSES))
  return best?.isSeen ? best : undefined
}
