// Policies of C2SP: which logs are trusted, and which witnesses must have seen a checkpoint.
import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { Diagnostic } from '../../document/types.ts'
import { KeyError } from '../../keys/base64.ts'
import { publicMembers } from '../../keys/key.ts'
import { quoted } from '../../text/words.ts'
import { STREAM_POLICY } from './findings.ts'
import { COSIGNATURE, type NoteKey, readNoteKey } from './note.ts'

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

export interface PolicyResult {
  readonly policy: WitnessPolicy | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a policy. */
export async function readPolicy(text: string, file?: string): Promise<PolicyResult> {
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
export function isQuorum({ quorum, witnesses, groups }: WitnessPolicy, seenBy: ReadonlySet<NoteKey>): boolean {
  const hasSeen = (name: string): boolean => {
    const group = groups.get(name)
    if (group !== undefined) return group.members.filter(hasSeen).length >= group.least
    const key = witnesses.get(name)
    return key !== undefined && seenBy.has(key)
  }
  return quorum === 'none' || hasSeen(quorum)
}
