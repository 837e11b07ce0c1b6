// Which checkpoint may be trusted: signed by a key of the caller, and seen by enough witnesses.

import { canonicalizeValue } from '../../core/value.ts'
import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { Diagnostic } from '../../document/types.ts'
import type { Proof } from '../../frame/source.ts'
import { Steps, type StepTable } from '../../frame/steps.ts'
import { decodeBase64, KeyError } from '../../keys/base64.ts'
import { type Certificate, readCertificate } from '../../keys/certificate.ts'
import { verifyChain } from '../../keys/chain.ts'
import { importKey } from '../../keys/import.ts'
import { type Key, publicMembers } from '../../keys/key.ts'
import type { KeySource } from '../../keys/read.ts'
import { sameBytes } from '../../text/bytes.ts'
import { isDomain } from '../../text/host-name.ts'
import { isText, type JsonObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { AIP_EXTENSIONS, readAgentCertificate } from '../identity/certificates.ts'
import { AIP_RENEWAL, AIP_UNKNOWN } from '../identity/findings.ts'
import { GRACE_MS, linkUntil, otherHolder, type RunLinkOptions } from '../identity/link.ts'
import * as FINDINGS from './findings.ts'
import { STREAM_POLICY } from './findings.ts'
import {
  type Checkpoint,
  COSIGNATURE,
  isNoteName,
  joinNotes,
  type Note,
  type NoteKey,
  noteKey,
  notesIn,
  readCheckpoint,
  readNoteKey,
  verifyNote,
  writeNote,
} from './note.ts'

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
  const isWhole = read.length === notes.length && sameBytes(trimLine(whole), trimLine(bytes))
  return isWhole && read.length > 0 ? read : undefined
}

/** Without line feeds at the end. */
function trimLine(bytes: Uint8Array): Uint8Array {
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
    steps.unknown('signature', 'no trusted key was given', {
      ...remark(FINDINGS.STREAM_KEY),
      fix: { hint: 'blazon verify --key PUBLIC' },
    })
  else steps.failed('signature', 'none of the trusted keys signed it', remark(FINDINGS.STREAM_SIGNATURE))
  if (!trust.wantsWitnesses) steps.skipped('witnesses', 'no witness is required')
  else if (best === undefined) steps.open('witnesses', 'no trusted key signed what they saw')
  else if (best.isSeen) steps.passed('witnesses', `${best.seenBy} saw the first ${best.size} lines`)
  else steps.failed('witnesses', `${best.seenBy} saw it, which is too few`, remark(FINDINGS.STREAM_WITNESSES))
  return best?.isSeen ? best : undefined
}

// Policies of C2SP: which logs are trusted, and which witnesses must have seen a checkpoint.

/** The most logs, witnesses and groups. C2SP wants at least 32 of each. */
const MOST = 64
const LONGEST = 1 << 18

interface Group {
  readonly least: number
  readonly members: readonly string[]
}

export interface WitnessPolicy {
  readonly logs: readonly NoteKey[]
  /** By name; undefined for a key whose type is not supported, which never counts. */
  readonly witnesses: ReadonlyMap<string, NoteKey | undefined>
  readonly groups: ReadonlyMap<string, Group>
  /** The witness or group that must have seen the checkpoint; `none` for nobody. */
  readonly quorum: string
}

export declare namespace readPolicy {
  interface Result {
    readonly policy: WitnessPolicy | undefined
    readonly diagnostics: readonly Diagnostic[]
  }
}

/** Reads a policy. */
export async function readPolicy(text: string, file?: string): Promise<readPolicy.Result> {
  const policy = new PolicyBuilder()
  const refuse = (detail: string) => ({
    policy: undefined,
    diagnostics: [diagnoseNowhere(STREAM_POLICY, { detail }, file)],
  })
  if (text.length > LONGEST) return refuse(`Expected at most ${LONGEST} characters, found ${text.length}`)
  for (const [i, line] of text.split('\n').entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== '')
    if (words.length === 0 || words[0]!.startsWith('#')) continue
    const fault = await policy.take(words)
    if (fault !== undefined) return refuse(`Line ${i + 1}: ${fault}`)
  }
  return policy.quorum === undefined
    ? refuse('Expected a line quorum, found none')
    : { policy: { ...policy, quorum: policy.quorum }, diagnostics: [] }
}

class PolicyBuilder {
  readonly logs: NoteKey[] = []
  readonly witnesses = new Map<string, NoteKey | undefined>()
  readonly groups = new Map<string, Group>()
  quorum: string | undefined
  readonly #keys = new Set<string>()
  readonly #used = new Set<string>()

  /** Takes the words of a line; returns what is wrong with it. */
  async take([keyword, ...words]: readonly string[]): Promise<string | undefined> {
    try {
      if (keyword === 'log') return await this.#log(words)
      if (keyword === 'witness') return await this.#witness(words)
      if (keyword === 'group') return this.#group(words)
      if (keyword === 'quorum') return this.#setQuorum(words)
      return `expected log, witness, group or quorum, found ${quoted(keyword!)}`
    } catch (error) {
      if (error instanceof KeyError) return error.message
      throw error
    }
  }

  async #log([text = '', _url, ...others]: readonly string[]): Promise<string | undefined> {
    const key = await readNoteKey(text)
    if (others.length > 0 || this.logs.length === MOST) return 'expected a key and perhaps an address'
    if (key?.type === COSIGNATURE) return 'the key is that of a witness'
    const fault = this.#repeats(key)
    if (fault === undefined && key !== undefined) this.logs.push(key)
    return fault
  }

  async #witness([name = '', text = '', _url, ...others]: readonly string[]): Promise<string | undefined> {
    const key = await readNoteKey(text)
    if (others.length > 0 || this.witnesses.size === MOST) return 'expected a name, a key and perhaps an address'
    if (key !== undefined && key.type !== COSIGNATURE) return 'the key is not that of a witness'
    const fault = this.#nameFault(name) ?? this.#repeats(key)
    if (fault === undefined) this.witnesses.set(name, key)
    return fault
  }

  #group([name = '', count = '', ...members]: readonly string[]): string | undefined {
    const least =
      count === 'all' ? members.length : count === 'any' ? 1 : /^[1-9]\d{0,3}$/.test(count) ? Number(count) : 0
    if (least < 1 || least > members.length || this.groups.size === MOST)
      return `expected all, any or a number up to ${members.length}, found ${quoted(count)}`
    const wrong = members.find((member) => !this.#isKnown(member) || this.#used.has(member))
    if (wrong !== undefined || new Set(members).size !== members.length)
      return `${quoted(wrong ?? members[0]!)} is not known, or in a group already`
    const fault = this.#nameFault(name)
    if (fault !== undefined) return fault
    for (const member of members) this.#used.add(member)
    this.groups.set(name, { least, members })
    return undefined
  }

  #setQuorum([name = '', ...others]: readonly string[]): string | undefined {
    if (this.quorum !== undefined || others.length > 0) return 'expected one quorum'
    if (name !== 'none' && !this.#isKnown(name)) return `${quoted(name)} is not known`
    this.quorum = name
    return undefined
  }

  #isKnown(name: string): boolean {
    return this.witnesses.has(name) || this.groups.has(name)
  }

  #nameFault(name: string): string | undefined {
    return name === 'none' || this.#isKnown(name) ? `the name ${quoted(name)} is taken` : undefined
  }

  /** One key under two names would count twice. */
  #repeats(key: NoteKey | undefined): string | undefined {
    if (key === undefined) return undefined
    const members = JSON.stringify(publicMembers(key.key))
    if (this.#keys.has(members)) return 'the key is there already'
    this.#keys.add(members)
    return undefined
  }
}

/** True when enough of the witnesses have seen the checkpoint. */
function isQuorum({ quorum, witnesses, groups }: WitnessPolicy, seenBy: ReadonlySet<NoteKey>): boolean {
  const hasSeen = (name: string): boolean => {
    const group = groups.get(name)
    if (group !== undefined) return group.members.filter(hasSeen).length >= group.least
    const key = witnesses.get(name)
    return key !== undefined && seenBy.has(key)
  }
  return quorum === 'none' || hasSeen(quorum)
}

// The certificates in a stream: whether its record belongs to them, and whether their key may sign its checkpoints.

const STEPS = {
  certificates: ['The certificates in the stream are of one key', 'docs/guide/runs.md'],
} as const satisfies StepTable<string>

/** The certificate of a run lives for 15 minutes, so these are enough for ten days. */
export const MOST_RENEWALS = 1_000
const MOST_CERTIFICATES = 4

export declare namespace linkStream {
  interface Result extends Proof {
    /** The key of the agent, if the record is linked to its certificate. */
    readonly key: Key | undefined
  }

  /** What a stream says about its agent. */
  interface Identity {
    /** The record without its steps; undefined when its beginning was removed. */
    readonly record: JsonObject | undefined
    /** The member `chain` of the first line. */
    readonly chain: unknown
    /** The member `chain` of each later line with one. */
    readonly renewed?: readonly unknown[]
  }
}

/**
 * Links a stream to the certificate that it has, or that the caller gives, by the caller's anchors. This checks no
 * signature; `verifyStream` does.
 *
 * @example
 * (await linkStream({ record: run, chain }, { anchors: [authority] })).verdict // 'verified'
 *
 * @throws {KeyError} for a malformed certificate in the options.
 */
export async function linkStream(
  { record, chain, renewed = [] }: linkStream.Identity,
  { file = 'the stream', ...options }: RunLinkOptions = {},
): Promise<linkStream.Result> {
  const steps = new Steps(file, STEPS)
  if (record === undefined) {
    steps.unknown('certificates', 'the first line is missing, or its content was removed', {
      rule: AIP_UNKNOWN,
      pointer: '',
    })
    return { ...steps.proof(), key: undefined }
  }
  const own = chain === undefined ? [] : certificatesIn(chain)
  const certificate = options.certificate ?? own?.[0]?.bytes
  const issuers = options.chain ?? own?.slice(1).map(({ bytes }) => bytes) ?? []
  const first = options.certificate === undefined ? own?.[0] : readCertificate(options.certificate)
  const last = own === undefined ? 'the first line has a malformed chain' : await renewal(first, renewed, options)
  if (isText(last)) {
    steps.failed('certificates', last, { rule: AIP_RENEWAL, pointer: '' })
    return { ...steps.proof(), key: undefined }
  }
  steps.passed('certificates', `renewed ${renewed.length} times`)
  const given = { ...options, ...(certificate !== undefined && { certificate }), chain: issuers, file }
  const linked = await linkUntil(canonicalizeValue({ ...record, steps: [] }), given, { file, last })
  const isLinked = linked.verdict === 'verified' && certificate !== undefined
  const key = isLinked ? await importKey(readCertificate(certificate).spki) : undefined
  return { ...linked, steps: [...steps.proof().steps, ...linked.steps], key }
}

/** The certificate that was valid last, or what is wrong with one of the renewed ones. */
async function renewal(
  first: Certificate | undefined,
  renewed: readonly unknown[],
  options: Omit<RunLinkOptions, 'file'>,
): Promise<Certificate | string | undefined> {
  if (renewed.length > MOST_RENEWALS) return `expected at most ${MOST_RENEWALS} renewals, found ${renewed.length}`
  let last = first
  for (const [i, list] of renewed.entries()) {
    const chain = certificatesIn(list)
    const fault = chain === undefined ? 'it is malformed' : await faultOfRenewal(chain, last, options)
    if (fault !== undefined) return `renewal ${i + 1}: ${fault}`
    last = chain![0]
  }
  return last
}

async function faultOfRenewal(
  chain: readonly [Certificate, ...Certificate[]],
  before: Certificate | undefined,
  { anchors = [], lenient = false }: Omit<RunLinkOptions, 'file'>,
): Promise<string | undefined> {
  const [leaf] = chain
  if (before === undefined || !sameBytes(leaf.spki, before.spki)) return 'it is of another key'
  if (leaf.notBefore.getTime() > before.notAfter.getTime() + GRACE_MS) return 'the one before had expired'
  const [own, old] = await Promise.all([leaf, before].map(({ bytes }) => readAgentCertificate(bytes, { lenient })))
  const wrong = own!.diagnostics.find(({ severity }) => severity === 'error')
  if (wrong !== undefined) return wrong.detail
  const other = own!.agent && old!.agent && otherHolder(own!.agent, old!.agent)
  if (other !== undefined) return other
  const result = await verifyChain({ chain, anchors, at: leaf.notBefore, understood: AIP_EXTENSIONS })
  return result.ok ? undefined : result.reason
}

/** The certificates in a list of base64; undefined for anything else. */
function certificatesIn(list: unknown): readonly [Certificate, ...Certificate[]] | undefined {
  if (!Array.isArray(list) || !list.every(isText) || list.length > MOST_CERTIFICATES) return undefined
  try {
    const [first, ...others] = list.map((text) => readCertificate(decodeBase64(text)))
    return first && [first, ...others]
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}
