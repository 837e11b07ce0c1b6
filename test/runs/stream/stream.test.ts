// Streams: a record as lines, sealed and verified, and every way to change one.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../../bindings/core/value.ts'
import { generateKey, type PrivateKey, signBytes } from '../../../bindings/keys/index.ts'
import { assemble } from '../../../bindings/runs/stream/lines.ts'
import { noteKey, readNote, writeNote, writeNoteKey } from '../../../bindings/runs/stream/note.ts'
import { verifyLine, writeProof } from '../../../bindings/runs/stream/proof-file.ts'
import { seal, split } from '../../../bindings/runs/stream/seal.ts'
import { Leaves, leafHash } from '../../../bindings/runs/stream/tree.ts'
import { readPolicy } from '../../../bindings/runs/stream/trust.ts'
import { verifyStream } from '../../../bindings/runs/stream/verify.ts'
import { sampleOf } from '../../support/cases.ts'
import { changed, REVIEW } from '../records.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const text = JSON.stringify(REVIEW)

describe('lines', () => {
  const made = (record: unknown) => split(JSON.stringify(record)).lines!

  test('a record comes back to the byte', () => {
    for (const record of [
      REVIEW,
      changed(REVIEW, { set: { '/steps': [], '/z.x': { b: [1, { a: null }] }, '/cancellation': null } }),
    ])
      expect(decode(assemble(made(record)))).toBe(decode(canonicalizeValue(record)))
  })

  test('any members of any object come back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue({ maxDepth: 5 }), (extra, output) => {
        const record: object = {
          ...extra,
          ...(changed(REVIEW, { set: { '/steps/0/observation/output': { value: output } } }) as object),
        }
        if (split(JSON.stringify(record)).lines === undefined) return
        expect(decode(assemble(made(record)))).toBe(decode(canonicalizeValue(record)))
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    ['an integer that a line would change', text.replace('"rows":41', '"rows":9007199254740993'), 'RUN-213'],
    [
      'steps out of order',
      JSON.stringify({ ...REVIEW, metadata: {}, steps: [REVIEW.steps[1], REVIEW.steps[0]] }),
      'RUN-214',
    ],
    ['an invalid record', '{"version": "adp-1", "steps": []}', 'RUN-102'],
  ])('%s is refused', (_, source, code) => {
    const { lines, diagnostics } = split(source)
    expect([lines, diagnostics.map((one) => one.code)]).toEqual([undefined, expect.arrayContaining([code])])
  })
})

describe('[runs/7.1-1] sealing and verifying', () => {
  let key: PrivateKey
  let other: PrivateKey
  let stream: string
  let checkpoints: string
  beforeAll(async () => {
    ;[key, other] = await Promise.all([generateKey('Ed25519'), generateKey('Ed25519')])
    const sealed = await seal(text, { key, every: 2, domain: 'harbour.example' })
    ;[stream, checkpoints] = [decode(sealed.stream), decode(sealed.checkpoints)]
  })
  const outcome = async (lines: string, options: object = {}) => {
    const { verdict, steps } = await verifyStream(encode(lines), {
      checkpoints: encode(checkpoints),
      keys: [key.publicKey],
      ...options,
    })
    const bad = steps.filter(({ outcome: one }) => one !== 'passed' && one !== 'skipped')
    return [verdict, ...bad.map(({ name, outcome: one }) => `${name} ${one}`)]
  }
  const lines = () => stream.trimEnd().split('\n')
  const joined = (all: readonly string[]) => `${all.join('\n')}\n`

  test('a sealed stream is verified', async () => {
    expect(await outcome(stream)).toEqual(['verified'])
    expect(lines()).toHaveLength(5)
    expect(checkpoints.split('harbour.example/adp/').length - 1).toBe(6)
  })

  test('with P-256, as agents of AIP-1 have it', async () => {
    const agent = await generateKey('ES256')
    const sealed = await seal(text, { key: agent })
    const proof = await verifyStream(sealed.stream!, { checkpoints: sealed.checkpoints!, keys: [agent.publicKey] })
    expect(proof.verdict).toBe('verified')
  })

  test('without a key that the caller trusts, nothing can be said', async () => {
    expect(await outcome(stream, { keys: [] })).toEqual(['unverifiable', 'signature unknown'])
    expect(await outcome(stream, { keys: [other.publicKey] })).toEqual(['failed', 'signature failed'])
    expect(await outcome(stream, { checkpoints: encode('') })).toEqual(['unverifiable', 'checkpoint unknown'])
  })

  test.each<[string, (all: string[]) => string[], string[]]>([
    ['a step that was edited', (all) => all.with(1, all[1]!.replace('41', '42')), ['checkpoint failed']],
    ['a step that was removed', (all) => all.toSpliced(2, 1), ['lines failed', 'checkpoint failed']],
    ['a step that was inserted', (all) => all.toSpliced(2, 0, all[1]!), ['lines failed', 'checkpoint failed']],
    [
      'steps that were swapped',
      (all) => [all[0]!, all[2]!, all[1]!, ...all.slice(3)],
      ['lines failed', 'checkpoint failed'],
    ],
    ['a stream that was cut', (all) => all.slice(0, 3), ['lines warning', 'record warning', 'checkpoint failed']],
    ['a second start', (all) => [all[0]!, ...all], ['lines failed', 'checkpoint failed']],
    [
      'a record after the end',
      (all) => [...all, all[4]!.replace('"seq":4', '"seq":5')],
      ['lines failed', 'checkpoint failed'],
    ],
    [
      'lines of another run',
      (all) => all.with(2, all[2]!.replace('5b8f1f52', '6b8f1f52')),
      ['lines failed', 'checkpoint failed'],
    ],
    ['another form', (all) => all.with(1, all[1]!.replace('":', '": ')), ['lines failed', 'checkpoint failed']],
    ['a carriage return', (all) => all.with(1, `${all[1]}\r`), ['lines failed', 'checkpoint failed']],
    ['a line that is not JSON', (all) => all.with(1, '{'), ['lines failed', 'checkpoint failed']],
    [
      'an unknown type',
      (all) => all.with(1, all[1]!.replace('"type":"step"', '"type":"stop"')),
      ['lines failed', 'checkpoint failed'],
    ],
  ])('%s is refused', async (_, change, expected) => {
    const [verdict, ...steps] = await outcome(joined(change(lines())))
    expect([...new Set(steps)].filter((step) => step !== 'record failed')).toEqual(expect.arrayContaining(expected))
    expect(verdict).toBe(expected.some((step) => step.endsWith('failed')) ? 'failed' : 'verified')
  })

  test('a last line without a line feed is refused', async () => {
    expect(await outcome(stream.trimEnd())).toEqual(['failed', 'lines failed'])
  })

  test('a stream that was cut and signed again is found out by an earlier checkpoint', async () => {
    const shorter = JSON.stringify({ ...REVIEW, metadata: {}, steps: REVIEW.steps.slice(0, 1) })
    const sealed = await seal(shorter, { key, domain: 'harbour.example' })
    const again = { checkpoints: sealed.checkpoints! }
    expect(await outcome(decode(sealed.stream), again)).toEqual(['verified'])
    const since = encode(checkpoints.slice(checkpoints.lastIndexOf('\n\nharbour') + 2))
    expect(await outcome(decode(sealed.stream), { ...again, since })).toEqual(['failed', 'history failed'])
    expect(await outcome(stream, { since })).toEqual(['verified'])
  })

  test('a checkpoint of another run is refused', async () => {
    const record = JSON.stringify({ ...REVIEW, run_id: 'b3c1c0de-0000-4000-8000-000000000001' })
    const { checkpoints: others } = await seal(record, { key })
    expect(await outcome(stream, { checkpoints: others })).toEqual(['failed', 'checkpoint failed'])
  })

  test('each changed byte of the stream or its checkpoint is found', async () => {
    for (const file of ['stream', 'checkpoint'] as const) {
      const bytes = encode(file === 'stream' ? stream : checkpoints.slice(checkpoints.lastIndexOf('\n\nharbour') + 2))
      for (const i of sampleOf(bytes.keys())) {
        const copy = bytes.slice()
        copy[i]! ^= 1
        const options = file === 'stream' ? {} : { checkpoints: copy }
        const [verdict] = await outcome(file === 'stream' ? decodeLatin(copy) : stream, options)
        expect([file, i, verdict]).not.toEqual([file, i, 'verified'])
      }
    }
  })

  describe('commitments', () => {
    const commit = ['/steps/*/action/input', '/final_output/content']
    const sealed = async () => {
      const { stream: own, checkpoints: notes, openings } = await seal(text, { key, commit })
      return { own: decode(own), notes: notes!, rows: decode(openings).trimEnd().split('\n') }
    }
    const rowsOf = (rows: readonly string[]) => encode(rows.map((row) => `${row}\n`).join(''))

    test('a stream verifies with all values, with one, and with none', async () => {
      const { own, notes, rows } = await sealed()
      expect(own).not.toMatch(/2025-11\.csv|All 41/)
      expect(rows).toHaveLength(4)
      for (const shown of [rows, rows.slice(1, 2), []])
        expect(await outcome(own, { checkpoints: notes, openings: rowsOf(shown) })).toEqual(['verified'])
      const { doesNotShow } = await verifyStream(encode(own), { checkpoints: notes, openings: rowsOf(rows.slice(1)) })
      expect(doesNotShow?.[0]).toBe('1 values that the stream only commits to')
    })

    test('other values, places and salts are found', async () => {
      const { own, notes, rows } = await sealed()
      const [a, b] = rows.map((row) => JSON.parse(row))
      const swapped = { ...a, salt: b.salt }
      const moved = { ...a, pointer: b.pointer }
      const guessed = { ...a, value: { path: '/invoices/2025-12.csv' } }
      for (const row of [swapped, moved, guessed, { ...a, salt: 'AA' }, { pointer: a.pointer }])
        expect(await outcome(own, { checkpoints: notes, openings: rowsOf([JSON.stringify(row)]) })).toEqual([
          'failed',
          'content failed',
        ])
    })
  })

  describe('proofs of one line', () => {
    const proven = async (proof: Uint8Array, line?: Uint8Array, keys = [key.publicKey]) => {
      const { verdict, steps } = await verifyLine(proof, { ...(line && { line }), keys })
      const bad = steps.filter(({ outcome: one }) => one !== 'passed' && one !== 'skipped')
      return [verdict, ...bad.map(({ name, outcome: one }) => `${name} ${one}`)]
    }
    test('a line with its proof is enough', async () => {
      const sealed = await seal(text, { key })
      const all = decode(sealed.stream).trimEnd().split('\n').map(encode)
      const leaves = new Leaves()
      for (const line of all) leaves.append(leafHash(line))
      for (const [index, line] of all.entries()) {
        const proof = writeProof({
          index,
          hashes: leaves.inclusionProof(index, all.length),
          checkpoint: sealed.checkpoints!,
        })
        expect(await proven(proof, line)).toEqual(['verified'])
        expect(await proven(Buffer.concat([line, encode('\n'), proof]))).toEqual(['verified'])
        expect(await proven(proof, all[(index + 1) % 5]!)).toEqual(['failed', 'line failed', 'inclusion failed'])
        expect(await proven(proof, line, [])).toEqual(['unverifiable', 'signature unknown'])
        expect(await proven(proof, line, [other.publicKey])).toEqual(['failed', 'signature failed'])
        expect(await proven(proof)).toEqual(['unverifiable', 'line unknown'])
        expect(await proven(encode(decode(proof).replace('index ', 'index 0')), line)).toEqual([
          'failed',
          'proof failed',
        ])
        // A hash stands for content that was removed; nothing may stand next to it.
        const leaf = Buffer.from(leafHash(line)).toString('base64')
        const removed = { leaf, run_id: REVIEW.run_id, seq: index, type: 'removed' }
        expect(await proven(proof, canonicalizeValue(removed))).toEqual(['verified'])
        for (const more of [{ step: {} }, { seq: index + 1 }, { run_id: 'other' }])
          expect((await proven(proof, canonicalizeValue({ ...removed, ...more })))[0]).toBe('failed')
      }
    })
  })

  describe('witnesses', () => {
    const cosigned = async (count: number, policyText: (vkeys: string[]) => string) => {
      const note = readNote(encode(checkpoints.slice(checkpoints.lastIndexOf('\n\nharbour') + 2)))!
      const witnesses = await Promise.all([1, 2, 3].map(() => generateKey('Ed25519')))
      const keys = witnesses.map((one, i) => noteKey(`w${i}.example`, one, { isWitness: true }))
      const time = 1764266400
      const signatures = await Promise.all(
        witnesses.slice(0, count).map(async (one, i) => {
          const message = encode(`cosignature/v1\ntime ${time}\n${note.text}`)
          const signature = await signBytes({ algorithm: 'Ed25519', privateKey: one, message })
          const bytes = new Uint8Array(72)
          new DataView(bytes.buffer).setBigUint64(0, BigInt(time))
          bytes.set(signature, 8)
          return { name: keys[i]!.name, id: keys[i]!.id, bytes }
        }),
      )
      const { policy, diagnostics } = await readPolicy(policyText(keys.map(writeNoteKey)))
      expect(diagnostics).toEqual([])
      return { policy, checkpoints: writeNote({ ...note, signatures: [...note.signatures, ...signatures] }) }
    }
    const two = (keys: string[]) =>
      `# three, of which two must agree\n${keys.map((key, i) => `witness W${i} ${key}\n`).join('')}group all 2 W0 W1 W2\nquorum all\n`

    test('enough of them verify, fewer do not', async () => {
      expect(await outcome(stream, await cosigned(2, two))).toEqual(['verified'])
      expect(await outcome(stream, await cosigned(1, two))).toEqual(['failed', 'witnesses failed'])
    })

    test.each([
      ['no quorum', ''],
      ['two quorums', 'quorum none\nquorum none'],
      ['an unknown name', 'quorum x'],
      ['a group of nobody', 'group g any\nquorum g'],
      ['another word', 'trust everybody\nquorum none'],
      ['a malformed key', 'log x\nquorum none'],
    ])('%s is refused', async (_, policy) => {
      expect((await readPolicy(policy)).diagnostics.map(({ code }) => code)).toEqual(['RUN-215'])
    })

    test('one witness under two names is refused', async () => {
      const vkey = writeNoteKey(noteKey('w.example', key, { isWitness: true }))
      const { diagnostics } = await readPolicy(`witness A ${vkey}\nwitness B ${vkey}\nquorum A\n`)
      expect(diagnostics[0]?.detail).toContain('the key is there already')
    })
  })
})

/** Bytes that may not be UTF-8, as text that encodes to something else. */
const decodeLatin = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')
