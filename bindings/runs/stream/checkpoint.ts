// Signs the lines of a run: a checkpoint is a hash over all lines so far, signed by the recorder.
import { derPair } from '../../keys/chain.ts'
import { importKey } from '../../keys/platform.ts'
import type { KeySource } from '../../keys/read.ts'
import { signBytes } from '../../keys/sign.ts'
import { isDomain } from '../../text/host-name.ts'
import { type Checkpoint, ECDSA, noteKey, writeCheckpoint, writeNote } from './note.ts'

const encoder = new TextEncoder()

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
