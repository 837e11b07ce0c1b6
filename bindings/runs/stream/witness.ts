// Asks a witness for a cosignature: it has seen this checkpoint, and no other history (https://c2sp.org/tlog-witness).
import { encodeBase64 } from '../../keys/base64.ts'
import { sameBytes } from '../../text/bytes.ts'
import { type NoteSignature, readCheckpoint, readNote, writeNote } from './note.ts'
import type { Leaves } from './tree.ts'

/** An answer of a witness, or the reason why there is no answer. */
export type WitnessAnswer = { readonly status: number; readonly bytes: Uint8Array } | { readonly problem: string }

/** Sends a body to the path `add-checkpoint` of a witness. */
export type SendToWitness = (body: string) => Promise<WitnessAnswer>

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
