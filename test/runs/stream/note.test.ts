// Signed notes and checkpoints, with C2SP's own example, and OpenSSL.
import { createPublicKey, verify as nodeVerify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { exportKey, generateKey, signBytes } from '../../../bindings/keys/index.ts'
import {
  COSIGNATURE,
  noteKey,
  readCheckpoint,
  readNote,
  readNoteKey,
  verifyNote,
  writeCheckpoint,
  writeNote,
  writeNoteKey,
} from '../../../bindings/runs/stream/note.ts'
import { leafHash } from '../../../bindings/runs/stream/tree.ts'
import { sharedData } from '../records.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('notes', () => {
  const example = sharedData('tlog/c2sp-signed-note-example.json')

  test.skipIf(example === undefined)("C2SP's example verifies, and no change of it", async () => {
    const { vkey, note: text } = JSON.parse(example!)
    const key = (await readNoteKey(vkey))!
    expect(writeNoteKey(key)).toBe(vkey)
    const note = readNote(bytes(text))!
    expect(new TextDecoder().decode(writeNote(note))).toBe(text)
    expect(await verifyNote(note, [key])).toEqual([{ key }])
    expect(await verifyNote({ ...note, text: note.text.replace('example', 'Example') }, [key])).toBeUndefined()
    expect(await verifyNote(note, [])).toEqual([])
  })

  test.each(['Ed25519', 'ES256'] as const)('%s: what we sign verifies, also elsewhere', async (algorithm) => {
    const key = await generateKey(algorithm)
    const named = noteKey('example.com/adp/1', key)
    const text = writeCheckpoint({ origin: named.name, size: 3, root: leafHash(bytes('a')) })
    const raw = await signBytes({ algorithm, privateKey: key, message: bytes(text) })
    const signature = algorithm === 'Ed25519' ? raw : derOf(raw)
    const note = { text, signatures: [{ name: named.name, id: named.id, bytes: signature }] }
    expect(await verifyNote(readNote(writeNote(note))!, [named])).toEqual([{ key: named }])
    expect(await readNoteKey(writeNoteKey(named))).toEqual(named)
    const pem = String(await exportKey(key.publicKey, 'pem'))
    expect(nodeVerify(algorithm === 'Ed25519' ? null : 'sha256', bytes(text), createPublicKey(pem), signature)).toBe(
      true,
    )
    const { verdict } = { verdict: await verifyNote({ ...note, text: text.replace('\n3\n', '\n4\n') }, [named]) }
    expect(verdict).toBeUndefined()
  })

  test('a cosignature has a time, and signs it', async () => {
    const key = await generateKey('Ed25519')
    const witness = noteKey('witness.example', key, { isWitness: true })
    const text = 'example.com/log\n1\nbjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=\n'
    const message = bytes(`cosignature/v1\ntime 1679315147\n${text}`)
    const signature = await signBytes({ algorithm: 'Ed25519', privateKey: key, message })
    const timed = Uint8Array.of(0, 0, 0, 0, 0x64, 0x18, 0x50, 0xcb, ...signature)
    const note = (own: Uint8Array) => ({ text, signatures: [{ name: witness.name, id: witness.id, bytes: own }] })
    expect(witness.type).toBe(COSIGNATURE)
    expect(await verifyNote(note(timed), [witness])).toEqual([{ key: witness, time: 1679315147 }])
    const later = timed.slice()
    later[7]!++
    expect(await verifyNote(note(later), [witness])).toBeUndefined()
    expect(await verifyNote(note(signature), [witness])).toBeUndefined()
  })

  test('a key of an unknown type is left out, and one with another id refused', async () => {
    expect(
      await readNoteKey(`example.com/foo+530d903a+${Buffer.from([6, ...new Array(1312).fill(1)]).toString('base64')}`),
    ).toBeUndefined()
    await expect(readNoteKey('example.com/foo+00000000+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k')).rejects.toThrow()
    await expect(readNoteKey('example.com/foo')).rejects.toThrow()
  })
})

describe('hostile notes', () => {
  const line = '— example.com/a AAAAAAAA\n'

  test.each([
    ['no signature', 'text\n'],
    ['no blank line', `text\n${line}`],
    ['no last line end', `text\n\n${line.trimEnd()}`],
    ['a carriage return', `text\r\n\n${line}`],
    ['a control character', `te\u0001xt\n\n${line}`],
    ['another dash', `text\n\n${line.replace('—', '-')}`],
    ['a name with a plus', `text\n\n${line.replace('/a', '+a')}`],
    ['seventeen signatures', `text\n\n${line.repeat(17)}`],
    ['a signature without bytes', 'text\n\n— a AAAA\n'],
    ['base64 that is not the shortest', 'text\n\n— a AAAAAB==\n'],
    ['64 KB', `${'x'.repeat(65_536)}\n\n${line}`],
  ])('%s is not a note', (_, text) => expect(readNote(bytes(text))).toBeUndefined())

  test('sixteen signatures are accepted, and an empty line in the text', () => {
    expect(readNote(bytes(`text\n\nmore\n\n${line.repeat(16)}`))?.text).toBe('text\n\nmore\n')
    expect(readNote(Uint8Array.of(0xff, 0xfe))).toBeUndefined()
  })

  test('sizes and roots have one form', () => {
    const root = 'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0='
    expect(readCheckpoint(`o\n1\n${root}\nextension\n`)).toMatchObject({ origin: 'o', size: 1 })
    for (const text of [
      `o\n01\n${root}\n`,
      `o\n-1\n${root}\n`,
      `o\n9007199254740993\n${root}\n`,
      `o\n1\n${root}`,
      `o\n1\n${root.slice(4)}\n`,
      `\n1\n${root}\n`,
    ])
      expect([text, readCheckpoint(text)]).toEqual([text, undefined])
  })
})

/** An ECDSA signature in DER, as notes have it. */
function derOf(pair: Uint8Array): Uint8Array {
  const numbers = [pair.subarray(0, 32), pair.subarray(32)].map((half) => {
    const digits = [...half.subarray(half.findIndex((byte) => byte !== 0))]
    return digits[0]! >= 0x80 ? [0, ...digits] : digits
  })
  const body = numbers.flatMap((digits) => [2, digits.length, ...digits])
  return Uint8Array.of(0x30, body.length, ...body)
}
