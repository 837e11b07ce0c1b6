// `blazon verify` of streams and of proofs about them: what `runs seal` and `runs prove` write, and what a server answers.
import { beforeAll, describe, expect, test } from 'vitest'
import { encodeBase64, exportKey, generateKey, type PrivateKey } from '../../bindings/keys/index.ts'
import { Leaves, leafHash, signCheckpoint } from '../../bindings/runs/index.ts'
import { REVIEW } from '../runs/records.ts'
import { blazon } from './terminal.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: string | Uint8Array) => (typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes))
const ORIGIN = `blazon.invalid/adp/${REVIEW.run_id}`

let key: PrivateKey
let files: Record<string, string | Uint8Array>

beforeAll(async () => {
  key = await generateKey('Ed25519')
  const own = { 'run.json': JSON.stringify(REVIEW), 'k.key': String(await exportKey(key, 'pem')) }
  const line = ['runs', 'seal', 'run.json', '--key', 'k.key', '--out', 'run.ndjson', '--every', '2']
  const { saved } = await blazon(line, { files: own })
  files = { ...own, ...Object.fromEntries(saved), 'k.pub': String(await exportKey(key.publicKey, 'pem')) }
})

const verify = async (more: Record<string, string | Uint8Array>, ...line: string[]) => {
  const { code, stdout, stderr } = await blazon(['verify', ...line, '--key', 'k.pub'], { files: { ...files, ...more } })
  return { code, stdout, stderr, verdict: /: (verified|failed|unverifiable)$/m.exec(stdout)?.[1] }
}

test('sealing counts the findings of the record, and verifying without a key says how to give one', async () => {
  const odd = JSON.stringify({ ...REVIEW, agent: { ...REVIEW.agent, aip: { cert_fingerprint: 'none' } } })
  const line = ['runs', 'seal', 'odd.json', '--key', 'k.key', '--out', 'odd.ndjson']
  const { stderr } = await blazon(line, { files: { ...files, 'odd.json': odd } })
  expect(stderr).toMatch(/^the record has \d+ findings?: blazon validate odd\.json shows them$/m)
  expect(stderr).not.toContain('RUN-123')
  expect((await blazon(['verify', 'run.ndjson'], { files })).stderr).toMatch(/RUN-210.*\n.*\n {2}hint: .* --key PUBLIC/)
  expect((await blazon(['verify', 'run.json'], { files })).stderr).toMatch(/AIP-118[\s\S]*hint: .* --anchor/)
})

test('a stream has a plain name, in any folder', async () => {
  const seal = async (out: string) => {
    const { code, saved } = await blazon(['runs', 'seal', 'run.json', '--key', 'k.key', '--out', out], { files })
    return [code, saved.has(out)]
  }
  for (const out of ['a.ndjson', 'my runs/a b.ndjson']) expect([out, await seal(out)]).toEqual([out, [0, true]])
  for (const out of ['a b.ndjson', 'run.json']) expect([out, await seal(out)]).toEqual([out, [2, false]])
})

describe('a stream', () => {
  const firstNote = () => decode(files['run.checkpoints']!).split(/(?<=\n)\n(?=blazon)/)[0]!

  test('is named with its level, and what is missing for the next', async () => {
    const { code, stdout } = await verify({}, 'run.ndjson')
    expect([code, stdout]).toEqual([0, expect.stringContaining('level 1 of ADP-1\n')])
    expect(stdout).toMatch(/for level 2 {2}linkage to the certificate: /)
    const json = await blazon(['verify', 'run.ndjson', '--key', 'k.pub', '--format', 'json'], { files })
    expect(JSON.parse(json.stdout).results[0].proof.conformance).toMatchObject({ specification: 'ADP-1', level: 1 })
  })

  test('with lines after its checkpoint fails, or with --partial says how far it is verified', async () => {
    const cut = { 'run.checkpoints': firstNote() }
    const whole = await verify(cut, 'run.ndjson')
    expect([whole.code, whole.verdict, whole.stdout]).toEqual([4, 'failed', expect.not.stringContaining('level')])
    const part = await verify(cut, 'run.ndjson', '--partial')
    expect([part.code, part.verdict]).toEqual([4, 'unverifiable'])
    expect(part.stdout).toContain('the first 2 of 5 lines verified')
  })

  test('that is missing is reported like any missing file, and the others are verified', async () => {
    for (const line of [
      ['verify'],
      ['runs', 'prove', '--step', '0'],
      ['runs', 'retain', '--older', '1'],
      ['runs', 'show'],
    ]) {
      const { code, stderr } = await blazon([...line, 'x.ndjson'], { files })
      expect([line, code, stderr]).toEqual([line, 3, expect.stringMatching(/READ-\d+|cannot read x\.ndjson/)])
    }
    const both = await verify({}, 'x.ndjson', 'run.ndjson')
    expect([both.code, both.verdict]).toEqual([3, 'verified'])
  })
})

describe('a .tlog-proof', () => {
  const prove = async (...more: string[]) => {
    const { stdout, saved } = await blazon(['runs', 'prove', 'run.ndjson', '--step', '0', ...more], { files })
    return { stdout, proof: saved.get('p.tlog-proof') }
  }

  test('has the largest checkpoint that fits, whatever the order of the notes', async () => {
    const notes = decode(files['run.checkpoints']!).split(/(?<=\n)\n(?=blazon)/)
    const foreign = notes.at(-1)!.replace(/\n\d+\n/, '\n4\n')
    const turned = [...notes].reverse().map((note) => note.trimEnd())
    const checkpoints = `${[...turned, foreign.trimEnd()].join('\n\n')}\n`
    const own = { ...files, 'run.checkpoints': checkpoints }
    const line = ['runs', 'prove', 'run.ndjson', '--step', '0']
    expect(notes.length).toBeGreaterThan(1)
    const { saved } = await blazon([...line, '--out', 'p.tlog-proof'], { files: own })
    expect(decode(saved.get('p.tlog-proof')!)).toContain(`${ORIGIN}\n5\n`)
    const trusted = await blazon([...line, '--key', 'k.pub'], { files: own })
    expect(trusted.code).toBe(0)
    const stranger = String(await exportKey((await generateKey('Ed25519')).publicKey, 'pem'))
    const refused = await blazon([...line, '--key', 's.pub'], { files: { ...own, 's.pub': stranger } })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('no checkpoint of a trusted key fits')])
  })

  test('verifies with its line, in a file of its own or before it', async () => {
    const { stdout: line, proof } = await prove('--out', 'p.tlog-proof')
    const { stdout: both } = await prove()
    const apart = await verify({ 'p.tlog-proof': proof!, 'l.json': line }, 'p.tlog-proof', '--line', 'l.json')
    expect([apart.code, apart.verdict]).toEqual([0, 'verified'])
    expect(apart.stdout).toContain(`shows that a trusted key signed line 1 of '${ORIGIN}'`)
    expect(await verify({ 'p.tlog-proof': both }, 'p.tlog-proof')).toMatchObject({ code: 0, verdict: 'verified' })
    expect(await verify({ 'p.tlog-proof': proof! }, 'p.tlog-proof')).toMatchObject({ code: 4, verdict: 'unverifiable' })
    const edited = line.replace('41', '42')
    const forged = await verify({ 'p.tlog-proof': proof!, 'l.json': edited }, 'p.tlog-proof', '--line', 'l.json')
    expect([edited === line, forged.code, forged.verdict]).toEqual([false, 4, 'failed'])
  })

  test.each(['', '{}', 'c2sp.org/tlog-proof@v1\nindex 0\n\n', '{"a":1}\nc2sp.org/tlog-proof@v1\n'])(
    'that says %j is refused',
    async (text) => {
      expect(await verify({ 'p.tlog-proof': text }, 'p.tlog-proof')).toMatchObject({ code: 4, verdict: 'failed' })
    },
  )
})

describe('a proof of growth', () => {
  /** As a server answers `GET /runs/{id}/consistency?from=2`. */
  async function growth(change: object = {}, lines = decode(files['run.ndjson']!).trimEnd().split('\n')) {
    const leaves = new Leaves()
    for (const line of lines) leaves.append(leafHash(encode(line)))
    const size = lines.length
    const checkpoint = decode(await signCheckpoint({ origin: ORIGIN, size, root: leaves.root() }, key))
    const proof = leaves.consistencyProof(2, size).map(encodeBase64)
    return JSON.stringify({ from: 2, size, proof, checkpoint, ...change })
  }
  const since = async (origin = ORIGIN, size = 2) => {
    const lines = decode(files['run.ndjson']!).split('\n').slice(0, size)
    const leaves = new Leaves()
    for (const line of lines) leaves.append(leafHash(encode(line)))
    return signCheckpoint({ origin, size, root: leaves.root() }, key)
  }
  const outcome = async (answer: string, note?: Uint8Array) => {
    const more = { 'g.json': answer, ...(note && { 's.note': note }) }
    const { code, verdict } = await verify(more, 'g.json', ...(note ? ['--since', 's.note'] : []))
    return [code, verdict]
  }

  test('verifies with the checkpoint that it goes on from, and says nothing without it', async () => {
    expect(await outcome(await growth(), await since())).toEqual([0, 'verified'])
    expect(await outcome(await growth())).toEqual([4, 'unverifiable'])
  })

  test('fails for other lines, sizes, runs and signers', async () => {
    const edited = decode(files['run.ndjson']!).trimEnd().split('\n')
    edited[1] = edited[1]!.replace('41', '42')
    const stranger = await generateKey('Ed25519')
    const root = leafHash(encode('x'))
    const foreign = decode(await signCheckpoint({ origin: ORIGIN, size: 5, root }, stranger))
    for (const answer of [
      await growth({}, edited),
      await growth({ proof: [] }),
      await growth({ from: 3 }),
      await growth({ size: 4 }),
      await growth({ checkpoint: foreign }),
      await growth({ proof: ['x'] }),
      await growth({ proof: Array(1000).fill(encodeBase64(root)) }),
    ])
      expect([answer.slice(0, 200), await outcome(answer, await since())]).toEqual([
        answer.slice(0, 200),
        [4, 'failed'],
      ])
    expect(await outcome(await growth(), await since(ORIGIN, 3))).toEqual([4, 'failed'])
    expect(await outcome(await growth(), await since('blazon.invalid/adp/another'))).toEqual([4, 'failed'])
  })
})
