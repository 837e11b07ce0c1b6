// Attacks on streams that need two of them, or another encoding of a signature.
import { beforeAll, describe, expect, test } from 'vitest'
import { generateKey, type PrivateKey } from '../../../bindings/keys/index.ts'
import { notesIn, readNote, writeNote } from '../../../bindings/runs/stream/note.ts'
import { seal } from '../../../bindings/runs/stream/seal.ts'
import { verifyStream } from '../../../bindings/runs/stream/verify.ts'
import { REVIEW } from '../records.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const outcome = async ({ stream, checkpoints }: Partial<seal.Result>, key: PrivateKey, more: object = {}) => {
  const keys = [key.publicKey]
  const proof = await verifyStream(stream!, { checkpoints: checkpoints!, keys, ...more })
  const bad = proof.steps.filter(({ outcome: one }) => one !== 'passed' && one !== 'skipped')
  return [proof.verdict, ...bad.map((step) => `${step.name} ${step.outcome} ${step.diagnostic?.code}`)]
}

test('two versions of one run both verify, until a reader compares their checkpoints', async () => {
  const key = await generateKey('Ed25519')
  const other = { ...REVIEW, final_output: { type: 'text', content: 'None match.' } }
  const [shown, hidden] = await Promise.all([REVIEW, other].map((run) => seal(JSON.stringify(run), { key, every: 2 })))
  expect(await outcome(shown!, key)).toEqual(['verified'])
  expect(await outcome(hidden!, key)).toEqual(['verified'])
  const since = (sealed: seal.Result, at: number) => writeNote(notesIn(sealed.checkpoints!).at(at)!)
  expect(await outcome(shown!, key, { since: since(hidden!, -1) })).toEqual(['failed', 'history failed RUN-209'])
  // They are the same up to their fourth line.
  expect(await outcome(shown!, key, { since: since(hidden!, 1) })).toEqual(['verified'])
})

test('lines after the last checkpoint make the verdict failed, whether they were changed or not', async () => {
  const key = await generateKey('Ed25519')
  const { stream, checkpoints } = await seal(JSON.stringify(REVIEW), { key, every: 2 })
  const first = writeNote(notesIn(checkpoints!)[0]!)
  expect(await outcome({ stream, checkpoints: first }, key)).toEqual(['failed', 'checkpoint failed RUN-208'])
  const changed = encode(new TextDecoder().decode(stream).replace('All 41', 'All 40'))
  expect(await outcome({ stream: changed, checkpoints: first }, key)).toEqual(['failed', 'checkpoint failed RUN-208'])
})

describe('a P-256 signature in another encoding', () => {
  let key: PrivateKey
  let sealed: seal.Result
  beforeAll(async () => {
    key = await generateKey('ES256')
    sealed = await seal(JSON.stringify(REVIEW), { key })
  })
  /** The contents of the two integers of the signature. */
  const numbers = (der: Uint8Array): [Uint8Array, Uint8Array] => {
    const second = 4 + der[3]!
    return [der.slice(4, second), der.slice(second + 2)]
  }
  const integer = (content: Uint8Array) => Uint8Array.of(2, content.length, ...content)
  const sequence = (...parts: Uint8Array[]) => {
    const content = parts.flatMap((part) => [...part])
    return Uint8Array.of(0x30, content.length, ...content)
  }

  test.each<[string, (r: Uint8Array, s: Uint8Array) => Uint8Array]>([
    ['zeros before a number', (r, s) => sequence(integer(Uint8Array.of(0, ...r)), integer(s))],
    ['a longer length', (r, s) => Uint8Array.of(0x30, 0x81, ...sequence(integer(r), integer(s)).slice(1))],
    ['bytes after the end', (r, s) => Uint8Array.of(...sequence(integer(r), integer(s)), 0)],
    ['a third number', (r, s) => sequence(integer(r), integer(s), integer(Uint8Array.of(1)))],
    ['a negative number', (r, s) => sequence(integer(r[0] === 0 ? r.slice(1) : Uint8Array.of(0x80, ...r)), integer(s))],
    ['64 bytes without DER', (r, s) => Uint8Array.of(...r.slice(-32), ...s.slice(-32))],
    ['the numbers swapped', (r, s) => sequence(integer(s), integer(r))],
    ['zeros', () => sequence(integer(Uint8Array.of(0)), integer(Uint8Array.of(0)))],
  ])('%s: is refused', async (_, change) => {
    const note = readNote(sealed.checkpoints!)!
    const [signature] = note.signatures
    const [r, s] = numbers(signature!.bytes)
    const checkpoints = writeNote({ ...note, signatures: [{ ...signature!, bytes: change(r, s) }] })
    expect(await outcome({ ...sealed, checkpoints }, key)).toEqual(['failed', 'signature failed RUN-207'])
  })

  test('the original verifies', async () => {
    const note = readNote(sealed.checkpoints!)!
    const [r, s] = numbers(note.signatures[0]!.bytes)
    expect(sequence(integer(r), integer(s))).toEqual(Uint8Array.from(note.signatures[0]!.bytes))
    expect(await outcome(sealed, key)).toEqual(['verified'])
  })
})
