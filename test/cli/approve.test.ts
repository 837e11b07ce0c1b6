import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { exportKey, generateKey } from '../../bindings/keys/index.ts'
import { blazon, type Setting } from './terminal.ts'

const AGENT = {
  $schema: 'https://adl-spec.org/0.1/schema.json',
  adl_spec: '0.1.0',
  id: 'https://acme.example/agents/a',
  name: 'A',
  description: 'Reads the papers that it is given and answers questions about them.',
  version: '1.0.0',
  data_classification: { sensitivity: 'public' },
}
const json = JSON.stringify(AGENT)
// The members in the order of RFC 8785.
const canonical = JSON.stringify(Object.fromEntries(Object.entries(AGENT).sort(([a], [b]) => (a < b ? -1 : 1))))
const digest = `sha256:${createHash('sha256').update(canonical).digest('hex')}`

const inventory = (saved: ReadonlyMap<string, Uint8Array>) =>
  JSON.parse(Buffer.from(saved.get('approved.json') ?? '').toString())

const approve = (files: Setting['files'], ...more: string[]) =>
  blazon(['approve', 'a.json', '--inventory', 'approved.json', ...more], { files: files! })

describe('blazon approve', () => {
  test('[adl/18.10-4] creates an inventory, and replaces an entry of the same version', async () => {
    const first = await approve({ 'a.json': json })
    expect(first.code).toBe(0)
    expect(first.stdout).toBe(`https://acme.example/agents/a\t1.0.0\t${digest}\tunsigned\n`)
    expect(first.stderr).toContain('wrote approved.json: 1 approved')
    const [entry] = inventory(first.saved).agents
    expect(entry).toMatchObject({ id: AGENT.id, version: '1.0.0', digest, signer: null })
    const other = { ...entry, id: 'https://acme.example/agents/b', digest: 'sha256:00' }
    const before = JSON.stringify({ version: 1, agents: [{ ...entry, digest: 'sha256:11' }, other] })
    const second = await approve({ 'a.json': json, 'approved.json': before })
    expect(inventory(second.saved).agents.map((one: { digest: string }) => one.digest)).toEqual([digest, 'sha256:00'])
  })

  test('[adl/18.10-1] names the signer of a signed definition, whose signature must verify', async () => {
    const key = await generateKey('Ed25519')
    const files = { 'a.json': json, key: await exportKey(key, 'pem') }
    const signed = (await blazon(['sign', 'a.json', '--key', 'key', '--embed-key'], { files })).stdout
    const good = await approve({ 'a.json': signed })
    expect(good.code).toBe(0)
    expect(inventory(good.saved).agents[0].signer).toMatch(/^[\w-]{43}$/)
    const changed = await approve({ 'a.json': signed.replace('"A"', '"B"') })
    expect(changed.code).toBe(4)
    expect(changed.saved.size).toBe(0)
    const another = await exportKey((await generateKey('Ed25519')).publicKey, 'pem')
    expect((await approve({ 'a.json': signed, other: another }, '--key', 'other')).code).toBe(4)
  })

  test('refuses an unsigned definition if a key is expected', async () => {
    const other = await exportKey((await generateKey('Ed25519')).publicKey, 'pem')
    const { code, saved } = await approve({ 'a.json': json, other }, '--key', 'other')
    expect([code, saved.size]).toEqual([4, 0])
  })

  test('approves all definitions or none', async () => {
    const files = { 'a.json': json, 'b.json': '{"adl_spec": "0.1.0"}' }
    const { code, saved, stderr } = await approve(files, 'b.json')
    expect([code, saved.size]).toEqual([1, 0])
    expect(stderr).toContain('ADL-1003')
    expect(stderr).toContain('approved.json was not written')
  })

  test('never overwrites a file that is not an inventory', async () => {
    for (const text of ['{}', 'not JSON', '[]', '{"version": 2, "agents": []}']) {
      const { code, saved } = await approve({ 'a.json': json, 'approved.json': text })
      expect([code, saved.size]).toEqual([1, 0])
    }
  })

  test('reports unreadable files and wrong usage', async () => {
    expect((await approve({})).code).toBe(3)
    expect((await blazon(['approve', 'a.json'], { files: { 'a.json': json } })).code).toBe(2)
  })

  test('--format json contains the entry', async () => {
    const { stdout } = await approve({ 'a.json': json }, '--format', 'json')
    expect(JSON.parse(stdout).results[0].entry).toMatchObject({ digest, signer: null })
  })
})
