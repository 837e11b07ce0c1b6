// Signed notes and checkpoints of C2SP: a text, a blank line, and signatures. Other programs verify them too.
//
//     blazon.invalid/adp/5b8f1f52-4c8e-4f0e-9d7a-2f6f6f3f8b10
//     5
//     1i9kmTBf8qN5RuhkZJzlJ8HaVjxSfY3Vzbt9NE1aFgU=
//
//     — blazon.invalid/adp/5b8f1f52-4c8e-4f0e-9d7a-2f6f6f3f8b10 yF49dIhq+toR3oiNbr4En5M65f41ZWsZTFMS1r/oSUzsIQSr...
import { decodeBase64, decodeBase64url, encodeBase64, KeyError } from '../../keys/base64.ts'
import { derPair, pairOf } from '../../keys/chain.ts'
import { importKey } from '../../keys/import.ts'
import { type Key, publicMembers, writeSpki } from '../../keys/key.ts'
import type { KeySource } from '../../keys/read.ts'
import { signBytes } from '../../keys/sign.ts'
import { verifyBytes } from '../../keys/verify.ts'
import { joinBytes, sameBytes, toHex } from '../../text/bytes.ts'
import { isDomain } from '../../text/host-name.ts'
import { sha256 } from '../../wasm/sha256.ts'
import type { Hash, Leaves, TreeHead } from './tree.ts'

/** Types of signatures: of a log with Ed25519 or ECDSA, and of a witness with Ed25519 and a time. */
const ED25519 = 1
const ECDSA = 2
export const COSIGNATURE = 4

const ID_BYTES = 4
/** Notes must be accepted with 16 signatures at least. */
const MOST_SIGNATURES = 16
const LONGEST_NOTE = 65_536
/** A name has no white space and no plus. */
const NAME = /^[^\s+]{1,200}$/u
const LINE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/u

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** True for a name that a key of notes may have. */
export const isNoteName = (name: string): boolean => NAME.test(name)

/** A key that signs notes, by its name. */
export interface NoteKey {
  readonly name: string
  readonly type: typeof ED25519 | typeof ECDSA | typeof COSIGNATURE
  /** Four bytes that tell keys of one name apart. */
  readonly id: Uint8Array
  readonly key: Key
}

interface NoteSignature {
  readonly name: string
  readonly id: Uint8Array
  readonly bytes: Uint8Array
}

export interface Note {
  /** With its last line end. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** Describes a key that signs notes. Its type follows from the key, unless it is that of a witness. */
export function noteKey(name: string, key: Key, { isWitness = false } = {}): NoteKey {
  if (!isNoteName(name))
    throw new RangeError(`name: expected one without white space and plus, got ${JSON.stringify(name)}`)
  const { publicKey } = key
  if (key.kind === 'Ed25519') {
    const type = isWitness ? COSIGNATURE : ED25519
    return { name, type, id: idOf(name, type, rawOf(publicKey)), key: publicKey }
  }
  const spki = writeSpki(key.kind, publicMembers(publicKey))
  return { name, type: ECDSA, id: sha256(spki).subarray(0, ID_BYTES), key: publicKey }
}

const rawOf = (key: Key) => decodeBase64url(publicMembers(key)['x']!)

const idOf = (name: string, type: number, key: Uint8Array) =>
  sha256(joinBytes([encoder.encode(`${name}\n`), Uint8Array.of(type), key])).subarray(0, ID_BYTES)

/** The key as a line of text: `example.com/foo+530d903a+AekyeRrm...`. */
export function writeNoteKey({ name, type, id, key }: NoteKey): string {
  const bytes = type === ECDSA ? writeSpki(key.kind, publicMembers(key)) : rawOf(key)
  return `${name}+${toHex(id)}+${encodeBase64(joinBytes([Uint8Array.of(type), bytes]))}`
}

/**
 * Reads a key. Undefined for a type of signature that is not supported, such as ML-DSA-44.
 *
 * @throws {KeyError} for a malformed key, and for an id that is not its own.
 */
export async function readNoteKey(text: string): Promise<NoteKey | undefined> {
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? []
  if (name === undefined) throw new KeyError('KEY-102', 'expected a key such as example.com/foo+530d903a+AekyeRrm...')
  const [type, ...bytes] = decodeBase64(base64!)
  const encoded = Uint8Array.from(bytes)
  if (type !== ED25519 && type !== ECDSA && type !== COSIGNATURE) return undefined
  const key = await importKey(encoded, { format: type === ECDSA ? 'spki' : 'raw' })
  const made = noteKey(name, key, { isWitness: type === COSIGNATURE })
  if (made.type !== type || toHex(made.id) !== id)
    throw new KeyError('KEY-102', 'expected the id of the key, found another')
  return made
}

/** The parts of a note; undefined for bytes that are not a note. */
export function readNote(bytes: Uint8Array): Note | undefined {
  const text = noteText(bytes)
  const end = text?.lastIndexOf('\n\n') ?? -1
  if (text === undefined || end < 0 || !text.endsWith('\n')) return undefined
  const lines = text.slice(end + 2, -1).split('\n')
  const signatures = lines.length > MOST_SIGNATURES ? [] : lines.map(signatureIn)
  const found = signatures.filter((signature) => signature !== undefined)
  return found.length === lines.length ? { text: text.slice(0, end + 1), signatures: found } : undefined
}

function noteText(bytes: Uint8Array): string | undefined {
  if (bytes.length > LONGEST_NOTE) return undefined
  try {
    const text = decoder.decode(bytes)
    return Array.from(text).some((character) => character < ' ' && character !== '\n') ? undefined : text
  } catch {
    return undefined
  }
}

function signatureIn(line: string): NoteSignature | undefined {
  const [, name, base64] = LINE.exec(line) ?? []
  if (name === undefined || !NAME.test(name)) return undefined
  try {
    const bytes = decodeBase64(base64!)
    return bytes.length > ID_BYTES
      ? { name, id: bytes.subarray(0, ID_BYTES), bytes: bytes.subarray(ID_BYTES) }
      : undefined
  } catch {
    return undefined
  }
}

export function writeNote({ text, signatures }: Note): Uint8Array<ArrayBuffer> {
  const lines = signatures.map(({ name, id, bytes }) => `— ${name} ${encodeBase64(joinBytes([id, bytes]))}\n`)
  return encoder.encode(`${text}\n${lines.join('')}`)
}

/** The notes of a file, with a blank line between them. A note that was cut off does not hide those after it. */
export function notesIn(bytes: Uint8Array): readonly Note[] {
  const blocks = new TextDecoder().decode(bytes).split('\n\n')
  const notes: Note[] = []
  for (let i = 1; i < blocks.length; i++) {
    const text = `${blocks[i - 1]}\n\n${blocks[i]!.replace(/\n?$/, '\n')}`
    const note = readNote(encoder.encode(text))
    if (note === undefined) continue
    notes.push(note)
    i++
  }
  return notes
}

/** A file of notes, as `notesIn` reads it. */
export const joinNotes = (notes: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  joinBytes(notes.flatMap((note, i) => (i === 0 ? [note] : [encoder.encode('\n'), note])))

/** A signature that verifies: for a witness, with the time in seconds since 1970. */
interface VerifiedSignature {
  readonly key: NoteKey
  readonly time?: number
}

/**
 * The signatures of known keys. Others are ignored, as C2SP requires.
 *
 * @returns undefined when a signature of a known key does not verify: then the whole note is refused.
 */
export async function verifyNote(
  note: Note,
  keys: readonly NoteKey[],
): Promise<readonly VerifiedSignature[] | undefined> {
  const verified: VerifiedSignature[] = []
  for (const signature of note.signatures) {
    const key = keys.find(({ name, id }) => name === signature.name && sameBytes(id, signature.id))
    if (key === undefined) continue
    const found = await verifySignature(note.text, signature.bytes, key)
    if (found === undefined) return undefined
    verified.push(found)
  }
  return verified
}

async function verifySignature(text: string, bytes: Uint8Array, key: NoteKey): Promise<VerifiedSignature | undefined> {
  const message = encoder.encode(text)
  const verify = async (signature: Uint8Array | undefined, over: Uint8Array) =>
    signature !== undefined &&
    (await verifyBytes({ algorithm: key.key.algorithms[0]!, publicKey: key.key, message: over, signature }))
  if (key.type === ED25519) return (await verify(bytes, message)) ? { key } : undefined
  if (key.type === ECDSA) return (await verify(pairOf(bytes, 32), message)) ? { key } : undefined
  if (bytes.length !== 72) return undefined
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0))
  if (!Number.isSafeInteger(time)) return undefined
  const over = joinBytes([encoder.encode(`cosignature/v1\ntime ${time}\n`), message])
  return (await verify(bytes.subarray(8), over)) ? { key, time } : undefined
}

/** The head of a tree, as the text of a note. */
export interface Checkpoint extends TreeHead {
  readonly origin: string
}

export const writeCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${encodeBase64(root)}\n`

/** Reads the text of a checkpoint; undefined for another text. Further lines are extensions, which say nothing here. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [, origin, size, base64] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([A-Za-z0-9+/]{43}=)\n/.exec(text) ?? []
  if (origin === undefined || !Number.isSafeInteger(Number(size))) return undefined
  try {
    return { origin, size: Number(size), root: decodeBase64(base64!) as Hash }
  } catch {
    return undefined
  }
}

// Signs the lines of a run: a checkpoint is a hash over all lines so far, signed by the recorder.

/** The name of a run's log: with the domain of its recorder, others can find out whose it is. */
export function originOf(runId: string, domain = 'blazon.invalid'): string {
  if (!isDomain(domain)) throw new TypeError(`domain: expected a domain name, got ${JSON.stringify(domain)}`)
  return `${domain}/adp/${runId}`
}

/** Signs the head of a tree; returns the note. */
export async function signCheckpoint(checkpoint: Checkpoint, key: KeySource): Promise<Uint8Array<ArrayBuffer>> {
  const own = await importKey(key)
  const text = writeCheckpoint(checkpoint)
  const { name, id, type } = noteKey(checkpoint.origin, own)
  const raw = await signBytes({ algorithm: own.algorithms[0]!, privateKey: own, message: encoder.encode(text) })
  return writeNote({ text, signatures: [{ name, id, bytes: type === ECDSA ? derPair(raw) : raw }] })
}

// Asks a witness for a cosignature: it has seen this checkpoint, and no other history (https://c2sp.org/tlog-witness).

/** An answer of a witness, or the reason why there is no answer. */
type WitnessAnswer = { readonly status: number; readonly bytes: Uint8Array } | { readonly problem: string }

/** Sends a body to the path `add-checkpoint` of a witness. */
type SendToWitness = (body: string) => Promise<WitnessAnswer>

/** The checkpoint with the signatures of a witness, or the reason why it gave none. */
export async function cosign(
  checkpoint: Uint8Array,
  leaves: Leaves,
  send: SendToWitness,
): Promise<{ readonly note: Uint8Array<ArrayBuffer> } | { readonly problem: string }> {
  const note = readNote(checkpoint)
  const size = note && readCheckpoint(note.text)?.size
  if (note === undefined || size === undefined) throw new TypeError('checkpoint: expected a checkpoint of C2SP')
  const submit = (old: number) => {
    const proof = leaves.consistencyProof(old, size).map((hash) => `${encodeBase64(hash)}\n`)
    return send(`old ${old}\n${proof.join('')}\n${new TextDecoder().decode(checkpoint)}`)
  }
  let answer = await submit(0)
  const held = 'status' in answer && answer.status === 409 ? sizeIn(answer.bytes) : undefined
  if (held !== undefined && held > size) return { problem: `it has seen ${held} lines of this run, more than ${size}` }
  // The witness has seen the beginning: the proof goes on from there. A second 409 is final.
  if (held !== undefined) answer = await submit(held)
  if ('problem' in answer) return answer
  if (answer.status !== 200) return { problem: `it answers ${answer.status}` }
  const signed = signaturesIn(answer.bytes, note.text)
  const isOwn = ({ name, id }: NoteSignature) =>
    note.signatures.some((own) => own.name === name && sameBytes(own.id, id))
  // A signature in the name of the log would make readers refuse the whole checkpoint.
  if (signed === undefined || signed.some(isOwn)) return { problem: 'its answer is not a list of its signatures' }
  const whole = writeNote({ ...note, signatures: [...note.signatures, ...signed] })
  return readNote(whole) === undefined ? { problem: 'its answer has too many signatures' } : { note: whole }
}

function sizeIn(bytes: Uint8Array): number | undefined {
  const size = Number(/^(0|[1-9]\d{0,15})\n$/.exec(new TextDecoder().decode(bytes.subarray(0, 32)))?.[1])
  return Number.isSafeInteger(size) ? size : undefined
}

/** The lines of an answer are those of a note without its text. */
const signaturesIn = (bytes: Uint8Array, text: string) =>
  readNote(new TextEncoder().encode(`${text}\n${new TextDecoder().decode(bytes)}`))?.signatures
