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
  data_classification: { sensitivity: 'internal' },
  permissions: { network: { allowed_hosts: ['api.acme.example'], allowed_ports: [443] } },
}
const json = (change: object = {}) => JSON.stringify({ ...AGENT, ...change })

const gate = (files: Record<string, string>, ...more: string[]) =>
  blazon(['gate', 'a.json', ...more], { files } as Setting)
const HOST = ['--trusted', '--enforces', 'network']

describe('blazon gate', () => {
  test('[adl/5.6-20] [adl/18.12-20] refuses agents that nobody vouches for, and names what can be acknowledged', async () => {
    const { code, stdout } = await gate({ 'a.json': json() })
    expect(code).toBe(1)
    expect(stdout).toContain('a.json: may not run\n  refuses  unsigned: ')
    expect(stdout).toContain('(--acknowledge unsigned)')
    expect(stdout).toContain(
      "  refuses  unenforced-domain: this host does not enforce the domain 'network' (--acknowledge network)",
    )
    const accepted = await gate({ 'a.json': json() }, '--acknowledge', 'unsigned', '--acknowledge', 'network')
    expect([accepted.code, accepted.stdout.split('\n')[0]]).toEqual([0, 'a.json: may run'])
    expect((await gate({ 'a.json': json() }, ...HOST)).code).toBe(0)
    const misspelt = await gate({ 'a.json': json() }, '--trusted', '--acknowledge', 'netwrok')
    expect([misspelt.code, misspelt.stderr]).toEqual([
      1,
      expect.stringContaining('--acknowledge netwrok: no refusal has that name'),
    ])
  })

  test('[adl/5.6-23] refuses retired agents, drafts in production, and names the successor of deprecated ones', async () => {
    const status = (lifecycle: object, ...more: string[]) => gate({ 'a.json': json({ lifecycle }) }, ...HOST, ...more)
    expect((await status({ status: 'retired', successor: 'urn:example:b' }, '--acknowledge', 'retired')).code).toBe(1)
    expect((await status({ status: 'draft' })).code).toBe(1)
    expect((await status({ status: 'draft' }, '--environment', 'test')).code).toBe(0)
    const old = await status({ status: 'deprecated', successor: 'urn:example:b', sunset_date: '2999-01-01T00:00:00Z' })
    expect(old.code).toBe(0)
    expect(old.stdout).toContain('  demands  deprecated: ')
    expect(old.stdout).toMatch(/days until the sunset date: \d+\n {2}successor: urn:example:b\n/)
  })

  test('an invalid definition may not run', async () => {
    const { code, stdout } = await gate({ 'a.json': json({ version: 'one' }) }, ...HOST)
    expect([code, stdout.includes('refuses  invalid: ')]).toEqual([1, true])
  })

  test('[adl/18.11-22] applies the keys and registries of a trust file', async () => {
    const key = await generateKey('Ed25519')
    const files = { 'a.json': json(), key: await exportKey(key, 'pem') }
    const { stdout: signed } = await blazon(['sign', 'a.json', '--key', 'key', '--embed-key'], { files })
    const trust = (keys: string[]) => JSON.stringify({ version: 1, keys })
    const mine = await exportKey(key.publicKey, 'pem')
    const other = await exportKey((await generateKey('Ed25519')).publicKey, 'pem')
    const asked = ['--enforces', 'network', '--trust', 'trust.json']
    expect((await gate({ 'a.json': signed, 'trust.json': trust([other, mine]) }, ...asked)).code).toBe(0)
    expect((await gate({ 'a.json': signed, 'trust.json': trust([other]) }, ...asked)).code).toBe(1)
    expect((await gate({ 'a.json': signed, 'trust.json': trust(['no key']) }, ...asked)).code).toBe(2)
    expect((await gate({ 'a.json': signed, 'trust.json': '{"version": 1, "key": []}' }, ...asked)).code).toBe(1)
    const registry = JSON.stringify({ version: 1, registries: ['https://r.example/'] })
    const from = (url: string) => gate({ 'a.json': json(), 'trust.json': registry }, ...asked, '--source', url)
    expect((await from('https://r.example/a.json')).code).toBe(0)
    expect((await from('http://r.example/a.json')).code).toBe(1)
  })

  test('[adl/18.10-3] refuses confidential data under an unknown key, until that is acknowledged or the key is trusted', async () => {
    const key = await generateKey('Ed25519')
    const confidential = json({ data_classification: { sensitivity: 'confidential' } })
    const files = { 'a.json': confidential, key: await exportKey(key, 'pem') }
    const { stdout: signed } = await blazon(['sign', 'a.json', '--key', 'key', '--embed-key'], { files })
    const asked = ['--enforces', 'network']
    const refused = await gate({ 'a.json': signed }, ...asked)
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('  refuses  signer: data are confidential'),
    ])
    expect(refused.stdout).toContain('(--acknowledge signer)')
    expect((await gate({ 'a.json': signed }, ...asked, '--acknowledge', 'signer')).code).toBe(0)
    const trust = JSON.stringify({ version: 1, keys: [await exportKey(key.publicKey, 'pem')] })
    expect((await gate({ 'a.json': signed, 'trust.json': trust }, ...asked, '--trust', 'trust.json')).code).toBe(0)
  })

  test('[adl/18.10-5] a difference from the inventory is an incident', async () => {
    const approve = await blazon(['approve', 'a.json', '--inventory', 'i.json'], { files: { 'a.json': json() } })
    const inventory = Buffer.from(approve.saved.get('i.json')!).toString()
    expect((await gate({ 'a.json': json(), 'i.json': inventory }, ...HOST, '--inventory', 'i.json')).code).toBe(0)
    const changed = json({ description: 'Reads whatever it finds and sends it to somebody else.' })
    const { code, stdout } = await gate({ 'a.json': changed, 'i.json': inventory }, ...HOST, '--inventory', 'i.json')
    expect([code, stdout.includes('refuses  inventory-digest: incident: ')]).toEqual([1, true])
  })

  test('--format json contains the whole answer; an unreadable file is reported', async () => {
    const { stdout } = await gate({ 'a.json': json() }, '--format', 'json')
    const [result] = JSON.parse(stdout).results
    expect(result.valid).toBe(false)
    expect(result.provisioning.reasons.map(({ id }: { id: string }) => id)).toEqual(['unsigned', 'unenforced-domain'])
    expect((await gate({})).code).toBe(3)
    expect((await gate({ 'a.json': json() }, '--trust', 'absent.json')).code).toBe(3)
    expect((await gate({ 'a.json': json() }, '--enforces', 'everything')).code).toBe(2)
  })
})
