// Every forgery of a stream against every way to trust one: no cell may say `verified`. The honest cells are judged here
// by a reader that shares no code with the verifier: it compares lines with those that the signer signed.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import { generateKey, type PrivateKey, signBytes } from '../../../bindings/keys/index.ts'
import { createRecorder, memorySink, seal, verifyStream } from '../../../bindings/runs/index.ts'
import {
  joinNotes,
  noteKey,
  notesIn,
  readNote,
  signCheckpoint,
  writeNote,
  writeNoteKey,
} from '../../../bindings/runs/stream/note.ts'
import { readPolicy } from '../../../bindings/runs/stream/trust.ts'
import { changed, REVIEW } from '../records.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const step = (index: number) => ({ ...REVIEW.steps[0], index, parent_step_index: undefined })
const RECORD = changed(REVIEW, {
  set: { '/steps': Array.from({ length: 9 }, (_, i) => step(i)) },
  without: ['/metadata'],
})
const OTHER = changed(RECORD, { set: { '/run_id': '6b8f1f52-4c8e-4f0e-9d7a-2f6f6f3f8b10' } })
const ORIGIN = `blazon.invalid/adp/${REVIEW.run_id}`

/** RFC 6962 section 2.1, as its text defines it. */
function treeHash(leaves: readonly Uint8Array[]): Uint8Array {
  const sha = (...parts: Uint8Array[]) => new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())
  if (leaves.length === 0) return sha()
  if (leaves.length === 1) return sha(Uint8Array.of(0), leaves[0]!)
  let k = 1
  while (2 * k < leaves.length) k *= 2
  return sha(Uint8Array.of(1), treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)))
}

interface Files {
  readonly lines: readonly string[]
  readonly notes: readonly Uint8Array[]
  /** Notes that the verifier kept from before, if the forgery changes them. */
  readonly since?: readonly Uint8Array[]
}

let keys: Record<'recorder' | 'stranger' | 'witness' | 'server', PrivateKey>
let honest: Files
let other: Files

const sealed = async (record: unknown, key: PrivateKey): Promise<Files> => {
  const { stream, checkpoints } = await seal(JSON.stringify(record), { key, every: 4 })
  return { lines: decode(stream).trimEnd().split('\n'), notes: notesIn(checkpoints!).map(writeNote) }
}

/** The checkpoint of lines, signed as a recorder or a server does, and perhaps cosigned. */
async function noteOver(lines: readonly string[], key: PrivateKey, { origin = ORIGIN, cosigned = false } = {}) {
  const head = { origin, size: lines.length, root: treeHash(lines.map(encode)) as Uint8Array<ArrayBuffer> }
  const note = await signCheckpoint(head, key)
  return cosigned ? cosign(note) : note
}

async function cosign(bytes: Uint8Array): Promise<Uint8Array> {
  const note = readNote(bytes)!
  const message = encode(`cosignature/v1\ntime 1764266400\n${note.text}`)
  const signature = await signBytes({ algorithm: 'Ed25519', privateKey: keys.witness, message })
  const own = new Uint8Array(72)
  new DataView(own.buffer).setBigUint64(0, 1764266400n)
  own.set(signature, 8)
  const { name, id } = noteKey('w.example', keys.witness, { isWitness: true })
  return writeNote({ ...note, signatures: [...note.signatures, { name, id, bytes: own }] })
}

beforeAll(async () => {
  const names = ['recorder', 'stranger', 'witness', 'server'] as const
  const made = await Promise.all(names.map(async (name) => [name, await generateKey('Ed25519')] as const))
  keys = Object.fromEntries(made) as typeof keys
  ;[honest, other] = await Promise.all([sealed(RECORD, keys.recorder), sealed(OTHER, keys.recorder)])
})

const edit = (line: string) => line.replace('"uncertainty":0.1', '"uncertainty":0.9').replace('All 41', 'All 40')
const editAfter = (size: number, lines: readonly string[]) => lines.map((line, i) => (i < size ? line : edit(line)))
const removed = (line: string) => {
  const { run_id, seq } = JSON.parse(line)
  const leaf = Buffer.from(treeHash([encode(line)])).toString('base64')
  return decode(canonicalizeValue({ leaf, run_id, seq, type: 'removed' }))
}
const added = (lines: readonly string[]) => {
  const value = JSON.parse(lines[1]!)
  return decode(canonicalizeValue({ ...value, seq: lines.length, step: { ...value.step, index: 90 } }))
}

/** What somebody without the recorder's key can make of its files. Notes are of 4, 8 and 11 lines. */
const FORGERIES: readonly (readonly [what: string, forge: (files: Files) => Files | Promise<Files>])[] = [
  ['all notes but the first are deleted', ({ lines, notes }) => ({ lines, notes: notes.slice(0, 1) })],
  ['all notes are deleted', ({ lines }) => ({ lines, notes: [] })],
  ['lines after the first note are edited', (f) => ({ lines: editAfter(4, f.lines), notes: f.notes.slice(0, 1) })],
  ['lines are edited, and all notes kept', ({ lines, notes }) => ({ lines: editAfter(4, lines), notes })],
  [
    'an early line is edited, and the last note deleted',
    (f) => ({ lines: editAfter(1, f.lines), notes: f.notes.slice(0, 2) }),
  ],
  ...[1, 4, 5, 8, 10].flatMap((size): (readonly [string, (files: Files) => Files])[] => [
    [
      `the run is cut at ${size}, later notes deleted`,
      ({ lines, notes }) => ({ lines: lines.slice(0, size), notes: notes.filter((_, i) => 4 * (i + 1) <= size) }),
    ],
    [`the run is cut at ${size}, all notes kept`, ({ lines, notes }) => ({ lines: lines.slice(0, size), notes })],
    [
      `the run is cut at ${size}, and its last line called removed`,
      ({ lines, notes }) => ({
        lines: lines.slice(0, size).map((line, i) => (i === size - 1 ? removed(line) : line)),
        notes: notes.filter((_, i) => 4 * (i + 1) <= size),
      }),
    ],
  ]),
  ['a step is added after the end', ({ lines, notes }) => ({ lines: [...lines, added(lines)], notes })],
  [
    'a step is invented after a note',
    ({ lines, notes }) => ({ lines: [...lines.slice(0, 4), added(lines.slice(0, 4))], notes: notes.slice(0, 1) }),
  ],
  [
    'another end is invented after a note',
    ({ lines, notes }) => ({
      lines: [...lines.slice(0, 4), edit(lines[10]!).replace('"seq":10', '"seq":4')],
      notes: notes.slice(0, 1),
    }),
  ],
  [
    'a note stands there twice, and the lines are edited',
    (f) => ({ lines: editAfter(4, f.lines), notes: [f.notes[0]!, f.notes[0]!] }),
  ],
  [
    'notes in another order, and the lines edited',
    (f) => ({ lines: editAfter(8, f.lines), notes: f.notes.toReversed() }),
  ],
  ['the notes of another run', ({ lines }) => ({ lines, notes: other.notes })],
  ['the notes of another run as well', ({ lines, notes }) => ({ lines, notes: [...notes, ...other.notes] })],
  ['the lines of another run', ({ notes }) => ({ lines: other.lines, notes })],
  [
    'the name of another run over these lines',
    async ({ lines }) => ({
      lines,
      notes: [await noteOver(lines, keys.recorder, { origin: ORIGIN.replace('5b8f', '6b8f') })],
    }),
  ],
  [
    'a name without a run',
    async ({ lines }) => ({ lines, notes: [await noteOver(lines, keys.recorder, { origin: 'example.com/log' })] }),
  ],
  [
    'a stranger signs edited lines',
    async ({ lines }) => {
      const forged = editAfter(1, lines)
      return { lines: forged, notes: [await noteOver(forged, keys.stranger, { cosigned: true })] }
    },
  ],
  [
    'a stranger signs the edited end',
    async (f) => {
      const forged = editAfter(8, f.lines)
      return { lines: forged, notes: [...f.notes.slice(0, 2), await noteOver(forged, keys.stranger)] }
    },
  ],
  [
    'the signature of one note under the text of another',
    ({ lines, notes }) => ({
      lines: editAfter(4, lines),
      notes: [writeNote({ text: readNote(notes[2]!)!.text, signatures: readNote(notes[0]!)!.signatures })],
    }),
  ],
  [
    'a size and root without a signature that is known',
    ({ lines, notes }) => ({
      lines,
      notes: notes.map((note) =>
        writeNote({
          ...readNote(note)!,
          signatures: [{ name: 'x.example', id: new Uint8Array(4), bytes: new Uint8Array(64) }],
        }),
      ),
    }),
  ],
  [
    'the witness saw the beginning only',
    async (f) => ({ lines: editAfter(4, f.lines), notes: [await cosign(f.notes[0]!)] }),
  ],
]

const policyOf = async (quorum: string) => {
  const witness = writeNoteKey(noteKey('w.example', keys.witness, { isWitness: true }))
  const logs = [keys.recorder, keys.server].map((key) => `log ${writeNoteKey(noteKey(ORIGIN, key))}\n`).join('')
  return (await readPolicy(`${logs}witness W ${witness}\nquorum ${quorum}\n`)).policy!
}

/** Ways to trust. Each gets the files as the forger left them, and what the verifier has. */
const WAYS: readonly (readonly [way: string, options: (files: Files) => Promise<object>])[] = [
  ['a key', async () => ({ keys: [keys.recorder.publicKey] })],
  ['a key, in part', async () => ({ keys: [keys.recorder.publicKey], partial: true })],
  ['keys of two signers', async () => ({ keys: [keys.server.publicKey, keys.recorder.publicKey] })],
  ['a policy', async () => ({ policy: await policyOf('none') })],
  ['a policy with a witness', async () => ({ policy: await policyOf('W') })],
  ['a policy with a witness, in part', async () => ({ policy: await policyOf('W'), partial: true })],
  ['a key, and the first note from before', async () => ({ keys: [keys.recorder.publicKey], since: honest.notes[0] })],
  [
    'a key, and all notes from before',
    async () => ({ keys: [keys.recorder.publicKey], since: joinNotes(honest.notes) }),
  ],
  ['no key', async () => ({})],
  ['the key of a stranger', async () => ({ keys: [keys.witness.publicKey] })],
]

const judge = async ({ lines, notes }: Files, options: object) => {
  const proof = await verifyStream(encode(lines.map((line) => `${line}\n`).join('')), {
    checkpoints: joinNotes(notes),
    ...options,
  })
  return proof
}

describe('[runs/7.1-1] the word verified', () => {
  test('is said of no forgery, by whatever the verifier trusts', async () => {
    const wrong: string[] = []
    for (const [what, forge] of FORGERIES) {
      for (const isCosigned of [false, true]) {
        // With a witness, the recorder had its last note cosigned; the forger starts from that.
        const notes = isCosigned ? [...honest.notes.slice(0, -1), await cosign(honest.notes.at(-1)!)] : honest.notes
        const files = await forge({ ...honest, notes })
        for (const [way, optionsOf] of WAYS) {
          const { verdict, shows = [] } = await judge(files, await optionsOf(files))
          if (verdict === 'verified') wrong.push(`${what}, with ${way}`)
          // In part, lines that the proof speaks of are those that were signed.
          const [, count] = /first (\d+) of/.exec(shows.join()) ?? []
          const isSame = files.lines
            .slice(0, Number(count ?? 0))
            .every((line, i) => line === honest.lines[i] || line === removed(honest.lines[i]!))
          if (!isSame) wrong.push(`${what}, with ${way}: the first ${count}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(editAfter(0, honest.lines).filter((line, i) => line !== honest.lines[i])).toHaveLength(10)
    expect(FORGERIES.length * WAYS.length).toBeGreaterThan(300)
  })

  test('is said of no run with a checkpoint that its server signed before it went on', async () => {
    const server = [keys.server.publicKey]
    const open = honest.lines.slice(0, 5)
    const notes = [await noteOver(open, keys.server)]
    for (const [lines, verdict] of [
      [open, 'unverifiable'],
      [[...open, added(open)], 'failed'],
      [honest.lines, 'failed'],
      [honest.lines.slice(0, 4), 'failed'],
    ] as const)
      expect([lines.length, (await judge({ lines, notes }, { keys: server })).verdict]).toEqual([lines.length, verdict])
    const { verdict, shows } = await judge({ lines: honest.lines, notes }, { keys: server, partial: true })
    expect([verdict, shows]).toEqual([
      'unverifiable',
      ['that nobody changed the first 5 of 11 lines after a trusted key signed them'],
    ])
    const whole = [await noteOver(honest.lines, keys.server)]
    expect((await judge({ lines: honest.lines, notes: whole }, { keys: server })).verdict).toBe('verified')
  })

  test('is said of what an honest recorder made, and by each way that covers its end', async () => {
    const cosigned = { ...honest, notes: [...honest.notes.slice(0, -1), await cosign(honest.notes.at(-1)!)] }
    const verdicts: Record<string, string> = {}
    for (const [way, optionsOf] of WAYS) verdicts[way] = (await judge(cosigned, await optionsOf(cosigned))).verdict
    const { 'no key': none, 'the key of a stranger': stranger, ...others } = verdicts
    expect([none, stranger, new Set(Object.values(others))]).toEqual(['unverifiable', 'failed', new Set(['verified'])])
    expect((await judge(honest, { policy: await policyOf('W') })).verdict).toBe('failed')
    const early = { ...honest, notes: [await cosign(honest.notes[0]!), ...honest.notes.slice(1)] }
    expect(await judge(early, { policy: await policyOf('W'), partial: true })).toMatchObject({
      verdict: 'unverifiable',
      shows: ['that nobody changed the first 4 of 11 lines after a trusted key signed them'],
    })
    // One note is enough, the order of notes does not matter, and neither do repetitions.
    for (const notes of [honest.notes.slice(-1), honest.notes.toReversed(), [...honest.notes, ...honest.notes]])
      expect((await judge({ ...honest, notes }, { keys: [keys.recorder.publicKey] })).verdict).toBe('verified')
  })

  test.each([1, 2, 3, 100])('is said of a recorder with a checkpoint after each %d lines', async (checkpointEvery) => {
    const sink = memorySink()
    const recorder = await createRecorder(
      { tenant_id: 't', agent: { agent_id: 'a' } },
      { sink, signer: keys.recorder, checkpointEvery },
    )
    for (let i = 0; i < 120; i++) await recorder.step({ action: { type: 'other', name: `s${i}` } })
    const { stream: open, checkpoints: before } = sink.read(recorder.runId)
    await recorder.complete()
    const { stream, checkpoints } = sink.read(recorder.runId)
    const options = { keys: [keys.recorder.publicKey] }
    const [whole, part] = [
      await verifyStream(stream, { checkpoints, ...options }),
      await verifyStream(open, { checkpoints: before, ...options }),
    ]
    expect([whole.verdict, part.verdict]).toEqual(['verified', 121 % checkpointEvery === 0 ? 'unverifiable' : 'failed'])
  })
})

describe('earlier checkpoints', () => {
  const verdictWith = async (since: readonly Uint8Array[], files = honest) => {
    const { verdict, steps } = await judge(files, { keys: [keys.recorder.publicKey], since: joinNotes(since) })
    const { detail } = steps.find(({ name }) => name === 'history')!
    return `${verdict}: ${detail}`
  }

  test('are all used, and the largest decides', async () => {
    expect(await verdictWith(honest.notes)).toBe('verified: 11 lines')
    expect(await verdictWith(honest.notes.slice(0, 2))).toBe('verified: 8 lines')
    const forged = editAfter(8, honest.lines)
    const again = { lines: forged, notes: [await noteOver(forged, keys.recorder)] }
    expect((await judge(again, { keys: [keys.recorder.publicKey] })).verdict).toBe('verified')
    expect(await verdictWith(honest.notes.slice(0, 2), again)).toBe('verified: 8 lines')
    for (const since of [honest.notes, honest.notes.toReversed(), honest.notes.slice(-1)])
      expect(await verdictWith(since, again)).toMatch(/^failed/)
  })

  test('of another run, another signer or another text are refused', async () => {
    expect(await verdictWith(other.notes.slice(0, 1))).toMatch(/^failed: .*another run/)
    expect(await verdictWith([await noteOver(honest.lines.slice(0, 3), keys.stranger)])).toMatch(
      /^failed: no trusted key/,
    )
    expect(await verdictWith([encode('no note\n')])).toMatch(/^failed: .*cannot be read/)
    expect(await verdictWith([honest.notes[0]!, encode('no note\n')])).toMatch(/^failed: .*cannot be read/)
    expect(await verdictWith([])).toMatch(/^failed/)
  })

  test('next to a stream show that it was signed again', async () => {
    const forged = editAfter(1, honest.lines)
    const files = { lines: forged, notes: [...honest.notes, await noteOver(forged, keys.recorder)] }
    const { verdict, steps } = await judge(files, { keys: [keys.recorder.publicKey] })
    expect([verdict, steps.find(({ name }) => name === 'checkpoint')?.detail]).toEqual([
      'failed',
      'the first 4 lines are not those that were signed: a trusted key signed another history',
    ])
  })

  test('are judged in bounded work, however many there are', async () => {
    const last = readNote(honest.notes.at(-1)!)!
    const [signature] = last.signatures
    const forged = writeNote({ ...last, signatures: [{ ...signature!, bytes: new Uint8Array(64) }] })
    const options = { keys: [keys.recorder.publicKey] }
    const effort = async (count: number) => {
      const files = { ...honest, notes: Array.from({ length: count }, () => forged) }
      const start = process.cpuUsage()
      expect((await judge(files, { ...options, since: joinNotes(honest.notes) })).verdict).toBe('failed')
      const { user, system } = process.cpuUsage(start)
      return user + system
    }
    await effort(2000)
    const [less, more] = [await effort(10_000), await effort(40_000)]
    expect(more).toBeLessThan(less * 8)
  })

  test('are found after a note that was cut off', async () => {
    const torn = decode(joinNotes(honest.notes)).replace(/(— \S+ )\S+\n/, '$1')
    const { verdict } = await verifyStream(encode(honest.lines.map((line) => `${line}\n`).join('')), {
      checkpoints: encode(torn),
      keys: [keys.recorder.publicKey],
    })
    expect(verdict).toBe('verified')
  })
})
