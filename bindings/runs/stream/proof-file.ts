// `.tlog-proof` files of C2SP: that one line is in a stream, without the others.
import { decodeBase64, encodeBase64 } from '../../keys/base64.ts'
import { joinBytes, sameBytes } from '../../text/bytes.ts'
import { type Note, type NoteKey, readCheckpoint, readNote, verifyNote } from './note.ts'
import { HASH_BYTES, type Hash, leafHash, rootOfInclusion } from './tree.ts'

const HEAD = 'c2sp.org/tlog-proof@v1'
const FILE =
  /^c2sp\.org\/tlog-proof@v1\n(?:extra ([A-Za-z0-9+/]+={0,2})\n)?index (0|[1-9]\d{0,15})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n/

export interface InclusionProof {
  /** The line, counted from 0. */
  readonly index: number
  readonly hashes: readonly Hash[]
  /** The signed checkpoint, as bytes. */
  readonly checkpoint: Uint8Array
}

export function writeProof({ index, hashes, checkpoint }: InclusionProof): Uint8Array<ArrayBuffer> {
  const rows = hashes.map((hash) => `${encodeBase64(hash)}\n`)
  return joinBytes([new TextEncoder().encode(`${HEAD}\nindex ${index}\n${rows.join('')}\n`), checkpoint])
}

/** Reads a proof; undefined for another text. */
function readProof(bytes: Uint8Array): (InclusionProof & { readonly note: Note }) | undefined {
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

/** Why a line is not proven to be in a stream; undefined when it is. */
export async function faultOfProof(
  line: Uint8Array,
  proof: Uint8Array,
  keys: (origin: string) => readonly NoteKey[],
): Promise<string | undefined> {
  const read = readProof(proof)
  const head = read && readCheckpoint(read.note.text)
  if (read === undefined || head === undefined) return 'the proof cannot be read'
  const verified = await verifyNote(read.note, keys(head.origin))
  if (verified === undefined || verified.length === 0) return 'none of the trusted keys signed the checkpoint'
  const root = rootOfInclusion(leafHash(line), read.index, head.size, read.hashes)
  return root !== undefined && sameBytes(root, head.root) ? undefined : 'the line is not in the tree of the checkpoint'
}
