// Runs in files: on disk before they are acknowledged, whole after a crash, and safe from other processes.
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { generateKey } from '../../../bindings/keys/index.ts'
import { withLock } from '../../../bindings/node/file-sink.ts'
import { fileSink } from '../../../bindings/node/index.ts'
import { createRecorder, recordTool, verifyStream } from '../../../bindings/runs/index.ts'
import { hasFullDevice } from '../../support/programs.ts'

const root = mkdtempSync(join(tmpdir(), 'file-sink-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const ID = '7b0f5f5e-0b7f-4d2c-9a57-3f2f2f3a9f10'
const bytes = (text: string) => new TextEncoder().encode(text)
const made = () => {
  const folder = join(mkdtempSync(join(root, 'blazon-runs-')), 'runs')
  const path = join(folder, `${ID}.ndjson`)
  return { folder, path, sink: fileSink(folder), text: () => readFileSync(path, 'utf8') }
}

describe('fileSink', () => {
  test('a recorded run is verified from its files, which only the user can read', async () => {
    const { folder, sink } = made()
    const key = await generateKey('Ed25519')
    const recorder = await createRecorder(
      { run_id: ID, tenant_id: 'local', agent: { agent_id: 'coach' } },
      { sink, signer: key, checkpointEvery: 2, commit: ['/steps/*/observation/output'] },
    )
    for (let i = 0; i < 5; i++) await recordTool(recorder, 'a', () => ({ i }))()
    await recorder.complete()
    const [stream, checkpoints, openings] = ['ndjson', 'checkpoints', 'salts'].map((end) =>
      readFileSync(join(folder, `${ID}.${end}`)),
    )
    const proof = await verifyStream(stream!, { checkpoints: checkpoints!, openings: openings!, keys: [key.publicKey] })
    expect(proof.verdict).toBe('verified')
    expect(readdirSync(folder)).toHaveLength(3)
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  test('a repetition adds only what is missing', async () => {
    const { sink, text } = made()
    await sink.append(ID, 0, [bytes('a\n'), bytes('b\n')])
    await sink.append(ID, 1, [bytes('b\n'), bytes('c\n')])
    await sink.append(ID, 0, [bytes('a\n')]).catch(() => undefined)
    expect(text()).toBe('a\nb\nc\n')
  })

  test.each([
    ['another size', 3, 'x\n'],
    ['other lines', 1, 'x\n'],
    ['lines that were there earlier', 0, 'a\n'],
  ])('%s is refused, and the file stays', async (_, size, line) => {
    const { sink, text } = made()
    await sink.append(ID, 0, [bytes('a\n'), bytes('b\n')])
    await expect(sink.append(ID, size, [bytes(line)])).rejects.toThrow(RangeError)
    expect(text()).toBe('a\nb\n')
  })

  test('a part of a line, which a dead process left, goes', async () => {
    const { sink, path, text } = made()
    await sink.append(ID, 0, [bytes('a\n')])
    appendFileSync(path, '{"half')
    await sink.append(ID, 1, [bytes('b\n')])
    expect(text()).toBe('a\nb\n')
  })

  test('a file that another user cut or extended is refused', async () => {
    const { sink, path } = made()
    await sink.append(ID, 0, [bytes('a\n'), bytes('b\n')])
    writeFileSync(path, 'a\n')
    await expect(sink.append(ID, 2, [bytes('c\n')])).rejects.toThrow(RangeError)
    writeFileSync(path, 'a\nb\nforged\n')
    await expect(sink.append(ID, 2, [bytes('c\n')])).rejects.toThrow(RangeError)
  })

  test('a link is never written through, and no name leaves the folder', async () => {
    const { folder, sink, path } = made()
    await sink.append('00000000-0000-0000-0000-000000000000', 0, [bytes('a\n')])
    const victim = join(folder, 'victim')
    writeFileSync(victim, '')
    symlinkSync(victim, path)
    await expect(sink.append(ID, 0, [bytes('a\n')])).rejects.toThrow(/ELOOP/)
    expect(readFileSync(victim, 'utf8')).toBe('')
    await expect(sink.append('../../../../../../etc/passwd-0000000000', 0, [])).rejects.toThrow(TypeError)
  })

  test.runIf(hasFullDevice('streams on a full disk'))('a full disk is an error, and leaves whole lines', async () => {
    const { folder, sink } = made()
    await sink.append(ID, 0, [bytes('a\n')])
    const full = '00000000-0000-0000-0000-000000000001'
    symlinkSync('/dev/full', join(folder, `${full}.ndjson`))
    await expect(sink.append(full, 0, [bytes('a\n')])).rejects.toThrow()
  })
})

describe('withLock', () => {
  test('one at a time', async () => {
    const path = join(mkdtempSync(join(root, 'blazon-lock-')), 'lock')
    let inside = 0
    const most = await Promise.all(
      Array.from({ length: 30 }, () =>
        withLock(path, async () => {
          inside++
          const seen = inside
          await new Promise((resolve) => setTimeout(resolve, 1))
          inside--
          return seen
        }),
      ),
    )
    expect(Math.max(...most)).toBe(1)
  })

  test('the lock of a dead process is taken over, that of a living one is not', async () => {
    const path = join(mkdtempSync(join(root, 'blazon-lock-')), 'lock')
    writeFileSync(path, '4194303 x')
    expect(await withLock(path, async () => 1)).toBe(1)
    writeFileSync(path, `${process.pid} x`)
    await expect(withLock(path, async () => 1, 50)).rejects.toMatchObject({ code: 'ELOCKED' })
  })
})
