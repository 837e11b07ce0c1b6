// `runs seal --witness`, before a witness that does what the text of C2SP's tlog-witness says.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportKey, generateKey, type PrivateKey, signBytes } from '../../../bindings/keys/index.ts'
import {
  cosign,
  noteKey,
  notesIn,
  readCheckpoint,
  readNote,
  verifyNote,
  writeNote,
  writeNoteKey,
} from '../../../bindings/runs/stream/note.ts'
import { seal } from '../../../bindings/runs/stream/seal.ts'
import { isConsistent, Leaves, leafHash, type TreeHead } from '../../../bindings/runs/stream/tree.ts'
import { blazon } from '../../cli/terminal.ts'
import { REVIEW } from '../records.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const ORIGIN = `blazon.invalid/adp/${REVIEW.run_id}`
const EMPTY: TreeHead = {
  size: 0,
  root: Uint8Array.from(Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex')),
}

let log: PrivateKey
let witness: PrivateKey
let server: Server
let url: string
/** What the witness has seen, and what it was asked. */
let seen = EMPTY
let asked: number[] = []
/** Replaces the answer. */
let instead: { status: number; body: string | Buffer } | undefined

/** The rules of tlog-witness, in their order. */
async function judge(body: string): Promise<{ status: number; body: string | Buffer; type?: string }> {
  const [head = '', ...rest] = body.split('\n')
  const old = /^old (0|[1-9]\d*)$/.exec(head)?.[1]
  const blank = rest.indexOf('')
  if (old === undefined || blank < 0 || blank > 63) return { status: 400, body: '' }
  asked.push(Number(old))
  const note = readNote(encode(rest.slice(blank + 1).join('\n')))
  const checkpoint = note && readCheckpoint(note.text)
  if (note === undefined || checkpoint === undefined || Number(old) > checkpoint.size) return { status: 400, body: '' }
  if (checkpoint.origin !== ORIGIN) return { status: 404, body: '' }
  if ((await verifyNote(note, [noteKey(ORIGIN, log.publicKey)]))?.length !== 1) return { status: 403, body: '' }
  const isFork = Number(old) === checkpoint.size && !Buffer.from(seen.root).equals(checkpoint.root)
  if (Number(old) !== seen.size || isFork) return { status: 409, body: `${seen.size}\n`, type: 'text/x.tlog.size' }
  const proof = rest.slice(0, blank).map((line) => Uint8Array.from(Buffer.from(line, 'base64')))
  if (!isConsistent(seen, checkpoint, proof)) return { status: 422, body: '' }
  seen = checkpoint
  const time = 1764266400
  const message = encode(`cosignature/v1\ntime ${time}\n${note.text}`)
  const signature = await signBytes({ algorithm: 'Ed25519', privateKey: witness, message })
  const bytes = Buffer.concat([Buffer.alloc(8), signature])
  bytes.writeBigUInt64BE(BigInt(time))
  const { name, id } = noteKey('w.example', witness.publicKey, { isWitness: true })
  return { status: 200, body: decode(writeNote({ text: '', signatures: [{ name, id, bytes }] })).slice(1) }
}

let pem: string
const files = () => ({ 'run.json': JSON.stringify(REVIEW), 'log.key': pem })
/** The simulated terminal passes requests on to the real server. */
const pass = async (request: Request) => fetch(request.url, { method: request.method, body: await request.text() })

beforeAll(async () => {
  ;[log, witness] = await Promise.all([generateKey('Ed25519'), generateKey('Ed25519')])
  pem = String(await exportKey(log, 'pem'))
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const isRight = request.method === 'POST' && request.url === '/prefix/add-checkpoint'
    const { status, body, type }: { status: number; body: string | Buffer; type?: string } = isRight
      ? (instead ?? (await judge(Buffer.concat(chunks).toString())))
      : { status: 405, body: '' }
    response.writeHead(status, { 'content-type': type ?? 'text/plain' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function sealWith(witnessUrl = url) {
  const line = ['runs', 'seal', 'run.json', '--key', 'log.key', '--out', 'run.ndjson', '--witness', witnessUrl]
  const ran = await blazon(line, { files: files(), server: pass })
  const bytes = ran.saved.get('run.checkpoints')
  return {
    ...ran,
    signatures:
      bytes === undefined
        ? []
        : notesIn(bytes)
            .at(-1)!
            .signatures.map(({ name }) => name),
  }
}

/** Its tree has seen the first lines of the run already. */
async function seeFirst(count: number) {
  const lines = decode((await seal(JSON.stringify(REVIEW), { key: log })).stream!)
    .trimEnd()
    .split('\n')
  const leaves = new Leaves()
  for (const line of lines.slice(0, count)) leaves.append(leafHash(encode(line)))
  seen = { size: count, root: leaves.root() }
}

describe('a witness', () => {
  test('signs a checkpoint, and the policy then holds', async () => {
    ;[seen, asked, instead] = [EMPTY, [], undefined]
    const { code, saved, signatures } = await sealWith()
    expect([code, signatures, asked]).toEqual([0, [ORIGIN, 'w.example'], [0]])
    const policy = `log ${writeNoteKey(noteKey(ORIGIN, log.publicKey))}\nwitness W ${writeNoteKey(noteKey('w.example', witness.publicKey, { isWitness: true }))}\nquorum W\n`
    const all = { ...Object.fromEntries(saved), 'p.txt': policy }
    const verified = await blazon(['verify', 'run.ndjson', '--policy', 'p.txt'], { files: all })
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('1 saw the first 5 lines')])
  })

  test.each([1, 2, 3, 4, 5])('that has seen %d lines gets the proof from there', async (count) => {
    ;[asked, instead] = [[], undefined]
    await seeFirst(count)
    expect(await sealWith()).toMatchObject({ code: 0, signatures: [ORIGIN, 'w.example'] })
    expect(asked).toEqual([0, count])
  })

  test('that has seen another history does not sign', async () => {
    for (const size of [3, 5]) {
      seen = { size, root: leafHash(encode('another')) }
      const { code, signatures, stderr } = await sealWith()
      expect([code, signatures]).toEqual([3, [ORIGIN]])
      expect(stderr).toMatch(/did not sign: it answers (409|422)/)
    }
    seen = { size: 9, root: leafHash(encode('another')) }
    expect((await sealWith()).stderr).toContain('it has seen 9 lines of this run, more than 5')
  })

  test.each<[string, number, string | Buffer]>([
    ['an unknown log', 404, ''],
    ['an empty answer', 200, ''],
    ['another text', 200, 'signed!\n'],
    ['a signature without a line end', 200, `— w.example ${Buffer.alloc(76).toString('base64')}`],
    ['seventeen signatures', 200, `— w.example ${Buffer.alloc(76).toString('base64')}\n`.repeat(17)],
    ['a megabyte', 200, Buffer.alloc(1 << 20, 'a')],
    ['a size that is not a number', 409, 'many\n'],
    ['a size with zeros before it', 409, '05\n'],
    ['a size beyond the integers', 409, '9999999999999999\n'],
  ])('%s is not accepted as a cosignature, and the stream is written without one', async (_, status, body) => {
    instead = { status, body }
    const { code, signatures, stderr, saved } = await sealWith()
    expect([code, signatures, saved.has('run.ndjson')]).toEqual([3, [ORIGIN], true])
    expect(stderr).toContain('did not sign')
  })

  test('a signature in the name of the log is refused: readers would refuse the checkpoint', async () => {
    const { name, id } = noteKey(ORIGIN, log.publicKey)
    const forged = decode(writeNote({ text: '', signatures: [{ name, id, bytes: new Uint8Array(64) }] })).slice(1)
    instead = { status: 200, body: forged }
    expect(await sealWith()).toMatchObject({ code: 3, signatures: [ORIGIN] })
  })

  test('that asks for one size after the other is left after the second request', async () => {
    const sealed = await seal(JSON.stringify(REVIEW), { key: log })
    const leaves = new Leaves()
    for (const line of decode(sealed.stream!).trimEnd().split('\n')) leaves.append(leafHash(encode(line)))
    let count = 0
    const answered = await cosign(sealed.checkpoints!, leaves, async () => ({
      status: 409,
      bytes: encode(`${++count}\n`),
    }))
    expect([answered, count]).toEqual([{ problem: 'it answers 409' }, 2])
  })

  test('must be reached over https, or on this machine', async () => {
    expect((await sealWith('http://w.example/prefix')).code).toBe(2)
    expect((await sealWith('http://127.0.0.1:1/prefix')).stderr).toContain('did not sign')
  })
})
