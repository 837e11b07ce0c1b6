// One record, sealed and proven, a signed note and a certificate.
import { certificateFingerprint, readCertificate } from '../keys/certificate.ts'
import { importKey } from '../keys/platform.ts'
import { readNote, readNoteKey, verifyNote } from '../runs/stream/note.ts'
import { verifyLine, writeProof } from '../runs/stream/proof-file.ts'
import { seal } from '../runs/stream/seal.ts'
import { Leaves, leafHash } from '../runs/stream/tree.ts'
import { verifyStream } from '../runs/stream/verify.ts'
import { fromHex, toHex } from '../text/bytes.ts'
import vectors from './runs.json' with { type: 'json' }

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** The expected texts were made with Python's hashlib and OpenSSL, the note is that of C2SP's signed-note. */
export async function runs(): Promise<(readonly [id: string, expected: string, got: string])[]> {
  const { record, stream, checkpoint, root, proof, certificate, fingerprint, names, note } = vectors
  const key = await importKey(fromHex(vectors.seed)!, { format: 'raw-private' })
  const sealed = await seal(record, { key, domain: 'harbour.example' })
  const lines = stream.trimEnd().split('\n').map(encode)
  const leaves = new Leaves()
  for (const line of lines) leaves.append(leafHash(line))
  const checkpoints = encode(checkpoint)
  const own = writeProof({ index: 1, hashes: leaves.inclusionProof(1, lines.length), checkpoint: checkpoints })
  const proven = await verifyLine(encode(proof), { line: lines[1]!, keys: [key.publicKey] })
  const theirs = (await readNoteKey(vectors.noteKey))!
  const { subject, notAfter } = readCertificate(certificate)
  const { verdict } = await verifyStream(encode(stream), { checkpoints, keys: [key.publicKey] })
  return [
    ['run/stream', stream, decode(sealed.stream)],
    ['run/checkpoint', checkpoint, decode(sealed.checkpoints)],
    ['run/root', root, toHex(leaves.root())],
    ['run/verdict', 'verified', verdict],
    ['run/proof', proof, decode(own)],
    ['run/proven', 'verified', proven.verdict],
    ['note', '1', String((await verifyNote(readNote(encode(note))!, [theirs]))?.length)],
    ['certificate', fingerprint, certificateFingerprint(certificate)],
    [
      'certificate/names',
      names,
      [subject.unit, subject.organization, subject.commonName, notAfter.toISOString()].join(', '),
    ],
  ]
}
