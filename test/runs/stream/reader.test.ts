// Readers in Python, written from the guide alone, and in Go verify what we seal, and refuse what was changed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateKey, type PrivateKey } from '../../../bindings/keys/index.ts'
import { publicMembers } from '../../../bindings/keys/key.ts'
import { noteKey, writeNoteKey } from '../../../bindings/runs/stream/note.ts'
import { writeProof } from '../../../bindings/runs/stream/proof-file.ts'
import { retainStream, seal } from '../../../bindings/runs/stream/seal.ts'
import { Leaves, leafHash } from '../../../bindings/runs/stream/tree.ts'
import { hasPrograms } from '../../support/programs.ts'
import { REVIEW } from '../records.ts'

const hasPython = hasPrograms('a reader of streams in Python', ['python3', 'openssl'])
// Where Debian has packages of Go.
const GOPATH = '/usr/share/gocode'
const hasGo = hasPrograms('a reader of proofs in Go', ['golang-go', 'golang-golang-x-mod-dev'])

const folder = mkdtempSync(join(tmpdir(), 'blazon-reader-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, bytes: Uint8Array) => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

describe.runIf(hasGo)('the packages of Go', () => {
  test('find a line by its proof, and no other line', async () => {
    const key = await generateKey('Ed25519')
    const { stream, checkpoints } = await seal(JSON.stringify(REVIEW), { key, domain: 'harbour.example' })
    const leaves = new Leaves()
    const lines = new TextDecoder()
      .decode(stream)
      .trimEnd()
      .split('\n')
      .map((line) => new TextEncoder().encode(line))
    for (const line of lines) leaves.append(leafHash(line))
    const hashes = leaves.inclusionProof(2, lines.length)
    const proof = write('proof', writeProof({ index: 2, hashes, checkpoint: checkpoints! }))
    const origin = new TextDecoder().decode(checkpoints).split('\n', 1)[0]!
    const program = join(folder, 'verify_proof')
    const env = { ...process.env, GO111MODULE: 'off', GOPATH }
    const built = spawnSync('go', ['build', '-o', program, 'test/runs/stream/verify_proof.go'], { env })
    expect(built.stderr.toString()).toBe('')
    const check = (line: Uint8Array) => {
      const args = [writeNoteKey(noteKey(origin, key.publicKey)), write('line', line), proof]
      return spawnSync(program, args).stdout.toString().trim()
    }
    expect(check(lines[2]!)).toBe(`line 2 of ${lines.length}`)
    expect(check(lines[1]!)).toBe('invalid transparency proof')
  })
})

describe.runIf(hasPython)('a reader in Python', () => {
  let key: PrivateKey
  let sealed: seal.Result
  const commit = ['/steps/*/action/input', '/final_output/content']
  beforeAll(async () => {
    key = await generateKey('Ed25519')
    sealed = await seal(JSON.stringify(REVIEW), { key, every: 2, domain: 'harbour.example', commit })
  })

  function read({ stream, checkpoints, openings }: Partial<seal.Result>) {
    const hex = Buffer.from(publicMembers(key.publicKey)['x']!, 'base64url').toString('hex')
    const files = [write('a.ndjson', stream!), write('a.checkpoints', checkpoints!), hex]
    const more = openings === undefined ? [] : [write('a.salts', openings)]
    const { status, stdout, stderr } = spawnSync('python3', ['test/runs/stream/read_stream.py', ...files, ...more])
    return status === 0 ? JSON.parse(stdout.toString()) : stderr.toString().trim().split('\n').at(-1)
  }

  test('verifies a stream and the values that it commits to', () => {
    const { covered, removed, shown, record } = read(sealed)
    expect([covered, removed, shown.length, record.run_id]).toEqual([5, 0, 4, REVIEW.run_id])
  })

  test('reads the record that was sealed', async () => {
    const plain = await seal(JSON.stringify(REVIEW), { key })
    expect(read(plain).record).toEqual(REVIEW)
  })

  test('verifies a stream whose content was removed', async () => {
    const kept = await retainStream([(await seal(JSON.stringify(REVIEW), { key })).stream!], 'x')
    const { checkpoints } = await seal(JSON.stringify(REVIEW), { key })
    expect(read({ stream: kept.stream, checkpoints }).removed).toBe(kept.removed)
  })

  test.each<[string, (text: string) => string, string]>([
    ['an edited step', (text) => text.replace('"index":1', '"index":2'), 'the checkpoint is of other lines'],
    ['a removed line', (text) => text.split('\n').toSpliced(2, 1).join('\n'), 'line 2 is in the wrong place'],
    ['another form', (text) => text.replace('":', '": '), 'line 0 is not canonical'],
    ['no last line feed', (text) => text.trimEnd(), 'a last line without a line feed'],
  ])('refuses %s', (_, change, expected) => {
    const stream = new TextEncoder().encode(change(new TextDecoder().decode(sealed.stream)))
    expect(read({ ...sealed, stream })).toContain(expected)
  })

  test('refuses another signature and another value', () => {
    const changed = new TextEncoder().encode(new TextDecoder().decode(sealed.checkpoints).replaceAll('\n5\n', '\n4\n'))
    expect(read({ ...sealed, checkpoints: changed })).toContain('the signature does not match')
    const guessed = new TextEncoder().encode(new TextDecoder().decode(sealed.openings).replace('csv', 'txt'))
    expect(read({ ...sealed, openings: guessed })).toContain('AssertionError: /')
  })
})
